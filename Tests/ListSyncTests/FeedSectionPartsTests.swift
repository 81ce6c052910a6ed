import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// Visibility, further supplementaries and decorations in a feed.
@Suite struct FeedSectionPartsTests {
  private let badge = Supplementary(view: "B", content: "1")
  private let parts =
    #""visibility":"hiddenWhenEmpty","supplementaries":{"badge":{"view":"B","content":1}},"#
    + #""decorations":[{"view":"Card","of":"items","zIndex":2}]"#

  @Test func aFeedSetsAndRemovesThem() throws {
    let bench = try FeedBench()
    func attributes() throws -> SectionAttributes? {
      try bench.repository.tree(of: "l").sections.first?.attributes
    }
    try bench.apply([commit(1, "{\"op\":\"insertSection\",\"section\":\"s\",\(parts)}")])
    let full = SectionAttributes(
      visibility: .hiddenWhenEmpty, supplementaries: ["badge": badge],
      decorations: [Decoration(view: "Card", element: .items, zIndex: 2)])
    #expect(try attributes() == full)
    let updates: [(members: String, SectionAttributes)] = [
      (#""meta":1"#, with(full) { $0.meta = "1" }),
      (#""visibility":"hidden""#, with(full) { $0.visibility = .hidden }),
      (#""visibility":null"#, with(full) { $0.visibility = .shown }),
      (
        #""supplementaries":{"other":{"view":"B","content":1}}"#,
        with(full) {
          $0.supplementaries = ["other": badge]
        }
      ),
      (#""supplementaries":null"#, with(full) { $0.supplementaries = [:] }),
      (#""decorations":[{"view":"V"}]"#, with(full) { $0.decorations = [Decoration(view: "V")] }),
      (#""decorations":null"#, with(full) { $0.decorations = [] }),
    ]
    var sequence = 1
    for (members, expected) in updates {
      sequence += 1
      try bench.apply([commit(sequence, "{\"op\":\"updateSection\",\"section\":\"s\",\(members)}")])
      #expect(try attributes() == expected, "\(members)")
      sequence += 1
      try bench.apply([
        commit(
          sequence,
          "{\"op\":\"updateSection\",\"section\":\"s\",\(parts),\"meta\":null}")
      ])
      #expect(try attributes() == full)
    }
  }

  @Test func aSnapshotHasThemToo() throws {
    let bench = try FeedBench()
    func line(_ sequence: Int, _ members: String) -> String {
      "{\"t\":\"snapshot\",\"list\":\"l\",\"seq\":\"\(sequence)\","
        + "\"sections\":[{\"id\":\"s\",\(members)\"items\":[]}]}"
    }
    try bench.apply([line(1, "")])
    try bench.apply([line(2, parts + ",")])
    let text = try bench.repository.tree(of: "l").json()
    #expect(text.contains("{\"id\":\"s\",\(parts),\"items\":[]}"))
    try bench.apply([line(3, "")])
    #expect(try bench.repository.tree(of: "l").sections.map(\.attributes) == [.init()])
  }

  private func with(
    _ attributes: SectionAttributes, _ change: (inout SectionAttributes) -> Void
  ) -> SectionAttributes {
    var attributes = attributes
    change(&attributes)
    return attributes
  }
}
