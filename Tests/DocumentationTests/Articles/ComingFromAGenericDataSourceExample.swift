import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``ArticleTests`` compares and runs them.
@MainActor enum ComingFromAGenericDataSourceExample {
  final class TitleCell: UITableViewCell, FieldCell {
    var title: String?
    func show(_ item: FieldItem) { title = item.title }
  }
  final class PlaceholderCell: UITableViewCell {}
  final class AdCell: UITableViewCell {}

  static func show(_ repository: Repository, in tableView: UITableView) throws -> TableAdapter {
    // Article: begin
    let names = repository.liveList("names", items: [FieldItem.self])
    var views = ViewRegistry(fallback: .type(PlaceholderCell.self))
    views.register("TitleCell", .type(TitleCell.self))
    let adapter = try TableAdapter(names, in: tableView, views: views)

    try names.edit { list in
      try list.insertSectionIfMissing("all")
      try list.insert(
        ["Ada", "Grace"].map { FieldItem(id: $0, cell: "TitleCell", title: $0) }, in: "all")
    }
    // Article: end
    return adapter
  }

  static func views() throws -> ViewRegistry {
    // Article: begin
    var views = ViewRegistry(fallback: .type(PlaceholderCell.self))
    views.register("TitleCell", .type(TitleCell.self))
    views.map("Person", to: "TitleCell")
    views.map(section: "ads", to: "AdCell")
    views.register("AdCell", .factory { AdCell(style: .subtitle, reuseIdentifier: $0) })
    try views.alias("NameCell", of: "TitleCell")
    // Article: end
    return views
  }
}
