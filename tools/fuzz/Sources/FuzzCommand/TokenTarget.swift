import DerivedLists
import FeedServing
import ListModel
import ListStore
import ListSync
import ListTables
import StoreFiles

/// Short texts with a form: what one of them reads it writes again, byte for byte.
func fuzzTokens(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  func same(_ written: String?, _ what: String) {
    guard let written else { return }
    require(Array(written.utf8) == Array(text.utf8), "\(what) is written as \(written)")
  }
  same(Token(rawValue: text)?.rawValue, "a token")
  same(LinePosition(text)?.description, "a position in a feed")
  if let position = LinePosition(text) {
    require(
      LinePosition(sequence: position.sequence, hash: position.hashBytes) == position,
      "a position of the same hash is another one")
  }
  same(attempt("id") { try ItemID(text) }?.rawValue, "an id")
  if let id = attempt("id", { try ItemID(text) }) {
    require((1...256).contains(id.rawValue.utf8.count), "an id has \(id.rawValue.utf8.count) bytes")
    require(!id.rawValue.utf8.contains(0), "an id has U+0000")
    _ = attempt("nested") { ListOwner.isNested(try ListID(text)) }
  }
  if let path = attempt("path", { try ValuePath(text) }) {
    let again = requireSuccess("a path that was written") { try ValuePath(path.text) }
    require(again == path, "a path is read otherwise when written: \(path.text)")
  }
  if let stamp = TimeStamp(Substring(text)) {
    guard let again = TimeStamp(Substring(stamp.text)) else {
      wrong("a time that was written is none: \(stamp.text)")
    }
    require(again == stamp, "a time is read otherwise when written: \(stamp.text)")
  }
  _ = SearchText(text)
  let quoted = requireSuccess("a shown text") { try JSON(parsing: JSONWriter.quoted(text)) }
  _ = attempt("gap") { try Gap(quoted) }
  _ = ShownText.quoted(text)
  _ = ShownText.token(text)
}
