import ListLayout
import ListModel
import ListStore
import ListTables
import Providers
import StoreFiles

/// Reads a list for a page, as much of it as fits into a number of bytes.
///
/// Items come first, then contents and commits, the newest first; each may take what the others
/// leave.
struct ListReader {
  var list: ReportedList
  private(set) var findings: [Finding] = []
  let content: Inspection.ContentDetail
  /// How many bytes are left.
  private(set) var room: Int
  private let head: Provider
  /// The items whose contents were read.
  private var contentCount = 0

  // The numbers of what has one.
  private var cells: [CellName: Int] = [:]
  private var authors: [String: Int] = [:]
  private var texts: [[UInt8]: Int] = [:]
  private var kinds: [[Int]: Int] = [:]
  private var sizes: [[Double]: Int] = [:]
  private(set) var sections: [SectionID: Int] = [:]
  private(set) var items: [ItemID: Int] = [:]

  // The list as it was before the commit that was read last.
  var order: [Int] = []
  var sectionTexts: [Int] = []
  var itemStates: [Int] = []

  /// Contents of more bytes are cut to as many characters.
  private static let longestContent = 2_000
  /// The most bytes that an item takes besides its id: numbers, and a size that no other one has.
  private static let itemByteCount = 96

  /// Reads the newest revision of a list.
  ///
  /// - Parameters:
  ///   - id: The list.
  ///   - repository: The store.
  ///   - room: How many bytes of JSON the list may take.
  ///   - logByteCount: About how many bytes its log needs.
  ///   - sizes: The sizes of the store.
  ///   - content: How much of contents is shown.
  /// - Throws: If the list can't be read.
  init(
    _ id: ListID, in repository: Repository, room: Int, logByteCount: Int, _ sizes: StoreSizes,
    _ content: Inspection.ContentDetail
  ) throws {
    head = try repository.provider(for: id)
    let view = DrawingView(head, sizes)
    list = ReportedList(list: id.rawValue, revision: head.revision, view: view.value)
    (self.room, self.content) = (room, content)
    do throws(StoreError) {
      list.owner = try repository.owner(of: id).map {
        .init(list: $0.list.rawValue, item: $0.item.rawValue, name: $0.name.rawValue)
      }
    } catch { note("its owner", error) }
    list.itemCount = head.numberOfItems
    list.meta = number(of: head.meta)
    readItems(view)
    readContents(leaving: min(logByteCount, self.room / 2))
  }

  private mutating func readItems(_ view: DrawingView) {
    for index in 0..<head.numberOfSections where list.cut == nil {
      let attributes = head.attributes(ofSection: index) ?? SectionAttributes()
      let metrics = SectionMetrics(ofReported: attributes.layout)
      let (key, first) = (view.key(metrics), list.items.count)
      for item in 0..<head.numberOfItems(inSection: index) {
        let path = ItemPath(section: index, item: item)
        let id = head.itemID(at: path)
        guard take(Self.byteCount(of: id?.rawValue ?? "") + Self.itemByteCount) else {
          list.cut = "the page has room for these only"
          break
        }
        if let id { items[id] = list.items.count }
        list.items.append(id?.rawValue ?? "")
        let state = head.cell(at: path)
        list.states.append(kind(state?.cell, state?.contentRevision ?? 0))
        list.itemSizes.append(number(ofSize: head.size(at: path, for: key)))
        list.contents.append(nil)
        if state?.cell == Gap.cell, let gap = head.item(at: path)?.state {
          setGap(of: list.states.count - 1, gap)
        }
        itemStates.append(itemStates.count)
        room +=
          Self.itemByteCount - "\(list.states.last ?? 0),\(list.itemSizes.last ?? 0),null,".count
      }
      let section = number(of: head.sectionID(at: index), number(of: attributes))
      let views = [Supplementary.Kind.header, .footer].map { kind in
        attributes[kind] == nil
          ? -1
          : number(
            ofSize: head.size(of: kind, inSection: index, for: view.key(of: kind, metrics)))
      }
      list.head.append([section, sectionTexts[section], list.items.count - first] + views)
      order.append(section)
    }
  }

  /// Reads the contents of the next items until only some bytes are left.
  mutating func readContents(leaving bytes: Int = 0) {
    if content == .none { return }
    var first = 0
    for (section, parts) in list.head.enumerated() {
      let next = max(0, contentCount - first)
      for item in next..<max(next, parts[2]) {
        guard room > bytes else { return }
        let path = ItemPath(section: section, item: item)
        if let state = head.item(at: path)?.state { setContent(of: contentCount, state) }
        contentCount += 1
      }
      first += parts[2]
    }
  }

  /// Reads the contents that there is room for now, and notes what could not be read.
  mutating func finish() {
    readContents()
    guard head.failedReadCount > 0 else { return }
    note(nil, Unreadable("\(Shown.count(head.failedReadCount, "part")) can't be read"))
  }

  /// Notes that a part of the list can't be read.
  mutating func note(_ part: String?, _ error: any Error) {
    let place = "list \"\(list.list)\"" + (part.map { ": " + $0 } ?? "")
    findings.append(.unreadable(place, error))
  }

  struct Unreadable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  // MARK: Numbers

  /// Takes some bytes; returns `false` if there is no room for them.
  mutating func take(_ byteCount: Int) -> Bool {
    if byteCount > room { return false }
    room -= byteCount
    return true
  }

  /// How many bytes a string takes in the page's JSON, with its quotes and a comma.
  static func byteCount(of string: String) -> Int {
    if string.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C && $0 != 0x3C }) {
      return string.utf8.count + 3
    }
    return ReportPage.escaped(JSONWriter.quoted(string)).utf8.count + 1
  }

  private mutating func kind(_ cell: CellName?, _ contentRevision: Int) -> Int {
    let cell = cell ?? "?"
    let number = cells[cell] ?? list.cells.count
    if number == list.cells.count {
      cells[cell] = number
      list.cells.append(cell.rawValue)
      room -= Self.byteCount(of: cell.rawValue)
    }
    let kind = [number, contentRevision]
    if let known = kinds[kind] { return known }
    kinds[kind] = list.kinds.count
    list.kinds.append(kind)
    room -= 16
    return list.kinds.count - 1
  }

  /// The number of a size; -1 for none.
  private mutating func number(ofSize answer: SizeAnswer) -> Int {
    let size: [Double]
    switch answer {
    case .exact(let exact): size = [exact.width, exact.height, -1]
    case .estimate(let estimate, let why):
      let reason = SizeAnswer.EstimateReason.allCases.firstIndex(of: why) ?? 0
      size = [estimate.width, estimate.height, Double(reason)]
    case .missing: return -1
    }
    guard size.allSatisfy(\.isFinite) else { return -1 }
    if let number = sizes[size] { return number }
    sizes[size] = list.sizes.count
    list.sizes.append(size)
    room -= "[\(size[0]),\(size[1]),-1],".count
    return list.sizes.count - 1
  }

  mutating func number(ofAuthor author: String) -> Int {
    if let number = authors[author] { return number }
    authors[author] = list.authors.count
    list.authors.append(author)
    room -= Self.byteCount(of: author)
    return list.authors.count - 1
  }

  private mutating func number(ofText text: String) -> Int {
    let key = Array(text.utf8)
    if let number = texts[key] { return number }
    texts[key] = list.texts.count
    list.texts.append(text)
    room -= Self.byteCount(of: text)
    return list.texts.count - 1
  }

  /// The number of the list's own data; -1 for none.
  mutating func number(of meta: JSON?) -> Int {
    meta.map { number(ofText: shown($0).text) } ?? -1
  }

  /// The number of the attributes of a section.
  mutating func number(of attributes: SectionAttributes) -> Int {
    var shown = attributes
    for kind in attributes.supplementaryKinds {
      shown[kind] = attributes[kind].map {
        Supplementary(view: $0.view, content: self.shown($0.content))
      }
    }
    for index in shown.decorations.indices {
      shown.decorations[index].content = self.shown(shown.decorations[index].content)
    }
    shown.meta = shown.meta.map { self.shown($0) }
    return number(ofText: JSONWriter.object { shown.writeMembers(to: &$0) })
  }

  /// The number of a section; a new one has the attributes of a text.
  mutating func number(of section: SectionID?, _ text: Int) -> Int {
    if let section, let number = sections[section] { return number }
    if let section { sections[section] = list.sections.count }
    list.sections.append(section?.rawValue ?? "")
    sectionTexts.append(text)
    room -= Self.byteCount(of: section?.rawValue ?? "") + 8
    return list.sections.count - 1
  }

  /// The number of an item that is in no later revision.
  mutating func number(ofNew item: ItemID, _ state: Int) -> Int {
    items[item] = list.items.count
    list.items.append(item.rawValue)
    list.lastStates.append(state)
    itemStates.append(state)
    room -= Self.byteCount(of: item.rawValue) + 8
    return list.items.count - 1
  }

  /// The number of a new state.
  mutating func number(of state: ItemState) -> Int {
    list.states.append(kind(state.cell, state.contentRevision))
    list.contents.append(nil)
    setContent(of: list.states.count - 1, state)
    setGap(of: list.states.count - 1, state)
    room -= 9
    return list.states.count - 1
  }

  /// Whether a state is the one of a number, as far as the page has both.
  mutating func isState(_ number: Int, _ state: ItemState) -> Bool {
    list.states[number] == kind(state.cell, state.contentRevision)
      && list.contents[number].map { Array($0.utf8) }
        == shownText(state.content).map { Array($0.utf8) }
      && list.details["\(number)"] == details(of: state)
  }

  // MARK: Contents

  private mutating func setContent(of number: Int, _ state: ItemState) {
    guard let text = shownText(state.content) else { return }
    list.contents[number] = text
    room -= Self.byteCount(of: text)
    guard let details = details(of: state) else { return }
    list.details["\(number)"] = details
    room -= Self.byteCount(of: details) + 10
  }

  private mutating func setGap(of number: Int, _ state: ItemState) {
    guard
      let gap = Inspection.GapFacts(
        cell: state.cell.rawValue, content: state.content.text, content)
    else { return }
    list.gaps["\(number)"] = gap
    for cursor in [gap.after, gap.before] { room -= 80 + Self.byteCount(of: cursor?.text ?? "") }
  }

  /// The type and the action of a state, if they are shown.
  func details(of state: ItemState) -> String? {
    guard content == .full, state.type != nil || state.action != nil else { return nil }
    return Self.cut(
      JSONWriter.object { writer in
        if let type = state.type { writer.member("type", type.rawValue) }
        if let action = state.action { writer.member("action") { action.write(to: &$0) } }
      })
  }

  /// The text of a content, as it is or instead of it.
  func shownText(_ content: JSON) -> String? {
    guard let facts = Inspection.ContentFacts(content.text, self.content) else { return nil }
    return facts.text.map(Self.cut) ?? "\(facts.byteCount) \(facts.hash)"
  }

  /// A content as it is, or a string instead of it.
  private func shown(_ content: JSON) -> JSON {
    guard let text = shownText(content) else { return .null }
    return text.utf8.count == content.text.utf8.count && self.content == .full
      ? content : JSON(minified: JSONWriter.quoted(text))
  }

  private static func cut(_ text: String) -> String {
    text.utf8.count <= longestContent
      ? text : Shown.cut(text, to: longestContent) + " (\(text.utf8.count) bytes)"
  }
}
