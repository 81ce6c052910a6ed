import Foundation
import GRDB
import ListModel
import ListStore
import Providers
import TestSupport
import Testing
import ListTables

/// Sizes of headers and footers, by the rules for those of items.
@Suite struct SupplementarySizeTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let key = SizeKey(fittingPixels: 1_125, environment: LayoutEnvironment(displayScale: 3))
  private let header = Supplementary(view: "Header", content: "1")
  private let footer = Supplementary(view: "Footer", content: "1")
  private let size = Size(width: 375, height: 44)
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [
        .insertSection(
          "a", .init(layout: SectionLayout(columns: 2), header: header, footer: footer)),
        .insertSection("b", .init(header: header)), .insertSection("c"),
      ], to: "list")
  }

  private func provider() throws -> Provider { try repository.provider(for: "list") }

  private func stored() throws -> [SectionID: [Supplementary.Kind: SizeAnswer]] {
    try repository.supplementarySizes(of: "list", for: key)
  }

  private func measured(
    _ section: SectionID, _ kind: Supplementary.Kind, _ height: Double
  ) -> MeasuredSupplementarySize {
    MeasuredSupplementarySize(
      section: section, kind: kind, size: Size(width: 375, height: height),
      supplementary: kind == .header ? header : footer)
  }

  @Test func aSizeIsKnownAtOnceAndAfterARelaunch() throws {
    let provider = try provider()
    #expect(provider.size(of: .header, inSection: 0, for: key) == .missing)
    #expect(provider.keep(size, of: .header, inSection: 0, for: key))
    let copy = provider
    for provider in [provider, copy] {
      #expect(provider.size(of: .header, inSection: 0, for: key) == .exact(size))
      // Another view and another section are others.
      #expect(provider.size(of: .footer, inSection: 0, for: key) == .missing)
      #expect(provider.size(of: .header, inSection: 1, for: key) == .missing)
    }
    repository.flushSizes()
    #expect(try repository.revision(of: "list") == 1)
    let relaunched = try Repository(existing: file)
    let fresh = try relaunched.provider(for: "list")
    #expect(fresh.size(of: .header, inSection: 0, for: key) == .exact(size))
    #expect(fresh.size(of: .footer, inSection: 0, for: key) == .missing)
    #expect(
      try relaunched.supplementarySizes(of: "list", for: key) == ["a": [.header: .exact(size)]])
    #expect(try relaunched.checkInvariants().isEmpty)
  }

  @Test func aSizeThatNeedsLayoutTwiceIsStillAnEstimate() throws {
    let provider = try provider()
    #expect(provider.keep(size, of: .header, inSection: 0, for: key))
    repository.flushSizes()
    for _ in 0..<2 {
      provider.setNeedsLayout(of: .header, inSection: 0)
      repository.flushSizes()
      let fresh = try Repository(existing: file).provider(for: "list")
      #expect(
        fresh.size(of: .header, inSection: 0, for: key)
          == .estimate(size, why: .otherContent))
    }
  }

  @Test func measuringAgainReplacesTheSize() throws {
    for height in [1.0, 2, 3] {
      try provider().keep(
        Size(width: 375, height: height), of: .footer, inSection: 0, for: key)
    }
    repository.flushSizes()
    #expect(try stored() == ["a": [.footer: .exact(Size(width: 375, height: 3))]])
    try repository.save(
      [measured("a", .footer, 4), measured("a", .footer, 5)], for: key, in: "list")
    #expect(try stored() == ["a": [.footer: .exact(Size(width: 375, height: 5))]])
  }

  @Test func aSizeThatWasDroppedBeforeItWasReadIsAnEstimate() throws {
    try repository.save(
      [measured("a", .header, 44), measured("a", .footer, 44)], for: key, in: "list")
    let provider = try provider()
    provider.setNeedsLayout(of: .header, inSection: 0)
    #expect(
      provider.size(of: .header, inSection: 0, for: key) == .estimate(size, why: .otherContent))
    #expect(provider.size(of: .footer, inSection: 0, for: key) == .exact(size))
    provider.keep(size, of: .header, inSection: 0, for: key)
    #expect(provider.size(of: .header, inSection: 0, for: key) == .exact(size))
  }

  @Test func theSizeForAnotherKeyOfTheAxisIsAnEstimate() throws {
    try repository.save([measured("a", .header, 44)], for: key, in: "list")
    var others = Array(repeating: (key: key, answer: SizeAnswer.missing), count: 4)
    others[0].key.fittingPixels = 1_126
    others[0].answer = .estimate(size, why: .otherLength)
    others[1].key.variant = "expanded"
    others[1].answer = .estimate(size, why: .otherVariant)
    others[2].key.environment.legibilityWeight = "bold"
    others[2].answer = .estimate(size, why: .otherEnvironment)
    others[3].key.axis = .horizontal
    let provider = try provider()
    for (other, answer) in others {
      #expect(provider.size(of: .header, inSection: 0, for: other) == answer)
      #expect(
        try repository.supplementarySizes(of: "list", for: other)
          == (answer == .missing ? [:] : ["a": [.header: answer]]))
    }
  }

  /// What changed makes it an estimate; what changed back makes it exact again.
  @Test func anotherContentViewLayoutOrMeasurerMakesAnEstimateAndBackAgain() throws {
    var provider = try provider()
    provider.keep(size, of: .header, inSection: 0, for: key, measurerVersion: 3)
    repository.flushSizes()
    let content = SizeAnswer.EstimateReason.otherContent
    let steps: [(SectionUpdate, SizeAnswer.EstimateReason?)] = [
      (.init(header: .set(Supplementary(view: "Header", content: "2"))), content),
      (.init(header: .set(Supplementary(view: "Other", content: "1"))), content),
      (.init(header: .set(header)), nil),
      (
        .init(layout: .set(SectionLayout(columns: 3))),
        .otherLayout
      ),
      (.init(layout: .set(SectionLayout(columns: 2))), nil),
    ]
    for (update, why) in steps {
      let commit = try repository.commit([.updateSection("a", update)], to: "list")
      try provider.apply([commit])
      let expected = why.map { SizeAnswer.estimate(size, why: $0) } ?? .exact(size)
      #expect(provider.size(of: .header, inSection: 0, for: key) == expected)
      let fresh = try self.provider()
      #expect(fresh.size(of: .header, inSection: 0, for: key) == expected)
      #expect(try stored() == ["a": [.header: expected]])
    }
    let version = SizeAnswer.estimate(size, why: .otherMeasurer)
    #expect(provider.size(of: .header, inSection: 0, for: key, measurerVersion: 4) == version)
    #expect(provider.size(of: .header, inSection: 0, for: key, measurerVersion: 3) == .exact(size))
  }

  @Test func aSizeOfAnEarlierContentThatIsKeptLateIsAnEstimate() throws {
    let behind = try provider()
    let after = Supplementary(view: "Header", content: "2")
    try repository.commit([.updateSection("a", .init(header: .set(after)))], to: "list")
    behind.keep(size, of: .header, inSection: 0, for: key)
    repository.flushSizes()
    #expect(behind.size(of: .header, inSection: 0, for: key) == .exact(size))
    #expect(
      try stored()
        == ["a": [.header: .estimate(size, why: .otherContent)]])
  }

  @Test func whatNoMeasuringCanGiveIsRefused() throws {
    let provider = try provider()
    for bad in [
      Size(width: .nan, height: 1), Size(width: 1, height: .infinity), Size(width: -1, height: 1),
      Size(width: 1, height: 1_000_001),
    ] {
      #expect(!provider.keep(bad, of: .header, inSection: 0, for: key))
      var size = measured("a", .header, 1)
      size.size = bad
      let failure = #expect(throws: StoreError.self) {
        try repository.save([measured("b", .header, 1), size], for: key, in: "list")
      }
      #expect(failure?.code == .invalidValue)
      #expect(failure?.message.contains("the header of section \"a\"") == true)
    }
    var nothing = key
    nothing.fittingPixels = 0
    #expect(!provider.keep(size, of: .header, inSection: 0, for: nothing))
    #expect(throws: StoreError.self) {
      try repository.save([measured("a", .header, 1)], for: nothing, in: "list")
    }
    // No such view, no such section.
    #expect(!provider.keep(size, of: .footer, inSection: 1, for: key))
    #expect(!provider.keep(size, of: .header, inSection: 3, for: key))
    #expect(provider.size(of: .footer, inSection: 1, for: key) == .missing)
    #expect(provider.size(of: .header, inSection: 3, for: key) == .missing)
    try repository.save(
      [measured("b", .footer, 1), measured("nobody", .header, 1)], for: key, in: "list")
    #expect(try stored().isEmpty)
  }

  @Test func sizesFollowTheirSection() throws {
    var provider = try provider()
    for (index, height) in [10.0, 20].enumerated() {
      provider.keep(Size(width: 375, height: height), of: .header, inSection: index, for: key)
    }
    repository.flushSizes()
    let commit = try repository.commit(
      [.moveSection("a", to: .end), .insertSection("new", .init(header: header), at: .start)],
      to: "list")
    try provider.apply([commit])
    for provider in [provider, try self.provider()] {
      let answers = (0..<4).map { provider.size(of: .header, inSection: $0, for: key) }
      #expect(
        answers == [
          .missing, .exact(Size(width: 375, height: 20)), .missing,
          .exact(Size(width: 375, height: 10)),
        ])
    }
  }

  @Test func sizesGoWithTheirViewAndTheirSectionAndUndoingMeasuresAgain() throws {
    let sizes = [measured("a", .header, 1), measured("a", .footer, 2), measured("b", .header, 3)]
    try repository.save(sizes, for: key, in: "list")
    let third = SizeAnswer.exact(Size(width: 375, height: 3))
    #expect(try stored()["a"]?.count == 2)
    let without = try repository.commit(
      [.updateSection("a", .init(header: .set(nil)))], to: "list")
    #expect(
      try stored()
        == ["a": [.footer: .exact(Size(width: 375, height: 2))], "b": [.header: third]])
    try repository.undoCommit(without.revision, of: "list")
    #expect(try stored()["a"]?[.header] == nil)
    let deleted = try repository.commit([.deleteSection("a")], to: "list")
    #expect(try stored() == ["b": [.header: third]])
    try repository.undoCommit(deleted.revision, of: "list")
    #expect(try repository.tree(of: "list").sections[0].attributes.footer == footer)
    #expect(try stored() == ["b": [.header: third]])
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aSizeOfAViewThatIsGoneIsNotKept() throws {
    let behind = try provider()
    try repository.commit(
      [.updateSection("a", .init(header: .set(nil))), .deleteSection("b")], to: "list")
    #expect(behind.keep(size, of: .header, inSection: 0, for: key))
    #expect(behind.keep(size, of: .header, inSection: 1, for: key))
    #expect(behind.keep(size, of: .footer, inSection: 0, for: key))
    repository.flushSizes()
    #expect(try stored() == ["a": [.footer: .exact(size)]])
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func evictionCountsThemAndTakesThemWithTheirKey() throws {
    var old = key
    old.environment.system = "iOS 17"
    var narrow = key
    narrow.fittingPixels = 1_000
    for key in [old, narrow, key] {
      try repository.save(
        [measured("a", .header, 1), measured("a", .footer, 2)], for: key, in: "list")
    }
    func kept() throws -> [Int] {
      try [old, narrow, key].map { key in
        try repository.supplementarySizes(of: "list", for: key)["a"]?.values.filter {
          if case .exact = $0 { true } else { false }
        }.count ?? 0
      }
    }
    #expect(try kept() == [2, 2, 2])
    #expect(
      try repository.evictSizes(keeping: SizeRetention(environments: [key.environment])) == 1)
    #expect(try kept() == [0, 2, 2])
    #expect(try repository.evictSizes(keeping: SizeRetention(count: 4)) == 0)
    #expect(try repository.evictSizes(keeping: SizeRetention(count: 3)) == 1)
    #expect(try kept() == [0, 0, 2])
    #expect(try repository.evictSizes(keeping: SizeRetention(count: 0)) == 1)
    #expect(try kept() == [0, 0, 0])
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test(arguments: ["supplementary", "sizeKey"])
  func aSizeWithoutItsViewOrKeyIsAProblem(_ table: String) throws {
    try repository.save([measured("a", .header, 1)], for: key, in: "list")
    #expect(try repository.checkInvariants().isEmpty)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.write { try $0.execute(sql: "DELETE FROM \(table)") }
    let problems = try repository.checkInvariants().map(\.message)
    #expect(problems.contains { $0.hasPrefix("measured sizes ") && $0.hasSuffix(": 1") })
  }
}
