import CellarUIKit
import Foundation
import HeadlessUIKit
import ListModel
import ListItems
import ListStore
import ListSync
import ScreenSupport
import Testing

/// An item of any fields that are texts or numbers, for lists that others wrote.
struct Row: ListItem {
  var id: String
  var fields: [String: String]

  static var aliases: [TypeName] { ["Book", "Film"] }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: Key(stringValue: "id"))
    fields = [:]
    for key in container.allKeys where key.stringValue != "id" {
      fields[key.stringValue] =
        try (try? container.decode(String.self, forKey: key))
        ?? String(container.decode(Int.self, forKey: key))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in fields { try container.encode(value, forKey: Key(stringValue: name)) }
  }

  static let cellNames: [CellName] = [
    "SwiftCell", "FileCell", "DocCell", "HeaderCell", "ReleaseCell", "DraftCell", "ArchiveCell",
    "PlainCell", "WideCell", "TallCell",
  ]
  static var cells: [CellName: ViewSource] {
    Dictionary(uniqueKeysWithValues: cellNames.map { ($0, .type(RowCell.self)) })
  }
  var cellName: CellName { "PlainCell" }

  /// What tells one content from another.
  var version: Int {
    fields.sorted { $0.key < $1.key }.reduce(7) { version, field in
      "\(field.key)=\(field.value)".utf8.reduce(version) { ($0 &* 31 &+ Int($1)) & 0xFF_FFFF }
    }
  }

  func configure(_ cell: any RowView) { cell.row = self }

  func size(fitting room: Item.Room) -> Size? {
    Size(width: min(room.length, 150), height: 24 + Double(version % 50))
  }
}

@MainActor protocol RowView: AnyObject, HeadlessProbe {
  var row: Row? { get set }
}

extension RowView {
  var headlessContent: HeadlessContent? {
    row.map { HeadlessContent(identity: $0.id, version: $0.version) }
  }
}

final class RowCell: UICollectionViewCell, RowView, ControlEventSource {
  var row: Row?
  var onControlEvent: (@MainActor (ControlEvent) -> Void)?
}

final class TableRowCell: UITableViewCell, RowView, ControlEventSource {
  var row: Row?
  var onControlEvent: (@MainActor (ControlEvent) -> Void)?
}

/// A header or a footer of any content.
struct AnyHeader: ListSupplementary {
  var title: String?
  var n: Int?
  static var viewName: ViewName { "FolderHeader" }
  static var source: ViewSource? { .type(HeaderView.self) }
  func configure(_ view: any TitleView) { view.title = title ?? n.map { "\($0)" } }
  func size(fitting room: Supplementary.Room) -> Size? {
    Size(width: room.length, height: 24 + Double(n ?? title?.count ?? 0))
  }
}

struct TitleHeader: ListSupplementary {
  var title: String
  static var viewName: ViewName { "TitleHeader" }
  static var source: ViewSource? { .type(HeaderView.self) }
  func configure(_ view: any TitleView) { view.title = title }
}

struct NumberHeader: ListSupplementary {
  var n: Int
  static var viewName: ViewName { "Header" }
  static var source: ViewSource? { .type(HeaderView.self) }
  func configure(_ view: any TitleView) { view.title = "\(n)" }
  func size(fitting room: Supplementary.Room) -> Size? {
    Size(width: room.length, height: 24 + Double(n))
  }
}

struct NumberFooter: ListSupplementary {
  var n: Int
  static var viewName: ViewName { "Footer" }
  static var source: ViewSource? { .type(TallHeaderView.self) }
  func configure(_ view: any TitleView) { view.title = "\(n)" }
}

extension ItemTypes {
  /// What reads every item of the histories and of random changes.
  static var rows: ItemTypes { [Row.self] }
}

extension SupplementaryTypes {
  static var ofRows: SupplementaryTypes {
    SupplementaryTypes([AnyHeader.self, TitleHeader.self, NumberHeader.self, NumberFooter.self])
  }
}

@MainActor extension ViewRegistry {
  static var rowsInCollections: ViewRegistry {
    var views = ViewRegistry(
      fallback: .type(UICollectionViewCell.self),
      supplementaryFallback: .type(UICollectionReusableView.self))
    views.register([Row.self])
    views.register(SupplementaryTypes.ofRows.all)
    for name in ["Card", "Line"] as [ViewName] {
      views.register(name, kind: decorationKind, .type(UICollectionReusableView.self))
    }
    return views
  }

  static var rowsInTables: ViewRegistry {
    var views = ViewRegistry(
      fallback: .type(UITableViewCell.self),
      supplementaryFallback: .type(UITableViewHeaderFooterView.self))
    for name in Row.cellNames { views.register(name, .type(TableRowCell.self)) }
    for name in ["FolderHeader", "TitleHeader", "Header"] as [ViewName] {
      views.register(name, kind: "header", .type(TableHeaderView.self))
    }
    views.register("Footer", kind: "footer", .type(TallTableHeaderView.self))
    return views
  }
}

extension Screen {
  /// A screen that shows a list of rows, and checks the row of each cell.
  static func ofRows(
    _ kind: ScreenKind, showing list: ListID, of repository: Repository
  ) throws -> Screen {
    let screen = try Screen(
      kind, showing: repository.liveList(list, types: .rows, supplementaryTypes: .ofRows),
      collectionViews: .rowsInCollections, tableViews: .rowsInTables)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    let types = ItemTypes.rows
    screen.check { item in
      (try? types.value(of: item) as? Row).map {
        HeadlessContent(identity: $0.id, version: $0.version)
      } ?? HeadlessContent(identity: "no row")
    }
    screen.layOut()
    return screen
  }
}
