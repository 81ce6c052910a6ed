import ArgumentParser
import Foundation

/// Writes sources with mutations, each behind its number.
@main
struct Mutate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellar-mutate",
    abstract: "Writes sources with mutations, each behind its number, into a copy.",
    discussion: """
      Files of the copy that stay the same are not written. The mutants are listed on stdout: number, \
      place, change.
      """)

  @Argument(help: "The package as it is.")
  var package: String

  @Argument(help: "Its copy, which has everything else already.")
  var copy: String

  @Option(help: "The modules.")
  var module: [String]

  @Option(help: "How many mutations.")
  var count: Int

  @Option(help: "What chooses them.")
  var seed: UInt64

  @Option(help: "A file with mutations that do not compile; those of --errors are added to it.")
  var dropped: String

  @Option(help: "What the last build has said.")
  var errors: String?

  func validate() throws {
    guard (1...MutantSwitch.most).contains(count) else {
      throw ValidationError("--count is a number from 1 to \(MutantSwitch.most).")
    }
  }

  func run() throws {
    let droppedFile = URL(fileURLWithPath: dropped)
    var dropped = Set(
      ((try? String(contentsOf: droppedFile, encoding: .utf8)) ?? "").split(separator: "\n").map {
        String($0)
      })
    let sources = URL(fileURLWithPath: package).appendingPathComponent("Sources")
    let files = try module.flatMap { module in
      let folder = sources.appendingPathComponent(module).path
      return try FileManager.default.subpathsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".swift") }.map { "\(module)/\($0)" }
    }.sorted()
    var texts: [String: String] = [:]
    for file in files {
      texts[file] = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
    }
    var random = SplitMix(state: seed)
    let order = files.flatMap { MutationFinder.mutations(of: texts[$0] ?? "", file: $0) }
      .shuffled(using: &random)
    // At random among all, so each module gets about its share.
    var chosen = order.filter { !dropped.contains($0.id) }.prefix(count)

    if let errors {
      let log = try String(contentsOf: URL(fileURLWithPath: errors), encoding: .utf8)
      let broken = BuildErrors(log).mutations(of: Array(chosen))
      guard !broken.isEmpty else { throw ValidationError("No error is about a mutation.") }
      dropped.formUnion(broken.map(\.id))
      try (dropped.sorted().joined(separator: "\n") + "\n")
        .write(to: droppedFile, atomically: true, encoding: .utf8)
      chosen = order.filter { !dropped.contains($0.id) }.prefix(count)
    }

    let inOrder = chosen.sorted {
      ($0.file, $0.range.lowerBound) < ($1.file, $1.range.lowerBound)
    }
    let numbered = inOrder.enumerated().map { (number: $0 + 1, mutation: $1) }
    let byFile = Dictionary(grouping: numbered) { $0.mutation.file }
    let target = URL(fileURLWithPath: copy).appendingPathComponent("Sources")
    for (file, text) in texts {
      try Self.write(
        Mutation.text(Array(text.utf8), with: byFile[file] ?? []),
        to: target.appendingPathComponent(file))
    }
    for module in module {
      try Self.write(
        Array(MutantSwitch.text.utf8), to: target.appendingPathComponent("\(module)/Mutant.swift"))
    }
    let sites = Dictionary(grouping: order) { $0.module }
    for (module, sites) in sites.sorted(by: { $0.key < $1.key }) {
      let number = inOrder.count { $0.module == module }
      FileHandle.standardError.write(
        Data("\(module): \(number) mutants, of \(sites.count) places\n".utf8))
    }
    for (number, mutation) in numbered { print("\(number)\t\(mutation.id)") }
  }

  /// A file that is the same keeps its time, so that it is not compiled again.
  private static func write(_ bytes: [UInt8], to file: URL) throws {
    let data = Data(bytes)
    if (try? Data(contentsOf: file)) == data { return }
    try data.write(to: file)
  }
}

/// SplitMix64, by Steele, Lea and Flood: the same order for a seed on each system.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
