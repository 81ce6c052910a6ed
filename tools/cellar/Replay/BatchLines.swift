import BatchUpdates
import Foundation
import ListModel

/// Batch updates on their way to a file, and up to which revisions they are there.
final class BatchLines {
  private let path: String
  private let writer: LineWriter
  /// Written or not, after those that are settled.
  private var waiting: [(list: ListID, to: Int)] = []
  private var settledCount = 0
  /// The revision that the file leads to, of each list that it is about.
  private var reached: [ListID: Int] = [:]
  /// The revision that the updates lead to which were given.
  private var given: [ListID: Int] = [:]

  /// - Throws: ``StoreError`` if the file can't be written; it is then as it was.
  init(_ path: String) throws(StoreError) {
    self.path = path
    writer = try LineWriter(path)
  }

  /// See ``LineWriter/isCaseIgnored``.
  var isCaseIgnored: Bool { writer.isCaseIgnored }

  func write(_ update: BatchUpdate) throws {
    if reached[update.list] == nil { reached[update.list] = update.from }
    given[update.list] = update.to
    waiting.append((update.list, update.to))
    defer { settle() }
    try writer.write(ShownText.json(update.json))
  }

  func finish() throws(StoreError) {
    defer { settle() }
    try writer.finish()
  }

  private func settle() {
    let count = writer.lineCount - settledCount
    for (list, revision) in waiting.prefix(count) { reached[list] = revision }
    waiting.removeFirst(count)
    settledCount += count
  }

  /// What a file has after a failure, and how the rest can be had.
  func remainder(isWhole: Bool, of store: String) -> [String] {
    let name = LineWriter.isStandardOutput(path) ? "standard output" : path
    let has = "\(name) has \(Output.count(settledCount, "batch update"))"
    if isWhole { return [has + ", all up to the failure"] }
    let missing = reached.filter { (given[$0.key] ?? 0) > $0.value }.sorted { $0.key < $1.key }
    guard !missing.isEmpty else { return [has] }
    let starts = missing.prefix(5).map { list, revision in
      " --from \(Self.argument("\(list)=\(revision)"))"
    }
    return [
      has + "; what was committed and is not in it can be had by",
      "  cellar replay --store \(Self.argument(store)) --batches <out>" + starts.joined()
        + (missing.count > 5 ? " …" : ""),
    ]
  }

  /// A text as one argument for a shell.
  private static func argument(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "-_./=".unicodeScalars.contains($0)
    }
    return isPlain ? text : "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}

/// Refuses to put lines in place of a database, which nobody means to lose by that.
func requireNoDatabase(_ path: String) throws(StoreError) {
  guard NamedFile(path) != nil, let file = FileHandle(forReadingAtPath: path) else { return }
  defer { try? file.close() }
  guard let start = try? file.read(upToCount: 16), start == Data("SQLite format 3\0".utf8) else {
    return
  }
  throw StoreError(
    .notWritable, "is an SQLite database, which --batches would overwrite; name another file",
    file: path)
}
