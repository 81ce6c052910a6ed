import Cellar
import Foundation

/// The README's example, line by line; ``ReadmeTests`` compares and runs it.
func readmeExample(in folder: URL) throws -> (Provider, BatchUpdate) {
  // README: begin
  struct Book: Codable { var title: String, liked = false }
  let repository = try Repository(at: folder.appendingPathComponent("store.sqlite"))

  // One transaction, one revision. A list is made by its first commit.
  let emma = try JSON(encoding: Book(title: "Emma")), dune = try JSON(encoding: Book(title: "Dune"))
  try repository.commit(
    [
      .insertSection("today", SectionAttributes(layout: SectionLayout(kind: .list))),
      .insertItem(Item(id: "emma", cell: "BookCell", content: emma), in: "today"),
      .insertItem(Item(id: "dune", cell: "BookCell", content: dune), in: "today"),
    ], to: "shelf")

  // At launch: the list as it was, without a network.
  var shelf = try repository.provider(for: "shelf")
  // Somebody else writes, …
  let liked = try JSON(encoding: Book(title: "Emma", liked: true))
  try repository.commit(
    [.moveItem("dune", to: .start), .updateItem("emma", ItemUpdate(content: .set(liked)))],
    to: "shelf", by: Author("widget"))
  // … and the view is told the least that is legal: one move, then one cell to configure anew.
  let update = try repository.advance(&shelf)
  // README: end
  return (shelf, update)
}

/// The README's example of sizes.
func readmeSizes(of shelf: Provider) -> (Size?, Double?) {
  // README: begin
  let key = SizeKey(fittingPixels: 1_125, environment: LayoutEnvironment())
  let place = ItemPath(section: 0, item: 0)
  if case .missing = shelf.size(at: place, for: key) {
    shelf.keep(Size(width: 375, height: 96.5), at: place, for: key)
  }
  // How long the section is, from stored sums: nothing is asked item by item.
  let length = shelf.extent(ofSection: 0, for: key)?.length(estimate: 96)
  // README: end
  guard case .exact(let size) = shelf.size(at: place, for: key) else { return (nil, length) }
  return (size, length)
}
