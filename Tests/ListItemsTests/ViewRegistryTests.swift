import ListModel
import ListItems
import Testing

/// Stored names become views, whatever a store says.
@Suite struct ViewRegistryTests {
  private final class BookCell {}
  private final class OtherCell {}
  private final class Placeholder {}
  private final class Header {}

  private func registry() -> ViewRegistry {
    var views = ViewRegistry(
      fallback: .type(Placeholder.self), supplementaryFallback: .type(Header.self))
    views.register("BookCell", .type(BookCell.self))
    views.register("OtherCell", .nib(name: "Other", bundle: "org.example"))
    return views
  }

  private func type(_ resolution: ViewRegistry.Resolution) -> ObjectIdentifier? {
    guard case .type(let type) = resolution.registration.source else { return nil }
    return ObjectIdentifier(type)
  }

  @Test func theItemsCellComesBeforeTheSectionsTheTypesAndTheFallback() {
    var views = registry()
    views.register("SectionCell", .type(OtherCell.self))
    views.map("Book", to: "OtherCell")
    views.map(section: "ads", to: "SectionCell")
    views.map(section: "news", to: "gone too")
    #expect(type(views.cell("BookCell", section: "ads", type: "Book")) == .init(BookCell.self))
    #expect(type(views.cell("gone", section: "ads", type: "Book")) == .init(OtherCell.self))
    let ofType = views.cell("gone", section: "news", type: "Book")
    #expect(ofType.registration.reuseIdentifier == "OtherCell\0Other\0org.example")
    #expect(ofType.unresolvedName == nil)
    let unknown = views.cell("gone", section: "news", type: "Magazine")
    #expect(type(unknown) == .init(Placeholder.self))
    #expect(unknown.unresolvedName == "gone")
  }

  @Test func aSourceForOneKindOfViewComesBeforeTheOneForAll() throws {
    var views = registry()
    views.register("BookCell", .type(OtherCell.self), for: .tableView)
    views.register("RowCell", .type(OtherCell.self), for: .tableView)
    // Whichever is registered last.
    views.register("Title", kind: "header", .type(OtherCell.self), for: .tableView)
    views.register("Title", kind: "header", .type(Header.self))
    views.registerFallback(
      .type(BookCell.self), supplementary: .type(OtherCell.self), for: .tableView)
    try views.alias("OldCell", of: "RowCell")
    let (table, collection) = (views.sources(for: .tableView), views.sources(for: .collectionView))
    func types(_ resolution: (ViewRegistry) -> ViewRegistry.Resolution) -> [ObjectIdentifier?] {
      [table, collection].map { type(resolution($0)) }
    }
    #expect(types { $0.cell("BookCell") } == [.init(OtherCell.self), .init(BookCell.self)])
    #expect(types { $0.cell("OldCell") } == [.init(OtherCell.self), .init(Placeholder.self)])
    let titles = types { $0.supplementary("Title", kind: "header") }
    #expect(titles == [.init(OtherCell.self), .init(Header.self)])
    #expect(types { $0.cell("gone") } == [.init(BookCell.self), .init(Placeholder.self)])
    let unknown = types { $0.supplementary("gone", kind: "header") }
    #expect(unknown == [.init(OtherCell.self), .init(Header.self)])
    #expect(throws: ViewRegistryError.nameIsRegistered("RowCell")) {
      try views.alias("RowCell", of: "BookCell")
    }
  }

  @Test func aNameOfOneKindOfViewIsKnownAndUsed() {
    var views = ViewRegistry(fallback: .type(Placeholder.self))
    views.register("RowCell", .type(BookCell.self), for: .tableView)
    views.register("Spare", .type(BookCell.self), for: .tableView)
    views.register("AdCell", .type(BookCell.self))
    views.map(section: "ads", to: "AdCell")
    views.register("Title", kind: "header", .type(Header.self), for: .tableView)
    views.register("Dot", kind: "badge", .type(Header.self))
    let stored = StoredNames(
      cells: ["RowCell": 3, "gone": 1],
      views: ["header": ["Title": 1], .numbered("badge", 2): ["Dot": 1, "gone": 2]])
    #expect(
      views.unknownNames(in: stored)
        == StoredNames(cells: ["gone": 1], views: [.numbered("badge", 2): ["gone": 2]]))
    #expect(views.unusedNames(in: stored) == StoredNames(cells: ["Spare": 0]))
  }

  @Test func numberedViewsAreRegisteredUnderTheirKind() throws {
    var views = registry()
    views.register("Dot", kind: .numbered("badge", 4), .type(Header.self))
    try views.aliasKind("tag", of: "badge")
    let dot = views.supplementary("Dot", kind: "badge")
    #expect(dot.unresolvedName == nil)
    #expect(dot == views.supplementary("Dot", kind: "badge[2]"))
    #expect(dot == views.supplementary("Dot", kind: .numbered("tag", 7)))
    #expect(views.known("tag[7]") == .numbered("badge", 7))
    #expect(Supplementary.Kind.numbered("badge", 0) == "badge")
    // What only looks like a number is a name.
    for kind in ["badge[0]", "badge[02]", "badge[-1]", "badge[+2]", "[2]", "badge[2", "badge[]"] {
      #expect(views.known(Supplementary.Kind(stringLiteral: kind)).rawValue == kind)
    }
  }

  /// Seed 004 registers its fallback under one name and dequeues another; seed 001's is not
  /// registered at all.
  @Test func whatCanBeDequeuedIsWhatIsRegistered() {
    var views = registry()
    views.register("Title", kind: "header", .type(Header.self))
    let required = views.requiredRegistrations(kinds: ["badge"])
    #expect(Set(required).count == required.count)
    let asked = [
      views.cell("BookCell"), views.cell("OtherCell"), views.cell("gone"),
      views.supplementary("Title", kind: "header"), views.supplementary("gone", kind: "header"),
      views.supplementary("Title", kind: "badge"),
    ]
    for resolution in asked { #expect(required.contains(resolution.registration)) }
    #expect(required.count == asked.count)
    #expect(required == views.requiredRegistrations(kinds: ["badge"]))
  }

  @Test func aNameOfAnEarlierReleaseGoesOn() throws {
    var views = registry()
    try views.alias("ShelfCell", of: "BookCell")
    try views.alias("OldestCell", of: "ShelfCell")
    let old = views.cell("OldestCell")
    // One reuse queue for all names.
    #expect(old == views.cell("BookCell"))
    #expect(old.unresolvedName == nil)
    #expect(throws: ViewRegistryError.aliasesGoInCircles("ShelfCell")) {
      try views.alias("ShelfCell", of: "OldestCell")
    }
    #expect(throws: ViewRegistryError.aliasesGoInCircles("x")) { try views.alias("x", of: "x") }
    #expect(throws: ViewRegistryError.nameIsRegistered("BookCell")) {
      try views.alias("BookCell", of: "OtherCell")
    }
    // A name that comes back into use is no alias any more.
    views.register("ShelfCell", .type(OtherCell.self))
    #expect(type(views.cell("ShelfCell")) == .init(OtherCell.self))
    #expect(type(views.cell("OldestCell")) == .init(OtherCell.self))
  }

  /// A layout's author renamed a kind once, and stored kinds were orphans.
  @Test func aKindOfAnEarlierReleaseGoesOn() throws {
    var views = registry()
    views.register("Title", kind: "header", .type(Header.self))
    try views.aliasKind("CHTCollectionElementKindSectionHeader", of: "header")
    let old = views.supplementary("Title", kind: "CHTCollectionElementKindSectionHeader")
    #expect(old == views.supplementary("Title", kind: "header"))
    #expect(old.registration.role == .supplementary(kind: "header"))
    #expect(throws: ViewRegistryError.nameIsRegistered("header")) {
      try views.aliasKind("header", of: "footer")
    }
    #expect(throws: ViewRegistryError.aliasesGoInCircles("a")) { try views.aliasKind("a", of: "a") }
  }

  /// LWZ's register keeps cells and headers in one set: the second one is never registered.
  @Test func aNameThatIsACellAndAHeaderIsRegisteredForBoth() {
    var views = registry()
    views.register("BookCell", kind: "header", .type(BookCell.self))
    var ledger = RegistrationLedger()
    let cell = views.cell("BookCell").registration
    let header = views.supplementary("BookCell", kind: "header").registration
    let isNew = [cell, header, cell].map { ledger.add($0) }
    #expect(isNew == [true, true, false])
    ledger.reset()
    let isNewAgain = ledger.add(cell)
    #expect(isNewAgain)
  }

  /// LWZ can't have two nibs for one class.
  @Test func aReuseIdentifierTellsNibsApartAndStaysTheSame() {
    func identifier(_ source: ViewSource) -> String {
      var views = ViewRegistry(fallback: .type(Placeholder.self))
      views.register("Cell", source)
      return views.cell("Cell").registration.reuseIdentifier
    }
    #expect(identifier(.type(BookCell.self)) == "Cell")
    #expect(identifier(.nib(name: "Wide")) == "Cell\0Wide")
    #expect(identifier(.nib(name: "Wide", bundle: "org.example")) == "Cell\0Wide\0org.example")
  }

  @Test func anUnknownNameIsReportedOnce() {
    let views = registry()
    var ledger = RegistrationLedger()
    let asked = [
      views.cell("gone"), views.cell("gone"), views.cell("gone too"),
      views.supplementary("gone", kind: "header"), views.cell("BookCell"),
    ]
    let isReported = asked.map { ledger.addUnresolved($0) }
    #expect(isReported == [true, false, true, true, false])
  }
}
