import Foundation
import ListModel
import StoreSchema

extension Inspection.Report.Content {
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
    switch self {
    case .none: return nil
    case .full: return "content \(Shown.cut(content.text, to: 160))"
    case .hash:
      let bytes = Array(content.text.utf8)
      return "content of \(Shown.count(bytes.count, "byte")), SHA-256 "
        + String(Digest.sha256Hexadecimal(bytes).prefix(8))
    }
  }
}
