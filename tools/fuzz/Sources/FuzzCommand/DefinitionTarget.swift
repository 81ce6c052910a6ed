import DerivedLists
import ListModel

/// Definitions of derived lists: read again they mean the same, and the ways to ask whether an item is in
/// a list, and where, agree.
///
/// The first line is a definition, each other one the content of an item.
func fuzzDefinitions(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  guard let first = lines.first,
    let definition = attempt("definition", { try DerivedDefinition(parsing: Array(first)) })
  else { return }
  let again = requireSuccess("a definition that was kept") {
    try DerivedDefinition(parsing: Array(definition.json.text.utf8))
  }
  require(again.json == definition.json, "a definition is kept otherwise: \(again.json)")
  let contents = lines.dropFirst().prefix(16).compactMap { line in
    attempt("content") { try JSON(parsing: String(decoding: line, as: UTF8.self)) }
  }
  let items = Items(contents, definition)
  var keys: [(value: ValueKey?, keys: [ValueKey])] = []
  for index in contents.indices {
    let subject = items.subject(index)
    let isIncluded = definition.includes(subject)
    require(again.includes(subject) == isIncluded, "read again it leaves out other items")
    items.withStored(index) { stored in
      require(
        definition.conditions.hold(for: stored) == isIncluded || !items.areStored,
        "a stored item is in the list and not as a value: \(contents[index])")
      guard items.areStored else { return }
      require(
        definition.sortKeys(of: stored) == definition.sortKeys(of: subject),
        "a stored item has other keys: \(contents[index])")
    }
    keys.append(
      (definition.sectionPath.map { subject.key(at: $0) }, definition.sortKeys(of: subject)))
    if let value = keys[index].value { check(section: value, of: definition) }
  }
  items.checkColumns()
  for lhs in keys {
    for rhs in keys { for (left, right) in zip(lhs.keys, rhs.keys) { checkOrder(left, right) } }
  }
}

/// One order of two keys holds, whoever asks.
private func checkOrder(_ left: ValueKey, _ right: ValueKey) {
  let isLess = left < right
  require(!(isLess && right < left), "two keys are each less than the other")
  require((left == right) == (!isLess && !(right < left)), "two keys are equal, and one is less")
  let sign = left.bytes.withUnsafeBytes { left in
    right.bytes.withUnsafeBytes { left.compare(to: $0) }
  }
  require(isLess == (sign < 0) && (left == right) == (sign == 0), "keys compare otherwise by bytes")
}

/// A section of values has an id, and its value is written as JSON.
private func check(section value: ValueKey, of definition: DerivedDefinition) {
  let id = value.sectionID { String(repeating: "0", count: $0.isEmpty ? 16 : 16) }
  require((1...256).contains(id.rawValue.utf8.count), "a section's id has too many bytes")
  _ = requireSuccess("a header's content \(value.json)") { try JSON(parsing: value.json) }
  _ = definition.attributes(ofSectionWith: value)
}

/// Items of a source.
private struct Items {
  let contents: [JSON]
  let definition: DerivedDefinition
  let searcher = Searcher(PlainWords())
  private let type = Array("T".utf8)

  init(_ contents: [JSON], _ definition: DerivedDefinition) {
    self.contents = contents
    self.definition = definition
  }

  /// Whether all that the definition reads is in a stored item.
  var areStored: Bool { definition.paths.allSatisfy(\.isStored) }

  func subject(_ index: Int) -> Subject {
    Subject(
      id: ItemID(stringLiteral: "i\(index)"),
      state: ItemState(cell: "C", content: contents[index], type: "T"), section: "s", searcher)
  }

  func withStored(_ index: Int, _ body: (StoredItem) -> Void) {
    Array(contents[index].text.utf8).withUnsafeBytes { content in
      type.withUnsafeBytes { type in
        var item = StoredItem(searcher)
        item.section = "s"
        item.cell = "C"
        item.type = type
        item.content = StoredJSON(content)
        body(item)
      }
    }
  }

  /// Asks columns of keys instead of the items.
  func checkColumns() {
    guard areStored, definition.searches.isEmpty else { return }
    var columns: [ValuePath: KeyColumn] = [:]
    for path in definition.paths where path != .rank {
      var column = KeyColumn(count: contents.count)
      for index in contents.indices { withStored(index) { column.append($0, at: path) } }
      guard column.isUsable else { return }
      for index in contents.indices {
        require(column[index] == subject(index).key(at: path), "a column has another key")
      }
      columns[path] = column
    }
    let answers = definition.conditions.answers(contents.count, in: columns)
    for index in contents.indices {
      require(
        answers[index] == definition.includes(subject(index)), "columns leave out another item")
    }
  }
}

/// Words of small letters and digits; capitals count as small ones.
private final class PlainWords: WordBreaker {
  func append(wordsOf utf8: UnsafeBufferPointer<UInt8>, to words: inout Words) {
    var word: [UInt8] = []
    for byte in Array(utf8) + [0x20] {
      switch byte {
      case 0x41...0x5A: word.append(byte + 0x20)
      case 0x30...0x39, 0x61...0x7A, 0x80...: word.append(byte)
      default:
        if !word.isEmpty { word.withUnsafeBufferPointer { words.append($0) } }
        word = []
      }
    }
  }
}
