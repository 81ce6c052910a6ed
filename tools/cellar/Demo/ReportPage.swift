import BatchUpdates
import Foundation
import ListModel

/// The page that shows lists at every revision: one file that needs no network.
///
/// The template has two places: one for the last revision of each list as HTML, so that the page
/// can be read without scripts, one for all revisions as JSON. The page's script makes the same
/// markup.
enum ReportPage {
  static func html(_ histories: [ListHistory]) -> String {
    let shown = histories.filter { !$0.steps.isEmpty }
    let kinds = CellKinds(shown)
    // Cut first: a text of the data may look like a place.
    let parts = EmbeddedText.reportPage.split(at: "<!--STATIC-->")
    let tail = parts.after.split(at: "/*DATA*/")
    return parts.before + legend(kinds) + shown.map { section($0, kinds) }.joined()
      + tail.before + data(shown).replacingOccurrences(of: "<", with: "\\u003c") + tail.after
  }

  /// Which of the page's looks a cell gets: by the order in which cell names first appear.
  private struct CellKinds {
    var names: [CellName] = []
    private var indexes: [CellName: Int] = [:]

    init(_ histories: [ListHistory]) {
      for state in histories.flatMap({ States($0).all }) where indexes[state.cell] == nil {
        indexes[state.cell] = names.count
        names.append(state.cell)
      }
    }

    subscript(_ cell: CellName) -> Int { (indexes[cell] ?? 0) % 6 }
  }

  /// The distinct states that items ever had, in the order in which they first appear.
  private struct States {
    struct State: Hashable {
      var item: ItemID
      var cell: CellName
      var content: JSON
    }

    private(set) var all: [State] = []
    private var indexes: [State: Int] = [:]

    init(_ history: ListHistory) {
      for item in history.steps.flatMap({ $0.tree.sections.flatMap(\.items) }) {
        let state = Self.state(of: item)
        if indexes[state] == nil {
          indexes[state] = all.count
          all.append(state)
        }
      }
    }

    func index(of item: Item) -> Int { indexes[Self.state(of: item)] ?? 0 }

    private static func state(of item: Item) -> State {
      State(item: item.id, cell: item.state.cell, content: item.state.content)
    }
  }

  // MARK: Data

  private static func data(_ histories: [ListHistory]) -> String {
    JSONWriter.object { writer in
      writer.member("formatVersion", 1)
      writer.member("lists", array: histories) { writer, history in
        let states = States(history)
        writer.object { writer in
          writer.member("list", history.list.rawValue)
          writer.member("states", array: states.all) { writer, state in
            writer.object { writer in
              writer.member("item", state.item.rawValue)
              writer.member("cell", state.cell.rawValue)
              writer.member("content", state.content)
            }
          }
          writer.member("commits", array: history.steps) { write($1, states, to: &$0) }
        }
      }
    }
  }

  private static func write(
    _ step: ListHistory.Step, _ states: States, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("revision", step.commit.revision)
      if let time = step.commit.time {
        writer.member("at", time)
      } else {
        writer.member("at", JSON.null)
      }
      writer.member("by", step.commit.author.name)
      writer.member("sections", array: step.tree.sections) { writer, section in
        writer.object { writer in
          writer.member("section", section.id.rawValue)
          writer.member("title", title(of: section).map { JSON(text: $0) } ?? .null)
          writer.member("columns", section.attributes.layout?.columns ?? 1)
          writer.member("spacing", spacing(of: section))
          writer.member("items", array: section.items) { $0.value(states.index(of: $1)) }
        }
      }
      writer.member("update") { $0.value(JSON(literal: step.update.json)) }
    }
  }

  private static func title(of section: ListTree.Section) -> String? {
    section.attributes.header?.content.members?["title"] as? String
  }

  private static func spacing(of section: ListTree.Section) -> Double {
    section.attributes.layout?.interitemSpacing ?? 8
  }

  // MARK: Markup

  private static func legend(_ kinds: CellKinds) -> String {
    "<ul class=\"legend\" role=\"list\" aria-label=\"Cells\">"
      + kinds.names.map { "<li data-kind=\"\(kinds[$0])\">\($0.rawValue.escaped)</li>" }.joined()
      + "</ul>"
  }

  private static func section(_ history: ListHistory, _ kinds: CellKinds) -> String {
    let name = history.list.rawValue.escaped
    let revision = history.head.revision
    let time = history.steps.last?.commit.time.map { "<time>\(day($0))</time>" } ?? ""
    return "<section class=\"list\" data-list=\"\(name)\" aria-label=\"\(name)\">"
      + "<header class=\"head\"><div class=\"title-row\"><h2>\(name)</h2>\(time)"
      + "<span class=\"revision\">revision \(revision) of \(revision)</span></div></header>"
      + "<div class=\"sections\">"
      + history.head.sections.map { section($0, kinds) }.joined() + "</div></section>"
  }

  private static func section(_ section: ListTree.Section, _ kinds: CellKinds) -> String {
    let count = Output.count(section.items.count, "item")
    let columns = section.attributes.layout?.columns ?? 1
    let spacing = JSONWriter.text(spacing(of: section))
    return "<section class=\"section\" data-section=\"\(section.id.rawValue.escaped)\">"
      + "<h3>\((title(of: section) ?? section.id.rawValue).escaped) "
      + "<span class=\"count\">\(count)</span></h3>"
      + "<ul class=\"cells\" role=\"list\" style=\"--columns: \(columns); --spacing: \(spacing)px;\">"
      + section.items.map { cell($0, kinds) }.joined() + "</ul></section>"
  }

  private static func cell(_ item: Item, _ kinds: CellKinds) -> String {
    let state = item.state
    let start =
      "<li class=\"cell\" data-item=\"\(item.id.rawValue.escaped)\" "
      + "data-cell=\"\(state.cell.rawValue.escaped)\" data-kind=\"\(kinds[state.cell])\">"
    let members = state.content.members ?? [:]
    let titles = ["codename", "title", "name"].compactMap { members[$0] as? String }
    guard let title = titles.first(where: { !$0.isEmpty }) else {
      return start + "<code class=\"json\">\(state.content.text.escaped)</code></li>"
    }
    var meta = ""
    if let version = members["version"] as? String {
      meta += "<span class=\"badge\">\(version.escaped)</span>"
    }
    if let since = members["since"] as? String {
      meta += "<span class=\"since\"><span class=\"word\">since </span>"
      meta += "<time>\(since.escaped)</time></span>"
    }
    return start + "<span class=\"title\">\(title.escaped)</span>"
      + (meta.isEmpty ? "" : "<span class=\"meta\">\(meta)</span>") + "</li>"
  }

  private static func day(_ milliseconds: Int) -> String {
    String(Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601).prefix(10))
  }
}

extension JSON {
  /// The members of an object, read for display only.
  fileprivate var members: [String: Any]? {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
  }

  fileprivate init(text: String) { self.init(literal: JSONWriter.quoted(text)) }

  /// Takes JSON that this process wrote.
  fileprivate init(literal: String) { self = (try? JSON(parsing: literal)) ?? .null }
}

extension JSONWriter {
  fileprivate static func text(_ number: Double) -> String {
    var writer = JSONWriter()
    writer.value(number)
    return writer.text
  }
}

extension String {
  /// The text for HTML, in an element or in a quoted attribute.
  fileprivate var escaped: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  fileprivate func split(at place: String) -> (before: String, after: String) {
    guard let range = range(of: place) else { return (self, "") }
    return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
  }
}
