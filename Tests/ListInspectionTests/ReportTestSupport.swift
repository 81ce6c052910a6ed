import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// The parts of a report's page.
struct ReportedPage {
  let html: String

  init(_ html: String) { self.html = html }

  /// A part of a drawing.
  struct Part: Hashable {
    var look: [String]
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var label: String
    var detail: String
  }

  /// The parts of all drawings that the page has without its script.
  func parts() throws -> [Part] {
    let pattern =
      #/<svg class="part ([^"]*)" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"><title>([^<]*)<.*?<text[^>]*>([^<]*)</#
    return try html.matches(of: pattern).map { match in
      Part(
        look: match.1.split(separator: " ").map(String.init), x: try #require(Int(match.2)),
        y: try #require(Int(match.3)), width: try #require(Int(match.4)),
        height: try #require(Int(match.5)), label: String(match.7), detail: String(match.6))
    }
  }

  /// The data of the slider of each list.
  func lists() throws -> [[String: Any]] {
    let match = try #require(
      html.firstMatch(of: #/<script type="application\/json" id="data">(.*?)<\/script>/#))
    let data = try JSONSerialization.jsonObject(with: Data(match.1.utf8))
    let object = try #require(data as? [String: Any])
    #expect(object["formatVersion"] as? Int == 1)
    return try #require(object["lists"] as? [[String: Any]])
  }

  /// The steps of the slider of a list.
  func steps(ofList index: Int = 0) throws -> [[String: Any]] {
    try #require(lists()[index]["steps"] as? [[String: Any]])
  }
}

extension InspectionBench {
  /// Runs SQL on the store, as another program would.
  func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// A waterfall of two columns of 100 points, with headers; every third size is from before a
  /// change, every tenth item was not measured.
  func makeWaterfall(items count: Int = 40) throws {
    let repository = try Repository(at: file)
    let layout = SectionLayout(
      kind: .waterfall, columns: 2, lineSpacing: 4, interitemSpacing: 10,
      insets: Insets(top: 5, left: 5, bottom: 5, right: 5))
    let header = Supplementary(view: "Title", content: try JSON(parsing: #"{"title":"Photos"}"#))
    let items = try (0..<count).map { number in
      Item(
        id: ItemID(stringLiteral: "photo-\(number)"),
        cell: number % 5 == 0 ? "PhotoCell" : "CardCell",
        content: try JSON(parsing: "{\"title\":\"Secret \(number)\"}"))
    }
    try repository.commit(
      [.insertSection("photos", SectionAttributes(layout: layout, header: header))]
        + items.map { .insertItem($0, in: "photos") }, to: "shelf", by: "importer")
    let key = SizeKey(fittingPixels: 100, environment: LayoutEnvironment())
    try repository.save(
      items.enumerated().filter { $0.offset % 10 != 9 }.map { number, item in
        MeasuredSize(
          item: item.id, size: Size(width: 100, height: Double(40 + number * 7 % 60)),
          cell: item.state.cell, contentRevision: number % 3 == 2 ? 7 : 0)
      }, for: key, in: "shelf")
    try repository.commit([.moveItem("photo-3", in: "photos", to: .start)], to: "shelf")
    try repository.commit([.deleteItem("photo-4")], to: "shelf", by: "editor")
  }
}
