import Foundation
import ListItems
import ListModel

/// JSON: all ways to read it agree, what is written is read again as the same value, and Foundation
/// reads the same.
func fuzzJSON(_ bytes: [UInt8]) {
  let isAccepted = bytes.withUnsafeBytes { JSON.accepts($0) }
  let value: JSON
  do throws(FormatError) {
    value = try bytes.withUnsafeBytes { raw -> Result<JSON, FormatError> in
      Result { () throws(FormatError) in try JSON(parsing: raw) }
    }.get()
  } catch {
    require(!isAccepted, "accepted by one reader, and refused by another: \(error)")
    let isDeep = error.isBeyondLimit
    require(isDeep || isFoundationsAlone(bytes), "Foundation reads it, and it is refused: \(error)")
    return
  }
  require(isAccepted, "refused by one reader, and accepted by another")
  let again = requireSuccess("what was written is no JSON") { try JSON(parsing: value.text) }
  require(again == value, "written otherwise the second time: \(again) after \(value)")
  require(value.isEquivalent(to: again), "not equivalent to itself: \(value)")
  if let theirs = foundationValue(bytes) {
    require(
      theirs == foundationValue(Array(value.text.utf8)), "means something else as \(value)")
  }
  let node = requireSuccess("a node") { try JSONNode(parsing: bytes) }
  require(node.value() == value, "a node reads something else: \(node.value())")
  var writer = JSONWriter()
  if write(node, to: &writer) {
    let copy = requireSuccess("a copy") { try JSON(parsing: writer.take()) }
    require(value.isEquivalent(to: copy), "a copy part by part is another value: \(copy)")
  }
  checkMembers(of: value)
}

/// Writes a value anew, part by part.
///
/// - Returns: `false` if the name of a member is no text, such as half a surrogate pair.
private func write(_ node: JSONNode, to writer: inout JSONWriter) -> Bool {
  var isText = true
  switch node.kind {
  case .object:
    let members = requireSuccess("members") { try node.object().members }
    writer.object { writer in
      for member in members {
        let name = try? member.name.string()
        if name == nil { isText = false }
        writer.member(name ?? "") { isText = write(member.value, to: &$0) && isText }
      }
    }
  case .array:
    let elements = requireSuccess("elements") { try node.elements() }
    require(elements.count() == Array(elements).count, "elements are counted otherwise")
    writer.array(Array(elements)) { isText = write($1, to: &$0) && isText }
  case .string: write(string: node, to: &writer)
  case .number:
    if let integer = try? node.integer() {
      let written = requireSuccess("an integer") { try JSON(parsing: String(integer)) }
      require(written.isEquivalent(to: node.value()), "\(node.value()) is read as \(integer)")
    }
    _ = try? node.double()
    writer.value(node.value())
  case .bool, .null: writer.value(node.value())
  }
  return isText
}

private func write(string node: JSONNode, to writer: inout JSONWriter) {
  guard let text = try? node.string() else { return writer.value(node.value()) }
  writer.value(text)
  let again = requireSuccess("a text") {
    try JSONNode(parsing: JSONWriter.quotedUTF8(text)).string()
  }
  require(Array(again.utf8) == Array(text.utf8), "a text is read otherwise when written")
}

/// Changes members of an object and changes them back.
private func checkMembers(of value: JSON) {
  guard let node = try? JSONNode(parsing: Array(value.text.utf8)) else { return }
  if node.kind == .array {
    let elements = requireSuccess("elements") { try value.elements() }
    var copy = value
    var count = 0
    requireSuccess("elements") { try copy.updateElements { _ in count += 1 } }
    require(count == elements.count, "other elements are updated")
    require(copy.isEquivalent(to: value), "elements that stay are others: \(copy)")
  }
  guard node.kind == .object else { return }
  let members = requireSuccess("members") { try node.object().members }
  let names = members.map { try? $0.name.string() }
  // Of members with one name, and of names that are no text, any may count.
  guard !names.contains(nil), Set(names.map { Array(($0 ?? "").utf8) }).count == names.count else {
    _ = attempt("member") { try value.member("a") }
    return
  }
  for name in names.compactMap(\.self).prefix(4) {
    guard let member = requireSuccess("member", { try value.member(name) }) else {
      wrong("the member \(name) is not found in \(value)")
    }
    var copy = value
    requireSuccess("set") { try copy.set(name, to: member) }
    require(copy.isEquivalent(to: value), "a member set to what it is makes \(copy)")
    let removed = requireSuccess("remove") { try copy.remove(name) }
    require(removed?.isEquivalent(to: member) == true, "another member was removed")
    requireSuccess("set") { try copy.set(name, to: member) }
    require(copy.isEquivalent(to: value), "a member removed and set makes \(copy)")
  }
}

// MARK: Foundation

private func foundationValue(_ bytes: [UInt8]) -> NSObject? {
  let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  return value.map { [$0] as NSArray }
}

/// Whether Foundation refuses it as well, or is known to be more lenient.
private func isFoundationsAlone(_ bytes: [UInt8]) -> Bool {
  if foundationValue(bytes) == nil || bytes.contains(0) { return true }
  if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return true }
  // A comma before a closing bracket.
  let tight = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  return zip(tight, tight.dropFirst()).contains {
    $0 == UInt8(ascii: ",") && ($1 == UInt8(ascii: "]") || $1 == UInt8(ascii: "}"))
  }
}
