import Foundation
import ListModel

/// A text that is looked for in ids and contents; upper and lower case are the same.
struct TextSearch {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Whether an id or a content has it.
  func fits(id: String, contents: [String?]) -> Bool {
    has(id) || contents.contains { $0.map(fits(content:)) == true }
  }

  func fits(_ item: Item) -> Bool {
    fits(
      id: item.id.rawValue, contents: [item.state.content.text, item.state.action?.json])
  }

  private func has(_ text: String) -> Bool {
    text.range(of: self.text, options: .caseInsensitive) != nil
  }

  /// Whether a content has it: as it is stored, or in a string with escapes.
  private func fits(content: String) -> Bool {
    if has(content) { return true }
    guard content.contains("\\"),
      let value = try? JSONSerialization.jsonObject(
        with: Data(content.utf8), options: .fragmentsAllowed)
    else { return false }
    return strings(in: value).contains(where: has)
  }

  private func strings(in value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let values as [Any]: values.flatMap(strings)
    case let members as [String: Any]: members.flatMap { [$0] + strings(in: $1) }
    default: []
    }
  }
}
