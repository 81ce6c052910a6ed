import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// Controls in headers and footers.
@Suite @MainActor struct HeaderEventTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  @MainActor private protocol MoreView: AnyObject {
    var title: String { get set }
    var onMore: (() -> Void)? { get set }
  }

  private final class MoreHeader: UICollectionReusableView, MoreView {
    var title = ""
    var onMore: (() -> Void)?
  }

  private final class MoreRow: UITableViewHeaderFooterView, MoreView {
    var title = ""
    var onMore: (() -> Void)?
  }

  private struct Heading: ListSupplementary {
    var title: String
    static var viewName: ViewName { "Heading" }
    static var source: ViewSource? { nil }
    func configure(_ view: any MoreView) { view.title = title }
    func size(fitting room: Supplementary.Room) -> Size? {
      Size(width: room.length, height: 30)
    }
    func bind(_ view: any MoreView, send: @escaping @MainActor (ControlEvent) -> Void) {
      #expect(view.onMore == nil)
      view.onMore = { send(ControlEvent("more", value: title)) }
    }
    func unbind(_ view: any MoreView) {
      #expect(view.onMore != nil)
      view.onMore = nil
    }
  }

  /// Another type that the same class shows.
  private struct Note: ListSupplementary {
    var text: String
    static var viewName: ViewName { "Note" }
    static var source: ViewSource? { nil }
    func configure(_ view: any MoreView) { view.title = "note: \(text)" }
    func size(fitting room: Supplementary.Room) -> Size? {
      Size(width: room.length, height: 30)
    }
  }

  private func screen(_ kind: ScreenKind, _ list: LiveList) throws -> Screen {
    var collections = ViewRegistry(
      fallback: .type(UICollectionViewCell.self),
      supplementaryFallback: .type(UICollectionReusableView.self))
    collections.register([Book.self])
    var tables = Screen.tableViews
    for kind in [.header, .footer] as [Supplementary.Kind] {
      for name in ["Heading", "Note"] as [ViewName] {
        collections.register(name, kind: kind, .type(MoreHeader.self))
        tables.register(name, kind: kind, .type(MoreRow.self))
      }
    }
    let screen = try Screen(
      kind, showing: list, collectionViews: collections, tableViews: tables)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    return screen
  }

  private func list(_ sections: Int) throws -> LiveList {
    let list = bookcase.repository.liveList(
      "shelf", items: [Book.self], supplementaries: [Heading.self, Note.self])
    try list.replace {
      for index in 0..<sections {
        ListSection(
          try SectionID("s\(index)"), layout: SectionLayout(kind: .list),
          header: try Supplementary(Heading(title: "Title \(index)")),
          footer: try Supplementary(Note(text: "\(index)"))
        ) {
          for item in 0..<5 { Book(id: "s\(index)b\(item)") }
        }
      }
    }
    return list
  }

  private func view(_ screen: Screen, _ kind: Supplementary.Kind, _ section: Int) -> (any MoreView)?
  {
    let isHeader = kind == .header
    let element =
      isHeader
      ? UICollectionView.elementKindSectionHeader : UICollectionView.elementKindSectionFooter
    let row =
      isHeader
      ? screen.table?.headerView(forSection: section)
      : screen.table?.footerView(forSection: section)
    return screen.collection?.supplementaryView(
      forElementKind: element, at: IndexPath(item: 0, section: section)) as? any MoreView
      ?? row as? any MoreView
  }

  @Test(
    "0.15: a button in a header reaches the handlers of the header's type",
    arguments: ScreenKind.allCases)
  func headersSendEvents(_ kind: ScreenKind) throws {
    let list = try list(12)
    let screen = try screen(kind, list)
    var events: [String] = []
    screen.adapter.handlers.on(.control("more"), of: Heading.self) { heading, context in
      let value = context.value as? String ?? "-"
      events.append("\(context.list) \(context.section) \(context.kind) \(heading.title) \(value)")
    }
    screen.adapter.handlers.on(.control("more"), of: Note.self) { _, _ in events.append("note") }
    let first = try #require(view(screen, .header, 0))
    first.onMore?()
    #expect(events == ["shelf s0 header Title 0 Title 0"])
    // A header that changes in place is bound anew.
    try list.edit { list throws in
      try list.updateSection("s0") { $0.header = try Supplementary(Heading(title: "New")) }
    }
    try screen.settle()
    #expect(view(screen, .header, 0) === first)
    first.onMore?()
    #expect(events.last == "shelf s0 header New New")
    // It goes along with its section.
    try list.edit { try $0.moveSection("s0", to: .index(1)) }
    try screen.settle()
    view(screen, .header, 1)?.onMore?()
    #expect(events.last == "shelf s0 header New New")
    screen.scroll(to: 1)
    view(screen, .header, 11)?.onMore?()
    #expect(events.last == "shelf s11 header Title 11 Title 11")
    screen.scroll(to: 0)
    view(screen, .header, 1)?.onMore?()
    #expect(events.count == 5)
    let bindings = screen.supplementaryBindings
    #expect(bindings.bound - bindings.unbound == bindings.shown)
    #expect(bindings.shown == screen.headers.onDisplay)
    try list.edit { try $0.deleteAllSections() }
    try screen.settle()
    #expect(screen.supplementaryBindings.shown == 0)
    #expect(first.onMore == nil)
  }

  @Test(
    "0.15: types that share a class of view tell themselves apart by their view names",
    arguments: ScreenKind.allCases)
  func twoTypesOneView(_ kind: ScreenKind) throws {
    let list = try list(2)
    let screen = try screen(kind, list)
    #expect(view(screen, .header, 0)?.title == "Title 0")
    #expect(view(screen, .footer, 0)?.title == "note: 0")
    try list.edit { list throws in
      try list.updateSection("s0") { $0.header = try Supplementary(Note(text: "x")) }
    }
    try screen.settle()
    #expect(view(screen, .header, 0)?.title == "note: x")
  }

  @Test("0.15: a type of headers that has another name now shows those of the last release")
  func renamedHeaders() throws {
    _ = try list(1)
    struct Renamed: ListSupplementary {
      var title: String
      static var aliases: [ViewName] { ["Heading"] }
      func configure(_ view: HeaderView) { view.title = title }
      func size(fitting room: Supplementary.Room) -> Size? {
        Size(width: room.length, height: 30)
      }
    }
    struct Footer: ListSupplementary {
      var title: String
      static var viewName: ViewName { "Footer" }
      static var aliases: [ViewName] { ["Note"] }
      func configure(_ view: HeaderView) { view.title = title }
    }
    let list = bookcase.repository.liveList(
      "shelf", items: [Book.self], supplementaries: [Renamed.self, Footer.self])
    let screen = try Screen(.placed, showing: list)
    var problems: [String] = []
    screen.adapter.onProblem = { problems.append("\($0)") }
    screen.layOut()
    #expect((screen.header(inSection: 0) as? HeaderView)?.title == "Title 0")
    #expect(screen.frame(of: "s0b0")?.minY == 30)
    // A footer's content has no title: that is said, and nothing wrong is shown.
    #expect(!problems.isEmpty)
    #expect(problems.allSatisfy { $0.contains("Note") })
  }

  private final class AppDelegate: NSObject, UICollectionViewDelegate, UITableViewDelegate {
    var shown = 0, gone = 0
    func collectionView(
      _ collectionView: UICollectionView,
      willDisplaySupplementaryView view: UICollectionReusableView, forElementKind: String,
      at indexPath: IndexPath
    ) { shown += 1 }
    func collectionView(
      _ collectionView: UICollectionView,
      didEndDisplayingSupplementaryView view: UICollectionReusableView, forElementOfKind: String,
      at indexPath: IndexPath
    ) { gone += 1 }
    func tableView(
      _ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int
    ) { shown += 1 }
    func tableView(
      _ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int
    ) { shown += 1 }
    func tableView(
      _ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int
    ) { gone += 1 }
    func tableView(
      _ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int
    ) { gone += 1 }
  }

  @Test(
    "0.15: the app's delegate is told of headers and footers, too", arguments: ScreenKind.allCases)
  func delegatesAreTold(_ kind: ScreenKind) throws {
    let screen = try screen(kind, try list(0))
    let delegate = AppDelegate()
    (screen.adapter as? CollectionAdapter)?.delegate = delegate
    (screen.adapter as? TableAdapter)?.delegate = delegate
    var seen: [String] = []
    screen.adapter.handlers.on(.willDisplay, of: Heading.self) {
      seen.append("\($0.title) \($1.kind)")
    }
    _ = try list(12)
    try screen.settle()
    #expect(seen.prefix(2) == ["Title 0 header", "Title 1 header"])
    #expect(seen.count < 12)
    #expect(delegate.shown == screen.headers.displayed)
    screen.scroll(to: 1)
    #expect(delegate.gone > 0)
    #expect(delegate.shown - delegate.gone == screen.headers.onDisplay)
  }
}
