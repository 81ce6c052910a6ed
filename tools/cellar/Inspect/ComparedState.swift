import ArgumentParser
import Foundation
import ListInspection
import ListModel
import StoreFiles

/// One side of a comparison: a store at a moment, or a tree.
struct ComparedState {
  private let source: Source

  private enum Source {
    case tree(ListTree)
    case store(Inspection, Moment?)
  }

  /// What an argument names: a store, a store with @ and a moment behind it, or a file with a tree.
  init(_ argument: String, _ open: (String) throws -> Inspection) throws {
    if argument == "-" || Self.isText(argument) {
      self.init(.tree(try Self.tree(argument)))
      return
    }
    guard !FileManager.default.fileExists(atPath: argument),
      let at = argument.lastIndex(of: "@")
    else {
      try self.init(open(argument), at: nil)
      return
    }
    let path = String(argument[..<at])
    guard let moment = Moment(argument: String(argument[argument.index(after: at)...])) else {
      throw ValidationError(
        "expected a revision, a time such as 2024-04-05T19:34:39Z, or wal:K behind the @ of " + path
      )
    }
    try self.init(open(path), at: moment)
  }

  /// A store at a moment; `nil`: as it is now.
  init(_ whole: Inspection, at moment: Moment?) throws {
    self.init(.store(try moment?.inspection(whole) ?? whole, moment))
  }

  private init(_ source: Source) { self.source = source }

  // MARK: Trees

  /// Whether a file is a text, and no database, hurt or not; a pipe is read only once.
  private static func isText(_ path: String) -> Bool {
    guard let status = FileStatus(following: path), status.kind != .folder else { return false }
    guard status.kind == .file else { return true }
    if status.byteCount == 0 { return true }
    guard let file = FileHandle(forReadingAtPath: path),
      let bytes = try? file.read(upToCount: 64)
    else { return false }
    return bytes.first == UInt8(ascii: "{") || !bytes.contains(0)
  }

  private static func tree(_ path: String) throws -> ListTree {
    let bytes = try readInput(path)
    do {
      return try ListTree(parsing: bytes)
    } catch {
      throw StoreError(.invalidValue, "not a tree: \(error)", file: path, cause: error)
    }
  }

  // MARK: Lists

  /// The lists of this state or another one, by the bytes of their ids.
  ///
  /// Two trees are compared whatever their lists are called.
  func lists(or other: Self) throws -> [ListID] {
    if case .tree(let tree) = source, case .tree = other.source { return [tree.list] }
    return Set(try lists() + other.lists()).sorted()
  }

  private func lists() throws -> [ListID] {
    switch source {
    case .tree(let tree): [tree.list]
    case .store(let inspection, _): try inspection.listIDs()
    }
  }

  /// A list in this state.
  ///
  /// `orEmpty`: Whether a list that is not there is empty, as before its first commit.
  func tree(of list: ListID, orEmpty: Bool) throws -> ListTree {
    switch source {
    case .tree(let tree): return tree
    case .store(let inspection, let moment):
      if orEmpty, try !inspection.listIDs().contains(list) { return ListTree(list: list) }
      return try inspection.tree(of: list, at: moment?.revision(of: list, inspection))
    }
  }

  /// What differs in a list.
  func difference(
    to other: Self, of list: ListID, orEmpty: Bool, _ content: Inspection.ContentDetail
  ) throws -> Inspection.Difference {
    if isSameStore(as: other), case .store(let inspection, let moment) = source,
      case .store(_, let later) = other.source
    {
      // The log tells it, however long the list is.
      return try inspection.difference(
        of: list,
        from: moment?.revision(of: list, inspection) ?? inspection.revision(of: list),
        to: later?.revision(of: list, inspection), content: content)
    }
    return Inspection.Difference(
      from: try tree(of: list, orEmpty: orEmpty), to: try other.tree(of: list, orEmpty: orEmpty),
      content: content)
  }

  /// Whether both are revisions of one copy of a store, whose log leads from one to the other.
  private func isSameStore(as other: Self) -> Bool {
    guard case .store(let inspection, let moment) = source,
      case .store(let otherInspection, let otherMoment) = other.source
    else { return false }
    return inspection.evidence.files.first?.path == otherInspection.evidence.files.first?.path
      && moment?.isOfStore != false && otherMoment?.isOfStore != false
  }

  /// See ``Inspection/isOutdated``.
  var isOutdated: Bool {
    if case .store(let inspection, _) = source { inspection.isOutdated } else { false }
  }

  /// - Throws: ``StoreError`` if the store has changed meanwhile, or this library would not open it.
  func requireUsable() throws {
    guard case .store(let inspection, _) = source else { return }
    try inspection.requireUnchanged()
    if let refusal = inspection.refusal { throw refusal }
  }
}
