import Foundation
import ListModel

extension Inspection.ContentDetail {
  /// A name for what a content shows, from a member that usually has it; `nil` if contents are
  /// hidden or there is none.
  func title(of content: JSON) -> String? {
    guard self == .full, content.text.utf8.count < 1 << 16,
      let value = try? JSONSerialization.jsonObject(with: Data(content.text.utf8)),
      let members = value as? [String: Any]
    else { return nil }
    return ["title", "name", "codename", "text"].lazy.compactMap { members[$0] as? String }
      .first { !$0.isEmpty }
  }

  /// A content as far as it is shown; `nil` for nothing of it.
  func shown(_ content: JSON) -> String? {
    guard let facts = Inspection.ContentFacts(content.text, self) else { return nil }
    return facts.text.map { "content \(Shown.cut($0, to: 160))" }
      ?? "content of \(Shown.count(facts.byteCount, "byte")), SHA-256 \(facts.hash)"
  }
}
