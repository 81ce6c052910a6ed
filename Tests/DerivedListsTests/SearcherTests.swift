import DerivedLists
import ListModel
import Testing

@Suite struct SearcherTests {
  /// Points are those of the formula, in whole numbers.
  @Test func pointsOfAnItem() throws {
    let content = try JSON(parsing: #"{"t":["emma and emmas","Emma"],"u":"x emma 1 2 3 4 5 6"}"#)
    let item = Subject(
      id: "a", state: ItemState(cell: "Cell", content: content), section: "s",
      Searcher(PlainWords()))
    let paths = [try ValuePath("/t"), try ValuePath("/u")]
    #expect(
      item.points(of: Search("emma", at: paths))
        == 65_536 * 5 / (5 + 2 + 4 / 8) + 65_536 * 2 / (2 + 2 + 8 / 8) / 2)
    #expect(item.points(of: Search("nobody", at: paths)) == nil)
    #expect(item.points(of: Search(" ", at: paths)) == 0)
  }
}
