import Foundation
import ListModel
import ListStore

/// Measures the calendar's items as a phone would, from the lengths of their texts, and keeps the
/// sizes in the store.
struct DemoSizes {
  let repository: Repository

  private static let environment = LayoutEnvironment(displayScale: 2, system: "demo")
  /// The width of the view, in points.
  private static let width = 390.0

  init(_ repository: Repository) { self.repository = repository }

  /// Measures what each commit changed, in its section of that revision.
  ///
  /// So an item that moved to narrower columns keeps the size from before it, too.
  func save(_ history: ListHistory) throws {
    var known: [ItemID: Measured] = [:]
    for step in history.steps {
      var sizes: [SizeKey: [MeasuredSize]] = [:]
      for section in step.tree.sections {
        let column = Self.column(section.attributes.layout)
        let key = Self.key(column)
        for item in section.items {
          let measured = Measured(section: section.id, state: item.state)
          guard known.updateValue(measured, forKey: item.id) != measured else { continue }
          sizes[key, default: []].append(
            MeasuredSize(
              item: item.id, size: try Self.size(of: item.state, fitting: column),
              cell: item.state.cell, contentRevision: item.state.contentRevision))
        }
      }
      for (key, sizes) in sizes { try repository.save(sizes, for: key, in: history.list) }
    }
    let headers = history.head.sections.compactMap { section in
      section.attributes.header.map {
        MeasuredSupplementarySize(
          section: section.id, kind: .header, size: Size(width: Self.width, height: 36),
          supplementary: $0)
      }
    }
    try repository.save(headers, for: Self.key(Self.width), in: history.list)
  }

  private struct Measured: Equatable {
    var section: SectionID
    var state: ItemState
  }

  private static func column(_ layout: SectionLayout?) -> Double {
    let columns = Double(layout?.columns ?? 1)
    let insets = layout?.insets.map { $0.left + $0.right } ?? 0
    let gaps = (layout?.interitemSpacing ?? 0) * (columns - 1)
    let pixels = (width - insets - gaps) / columns * environment.displayScale
    return pixels.rounded(.down) / environment.displayScale
  }

  private static func key(_ column: Double) -> SizeKey {
    SizeKey(
      fittingPixels: Int(column * environment.displayScale), environment: environment)
  }

  /// What the cell shows of the release, in as many lines as it needs.
  private static func size(of state: ItemState, fitting width: Double) throws -> Size {
    let content = try JSONNode(parsing: Array(state.content.text.utf8)).object()
    let name: String = try content.required("codename")
    let version: String = try content.required("version")
    let since: String = try content.required("since")
    // The text, the width of a letter, the height of a line, and the space around the lines.
    let (text, letter, line, space) =
      switch state.cell {
      case "DraftCell": ("\(name), \(version), in development since \(since)", 9.5, 24.0, 24.0)
      case "ReleaseCell": ("\(name), \(version), since \(since)", 9.5, 22.0, 20.0)
      default: ("\(name) \(version)", 8.0, 18.0, 16.0)
      }
    let lines = (Double(text.count) * letter / (width - 16)).rounded(.up)
    return Size(width: width, height: max(1, lines) * line + space)
  }
}
