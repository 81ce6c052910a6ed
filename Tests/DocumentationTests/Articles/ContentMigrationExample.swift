import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
@MainActor enum ContentMigrationExample {
  // Article: begin
  struct Film: ListItem {
    var id: String, title: String
    var isLiked: Bool, tags: [String]

    static var contentDefaults: JSON.Members { ["isLiked": false, "tags": [String]()] }

    func configure(_ cell: FilmCell) { cell.show(title, isLiked: isLiked) }
  }
  // Article: end

  // Article: begin
  struct Recipe: ListItem {
    var id: String, title: String, seconds: Int

    static var contentVersion: Int { 3 }

    static func upgrade(_ content: inout JSON, from version: Int) throws {
      switch version {
      case 1: try content.rename("name", to: "title")
      default: try content.set("seconds", to: 60 * (content.value(of: "minutes") ?? 0))
      }
    }

    func configure(_ cell: RecipeCell) { cell.show(title, seconds: seconds) }
  }
  // Article: end

  // Article: begin
  struct Novel: ListItem {
    var id: String, title: String

    static var aliases: [TypeName] { ["Book"] }

    func configure(_ cell: NovelCell) { cell.show(title) }
  }

  struct NovelHeader: ListSupplementary {
    var title: String, count: Int

    static var aliases: [ViewName] { ["BookHeaderView"] }
    static var contentDefaults: JSON.Members { ["count": 0] }

    func configure(_ view: NovelHeaderView) { view.show(title, count: count) }
  }
  // Article: end

  class Cell: UICollectionViewCell {
    var shown = ""

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 44) }
  }

  final class FilmCell: Cell {
    func show(_ title: String, isLiked: Bool) { shown = title + (isLiked ? " ♥" : "") }
  }

  final class RecipeCell: Cell {
    func show(_ title: String, seconds: Int) { shown = "\(title) \(seconds)" }
  }

  final class NovelCell: Cell {
    func show(_ title: String) { shown = title }
  }

  final class NovelHeaderView: UICollectionReusableView {
    var shown = ""

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 24) }

    func show(_ title: String, count: Int) { shown = "\(title) \(count)" }
  }

  static func rename(_ repository: Repository) throws -> [ListID: Int] {
    // Article: begin
    let counts = try repository.renameCell("BookCell", to: "NovelCell")
    try repository.renameType("Book", to: "Novel")
    try repository.renameView("BookHeader", to: "NovelHeader")
    // Article: end
    return counts
  }

  static func tag(_ repository: Repository) throws {
    // Article: begin
    try repository.setContents(ofType: "Film") { item in
      var film = try item.value(as: Film.self)
      film.tags.append("old")
      return try JSON(encoding: film)
    }
    // Article: end
  }

  static func writeBack(_ repository: Repository) async throws -> [ListID: Int] {
    // Article: begin
    let upgrade = try await repository.upgradeContents(of: [Novel.self, Recipe.self]) { progress in
      print("\(progress.checkedCount) of \(progress.itemCount)")
    }
    for failure in upgrade.failures { print(failure.list, failure.error) }
    // Article: end
    return upgrade.upgraded
  }
}
