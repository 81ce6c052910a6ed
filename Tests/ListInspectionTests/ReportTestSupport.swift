import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// A report's page.
struct ReportedPage {
  let html: String

  init(_ html: String) { self.html = html }

  /// The JSON that the script draws.
  func json() throws -> String {
    let match = try #require(
      html.firstMatch(of: #/<script type="application\/json" id="data">(.*?)<\/script>/#))
    return String(match.1)
  }

  func value() throws -> ReportValue {
    try JSONDecoder().decode(ReportValue.self, from: Data(json().utf8))
  }

  /// The script.
  func script() throws -> String {
    let start = try #require(html.range(of: "<script>"))
    let end = try #require(html.range(of: "</script>", range: start.upperBound..<html.endIndex))
    return String(html[start.upperBound..<end.lowerBound])
  }

  /// What a browser without scripts shows, as markup.
  func plain() throws -> String {
    let end = try #require(html.range(of: "<script type="))
    return String(html[..<end.lowerBound])
  }

  /// Runs code after the page's script, with no document.
  ///
  /// - Parameters:
  ///   - code: The body of a function of `value`; it returns what is to be returned as JSON.
  ///   - value: The page's value, or another one.
  /// - Returns: What the code returns.
  /// - Throws: If it can't be run, or returns no JSON.
  func run(_ code: String, with value: ReportValue? = nil) throws -> Any {
    let folder = try TemporaryFolder()
    let json = try value.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    let program = try folder.write(
      try script() + "\nconst value = \(try json ?? self.json());\n"
        + "process.stdout.write(JSON.stringify((() => {\(code)})()));\n", to: "page.js")
    let output = folder.file("output.json")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.node))
    process.arguments = [program.path]
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try JSONSerialization.jsonObject(
      with: Data(contentsOf: output), options: .fragmentsAllowed)
  }

  static var hasNode: Bool { node != nil }

  private static let node = executable("node")

  /// Where a program is on the path.
  static func executable(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
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

/// A browser without a screen.
enum Chromium {
  private static let program = ReportedPage.executable("chromium")

  static var isThere: Bool { program != nil }

  /// Opens a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - folder: Where its file is written.
  ///   - fragment: What follows the `#` of its address.
  /// - Returns: The document after its scripts have run, and the browser's log of the network.
  /// - Throws: If it can't be opened.
  static func open(
    _ page: String, in folder: TemporaryFolder, at fragment: String = ""
  ) throws -> (document: String, log: String) {
    let file = folder.file("page.html")
    try Data(page.utf8).write(to: file)
    let (log, output) = (folder.file("network.json"), folder.file("document.html"))
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(program))
    process.arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
      "--disable-component-update", "--no-first-run",
      "--user-data-dir=\(folder.file("profile").path)", "--log-net-log=\(log.path)",
      "--virtual-time-budget=3000", "--window-size=1400,900", "--dump-dom",
      file.absoluteString + "#" + fragment,
    ]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (
      String(decoding: try Data(contentsOf: output), as: UTF8.self),
      String(decoding: try Data(contentsOf: log), as: UTF8.self)
    )
  }
}
