import ListLayout
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

/// A long list that is placed from the sums of its stored sizes, and then from the sizes.
@Suite struct PlacementFromSumsTests {
  private let folder: TemporaryFolder
  private let key = SizeKey(fittingPixels: 750, environment: LayoutEnvironment(displayScale: 2))
  private let container = LayoutContainer(size: Size(width: 375, height: 600), scale: 2)
  private let count = 3_000

  init() throws {
    folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [.insertSection("a"), .insertSection("b")]
        + (0..<count).map {
          .insertItem(
            Item(id: ItemID(stringLiteral: "i\($0)"), cell: "Cell", content: "1"), in: "a")
        }, to: "list")
    let provider = try repository.provider(for: "list")
    for item in 0..<count {
      #expect(provider.keep(size(item), at: ItemPath(section: 0, item: item), for: key))
    }
    repository.flushSizes()
  }

  /// The first ones are much longer than the others.
  private func size(_ item: Int) -> Size {
    Size(width: 375, height: (item < 1_000 ? 200 : 40) + Double(item % 7) / 2)
  }

  private func provider() throws -> Provider {
    try Repository(existing: folder.file("store.sqlite")).provider(for: "list")
  }

  private func place(_ sizes: ItemSizes) -> ListPlacement {
    ListPlacement([MeasuredSection(metrics: SectionMetrics(), items: sizes)], in: container)
  }

  private func y(_ item: Int, _ placement: ListPlacement) -> Double {
    placement.frame(ofItemAt: ItemPath(section: 0, item: item))?.y ?? .nan
  }

  @Test func theContentIsAsLongAsTheItemsBeforeAnyOfThemIsRead() throws {
    let exact = place(ItemSizes((0..<count).map(size)))
    for parts in [-1, 0, 1, 2, 16, 100_000] {
      let sizes = try provider().itemSizes(
        ofSection: 0, for: key, estimate: 44, parts: parts)
      #expect(sizes.count == count)
      let height = place(sizes).contentSize.height
      #expect(abs(height - exact.contentSize.height) < 1e-3, "\(parts) parts")
    }
  }

  @Test func moreStretchesArePlacedMoreExactly() throws {
    let exact = place(ItemSizes((0..<count).map(size)))
    let provider = try provider()
    func worst(_ parts: Int) -> Double {
      let sums = place(
        provider.itemSizes(ofSection: 0, for: key, estimate: 44, parts: parts))
      return stride(from: 0, to: count, by: 10).map { abs(y($0, sums) - y($0, exact)) }.max() ?? 0
    }
    // One mean for long and short items is far off.
    #expect(worst(1) > 50_000)
    #expect(worst(64) < 5_000)
    #expect(worst(3_000) < 250)
  }

  @Test func sizesTakeThePlaceOfSums() throws {
    let provider = try provider()
    var placement = place(provider.itemSizes(ofSection: 0, for: key, estimate: 44, parts: 9))
    for start in stride(from: 0, to: count, by: 700) {
      let range = start..<min(count, start + 700)
      let sizes = provider.itemSizes(in: range, ofSection: 0, for: key, estimate: 44)
      placement.update { $0.replaceItems(range, inSection: 0, with: sizes) }
    }
    let exact = place(ItemSizes((0..<count).map(size)))
    for item in stride(from: 0, to: count, by: 13) { #expect(y(item, placement) == y(item, exact)) }
    #expect(placement.contentSize == exact.contentSize)
  }

  @Test func withoutSizesTheEstimateCounts() throws {
    let provider = try provider()
    var other = key
    other.environment.locale = "th"
    other.variant = "expanded"
    #expect(
      place(provider.itemSizes(ofSection: 0, for: other, estimate: 44)).contentSize.height
        == 44.0 * Double(count))
    // Item by item, sizes of another key are estimates.
    let few = provider.itemSizes(in: -5..<3, ofSection: 0, for: other, estimate: 44.25)
    let height: Double = 200 + 200.5 + 201
    #expect(place(few).contentSize.height == height)
    #expect(provider.itemSizes(ofSection: 1, for: key, estimate: 44).count == 0)
    #expect(provider.itemSizes(ofSection: 2, for: key, estimate: 44).count == 0)
    #expect(provider.itemSizes(in: 0..<9, ofSection: 2, for: key, estimate: 44).count == 0)
    let loose = Provider(
      ListTree(
        list: "list", revision: 1,
        sections: [ListTree.Section(id: "a", items: [Item(id: "x", cell: "Cell", content: "1")])]))
    #expect(loose.itemSizes(ofSection: 0, for: key, estimate: 44).count == 1)
    #expect(loose.itemSizes(in: 0..<1, ofSection: 0, for: key, estimate: 44).count == 1)
  }
}
