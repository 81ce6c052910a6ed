import ListLayout
import ListModel

/// Sizes in the words of a test: widths and heights.
func sizes(_ pairs: (Double, Double)...) -> ItemSizes {
  ItemSizes(pairs.map { Size(width: $0.0, height: $0.1) })
}

/// Sizes of which only the height counts.
func heights(_ heights: Double...) -> ItemSizes {
  ItemSizes(heights.map { Size(width: 1, height: $0) })
}

func path(_ section: Int, _ item: Int) -> ItemPath { ItemPath(section: section, item: item) }

func insets(_ top: Double, _ left: Double, _ bottom: Double, _ right: Double) -> Insets {
  Insets(top: top, left: left, bottom: bottom, right: right)
}

func frame(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Frame {
  Frame(x: x, y: y, width: width, height: height)
}

/// A view that scrolls vertically.
func view(_ width: Double, scale: Double = 1) -> LayoutContainer {
  LayoutContainer(size: Size(width: width, height: 480), scale: scale)
}

extension ListPlacement {
  /// The frames of a section's items.
  func frames(ofSection section: Int = 0) -> [Frame?] {
    (0..<itemCount(inSection: section)).map { frame(ofItemAt: path(section, $0)) }
  }

  /// Everything that stands in the list, one by one.
  var everything: [PlacedElement] {
    (0..<sectionCount).flatMap { section in
      let header = frame(of: .header, inSection: section).map {
        PlacedElement(element: .supplementary(.header, section: section), frame: $0)
      }
      let items = frames(ofSection: section).enumerated().compactMap { item, frame in
        frame.map { PlacedElement(element: .item(path(section, item)), frame: $0) }
      }
      let footer = frame(of: .footer, inSection: section).map {
        PlacedElement(element: .supplementary(.footer, section: section), frame: $0)
      }
      return [header].compactMap(\.self) + items + [footer].compactMap(\.self)
    }
  }
}
