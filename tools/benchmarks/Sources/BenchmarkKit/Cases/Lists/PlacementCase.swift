import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// A waterfall of three columns: placed, changed in the middle, and asked what a screen shows;
/// beside a loop that places all of it in arrays.
enum PlacementCase {
  private static let columns = 3
  private static let screen = Frame(x: 0, y: 50_000, width: 390, height: 844)

  static func run(_ settings: Settings, _ report: inout Report) throws {
    for size in settings.sizes where size >= 1_000 {
      var generator = SeededGenerator(seed: settings.seed)
      let heights = (0..<size).map { _ in Double(Int.random(in: 40..<200, using: &generator)) }
      let metrics = SectionMetrics(
        kind: .waterfall, columns: columns, lineSpacing: 8, interitemSpacing: 8)
      let container = LayoutContainer(size: Size(width: 390, height: 844))
      let width = metrics.fittingLength(in: container).points
      let sizes = ItemSizes(heights.map { Size(width: width, height: $0) })
      func place() -> ListPlacement {
        ListPlacement([MeasuredSection(metrics: metrics, items: sizes)], in: container)
      }
      var placement = place()
      var plain = PlainWaterfall(heights, columns: columns, spacing: 8)
      guard placement.contentSize.height == plain.height else {
        throw BenchmarkError("the placements differ")
      }
      let middle = ItemPath(section: 0, item: size / 2)
      let last = ItemPath(section: 0, item: size - 20)
      var height = 100.0
      let rounds = try Rounds(
        settings.rounds, warmUp: true,
        [
          { _ in Stopwatch.repeated { Int(place().contentSize.height) } },
          { _ in
            Stopwatch.repeated {
              plain = PlainWaterfall(heights, columns: columns, spacing: 8)
              return Int(plain.height)
            }
          },
          { _ in
            Stopwatch.repeated {
              height = height == 100 ? 120 : 100
              placement.update { _ = $0.setSize(Size(width: width, height: height), at: middle) }
              return Int(placement.contentSize.height)
            }
          },
          { _ in
            Stopwatch.repeated {
              height = height == 100 ? 120 : 100
              placement.update { _ = $0.setSize(Size(width: width, height: height), at: last) }
              return Int(placement.contentSize.height)
            }
          },
          { _ in Stopwatch.repeated { placement.elements(in: screen).count } },
          { _ in Stopwatch.repeated { plain.items(from: screen.y, to: screen.y + screen.height) } },
        ])
      let reference = Measurement.Reference(name: "arrays", median: rounds[1])
      report.add(
        Measurement(
          name: "placement", items: size, changes: size, ours: rounds[0], references: [reference]))
      report.add(
        Measurement(
          name: "placement, middle", items: size, changes: 1, ours: rounds[2],
          references: [reference]))
      report.add(
        Measurement(
          name: "placement, end", items: size, changes: 1, ours: rounds[3],
          references: [reference]))
      report.add(
        Measurement(
          name: "placement, a screen", items: size, changes: 1, ours: rounds[4],
          references: [.init(name: "all looked at", median: rounds[5])]))
    }
  }

  /// The least that a waterfall takes: the shortest column gets the next item.
  private struct PlainWaterfall {
    var starts: [Double] = []
    var ends: [Double] = []
    var height = 0.0

    init(_ heights: [Double], columns: Int, spacing: Double) {
      var bottoms = [Double](repeating: 0, count: columns)
      starts.reserveCapacity(heights.count)
      ends.reserveCapacity(heights.count)
      for height in heights {
        var shortest = 0
        for column in 1..<columns where bottoms[column] < bottoms[shortest] { shortest = column }
        starts.append(bottoms[shortest])
        ends.append(bottoms[shortest] + height)
        bottoms[shortest] += height + spacing
      }
      height = (bottoms.max() ?? 0) - (heights.isEmpty ? 0 : spacing)
    }

    func items(from low: Double, to high: Double) -> Int {
      var count = 0
      for index in starts.indices where starts[index] < high && ends[index] > low { count += 1 }
      return count
    }
  }
}
