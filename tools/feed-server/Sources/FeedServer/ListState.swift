import Foundation

/// The sections and items of a list, to tell whether an edit fits: a line that does not fit would
/// stop every client.
///
/// A server of more than one's own apps also checks the members that say how something looks.
struct ListState {
  /// Why an operation does not fit.
  struct Refusal: Error { let why: String }

  private var sections: [(id: String, items: [String])] = []

  /// Applies a line of the feed.
  mutating func apply(_ line: FeedFile.Line) throws {
    let object = try JSONSerialization.jsonObject(with: Data(line.text.utf8)) as? [String: Any]
    switch line.t {
    case "commit":
      for operation in object?["ops"] as? [[String: Any]] ?? [] { _ = try apply(operation) }
    case "reset": sections = []
    case "snapshot":
      sections = (object?["sections"] as? [[String: Any]] ?? []).map { section in
        let items = section["items"] as? [[String: Any]] ?? []
        return (section["id"] as? String ?? "", items.compactMap { $0["id"] as? String })
      }
    default: break
    }
  }

  /// Applies an operation.
  ///
  /// - Returns: The operation with the place that it gets.
  mutating func apply(_ operation: [String: Any]) throws -> [String: Any] {
    var operation = operation
    let item = operation["item"] as? String ?? ""
    let section = operation["section"] as? String
    switch operation["op"] as? String {
    case "insertSection":
      guard let section, index(of: section) == nil else { throw Refusal(why: "it is there") }
      let place = try settle(&operation, among: sections.map(\.id))
      sections.insert((section, []), at: place)
    case "deleteSection": sections.remove(at: try known(section))
    case "moveSection":
      let moved = sections.remove(at: try known(section))
      sections.insert(moved, at: try settle(&operation, among: sections.map(\.id)))
    case "updateSection": _ = try known(section)
    case "insertItem":
      let target = try known(section)
      guard path(of: item) == nil else { throw Refusal(why: "\(item) is there") }
      let place = try settle(&operation, among: sections[target].items)
      sections[target].items.insert(item, at: place)
    case "moveItem":
      let path = try known(item: item)
      let target = try section.map { try known($0) } ?? path.section
      sections[path.section].items.remove(at: path.item)
      let place = try settle(&operation, among: sections[target].items)
      sections[target].items.insert(item, at: place)
    case "deleteItem":
      let path = try known(item: item)
      sections[path.section].items.remove(at: path.item)
    case "updateItem", "touchItem": _ = try known(item: item)
    case "updateList": break
    default: throw Refusal(why: "an operation of another kind")
    }
    return operation
  }

  private func index(of section: String) -> Int? { sections.firstIndex { $0.id == section } }

  private func known(_ section: String?) throws -> Int {
    guard let index = section.flatMap({ index(of: $0) }) else {
      throw Refusal(why: "section \(section ?? "") is gone")
    }
    return index
  }

  private func path(of item: String) -> (section: Int, item: Int)? {
    for (section, found) in sections.enumerated() {
      if let index = found.items.firstIndex(of: item) { return (section, index) }
    }
    return nil
  }

  private func known(item: String) throws -> (section: Int, item: Int) {
    guard let path = path(of: item) else { throw Refusal(why: "\(item) is gone") }
    return path
  }

  /// The index of an operation's place.
  ///
  /// If the neighbour is gone, the place is the index that it had when the edit was made.
  private func settle(_ operation: inout [String: Any], among ids: [String]) throws -> Int {
    if operation["after"] is NSNull { return 0 }
    let after = (operation["after"] as? String).map { ids.firstIndex(of: $0).map { $0 + 1 } }
    let before = (operation["before"] as? String).map { ids.firstIndex(of: $0) }
    if let index = after ?? before {
      if let index { return index }
      guard let was = operation["was"] as? Int, was >= 0 else {
        throw Refusal(why: "its neighbour is gone")
      }
      operation["after"] = nil
      operation["before"] = nil
      operation["index"] = min(was, ids.count)
    }
    let index = operation["index"] as? Int ?? ids.count
    guard (0...ids.count).contains(index) else { throw Refusal(why: "there is no index \(index)") }
    return index
  }
}
