import ListLayout
import ListModel
import TestSupport

/// Random sections and edits of lists that are 400 points wide, in half points.
struct RandomList {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func number(_ range: Range<Int>) -> Int { generator.number(range) }

  private mutating func points(_ end: Int) -> Double { Double(generator.number(0..<(2 * end))) / 2 }

  private mutating func element<Element>(of elements: [Element]) -> Element {
    elements[generator.number(0..<elements.count)]
  }

  private mutating func insets() -> Insets {
    Insets(top: points(9), left: points(9), bottom: points(9), right: points(9))
  }

  mutating func sizes(_ count: Int) -> [Size] {
    // Some of them in runs.
    var sizes: [Size] = []
    while sizes.count < count {
      let size = Size(width: points(150) + 0.5, height: points(100))
      let run = generator.percent(80) ? 1 : generator.number(1..<20)
      sizes.append(contentsOf: repeatElement(size, count: min(run, count - sizes.count)))
    }
    return sizes
  }

  mutating func anySize() -> Size {
    Size(
      width: Double.random(in: 0...120, using: &generator),
      height: Double.random(in: 0...120, using: &generator))
  }

  mutating func section() -> NaiveSection {
    NaiveSection(
      metrics: SectionMetrics(
        kind: element(of: SectionLayout.Kind.allCases), columns: generator.number(1..<20),
        lineSpacing: points(6), interitemSpacing: points(6), insets: insets(),
        headerInsets: insets(), footerInsets: insets(),
        renderDirection: element(of: SectionMetrics.RenderDirection.allCases),
        lineAlignment: element(of: SectionMetrics.LineAlignment.allCases),
        itemAlignment: element(of: SectionMetrics.ItemAlignment.allCases)),
      header: generator.percent(50) ? points(40) + 1 : nil,
      footer: generator.percent(50) ? points(40) + 1 : nil,
      sizes: sizes(generator.number(0..<generator.number(1..<60))))
  }

  mutating func frame(in content: Size) -> Frame {
    Frame(
      x: Double.random(in: -50...content.width, using: &generator),
      y: Double.random(in: -50...(content.height + 50), using: &generator),
      width: Double.random(in: 0...content.width, using: &generator),
      height: Double.random(in: 0...600, using: &generator))
  }

  /// Makes the same change in both.
  mutating func edit(_ edits: inout ListEdits, _ naive: inout [NaiveSection]) {
    guard !naive.isEmpty, generator.percent(85) else { return editSections(&edits, &naive) }
    let index = generator.number(0..<naive.count)
    let count = naive[index].sizes.count
    switch generator.number(0..<5) {
    case 0 where count > 0:
      let path = ItemPath(section: index, item: generator.number(0..<count))
      let size = sizes(1)[0]
      edits.setSize(size, at: path)
      naive[index].sizes[path.item] = size
    case 1:
      let path = ItemPath(section: index, item: generator.number(0..<(count + 1)))
      let new = sizes(generator.number(0..<9))
      edits.insertItems(ItemSizes(new), at: path)
      naive[index].sizes.insert(contentsOf: new, at: path.item)
    case 2:
      let start = generator.number(0..<(count + 1))
      let range = start..<min(count, start + generator.number(0..<9))
      edits.removeItems(range, inSection: index)
      naive[index].sizes.removeSubrange(range)
    case 3:
      // All of one size: a grid, where it flows.
      let size = sizes(1)[0]
      edits.replaceItems(
        0..<count, inSection: index, with: ItemSizes(repeating: size, count: count))
      naive[index].sizes = Array(repeating: size, count: count)
    default:
      let kind = element(of: [Supplementary.Kind.header, .footer])
      let length = generator.percent(50) ? points(40) + 1 : nil
      edits.setLength(length, of: kind, inSection: index)
      if kind == .header { naive[index].header = length } else { naive[index].footer = length }
    }
  }

  private mutating func editSections(_ edits: inout ListEdits, _ naive: inout [NaiveSection]) {
    let new = section()
    let index = generator.number(0..<(naive.count + 1))
    guard index < naive.count, naive.count < 6 || generator.percent(50) else {
      edits.insertSection(new.measured, at: index)
      naive.insert(new, at: index)
      return
    }
    switch generator.number(0..<3) {
    case 0:
      edits.removeSection(at: index)
      naive.remove(at: index)
    case 1:
      let target = generator.number(0..<naive.count)
      edits.moveSection(at: index, to: target)
      naive.insert(naive.remove(at: index), at: target)
    default:
      edits.replaceSection(at: index, with: new.measured)
      naive[index] = new
    }
  }
}
