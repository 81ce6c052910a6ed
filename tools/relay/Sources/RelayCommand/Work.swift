import ArgumentParser
import Foundation
import Logging
import Relay
import RelayEngine

/// Compares numbers, hashes, ends and snapshots.
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check logs, hashes, ends and snapshots of all lists; changes nothing.")

  @OptionGroup var engine: EngineOptions

  func run() async throws {
    let count = Found()
    let (lists, lines) = try await engine.use { engine in
      try await LogCheck(engine).run { problem in
        print(problem)
        count.add()
      }
    }
    say("\(lists) lists, \(lines) lines: \(count.number) problems")
    if count.number > 0 { throw ExitCode(2) }
  }

  private final class Found: @unchecked Sendable {
    // Sendable: one task counts, and the count is read after it has ended.
    private(set) var number = 0

    func add() { number += 1 }
  }
}

/// Brings feeds into the logs as they are.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring lines of feeds into the logs, with their numbers.",
    discussion: """
      Lines that are there are skipped, so a feed can be imported again. The first line that does not fit \
      ends it; those before it stay. A snapshot that leaves numbers out, and a reset, are taken only where \
      the list's log begins.
      """)

  @OptionGroup var engine: EngineOptions
  @Argument(help: "Files with feeds; - for the standard input.") var feeds: [String]

  func run() async throws {
    try await engine.use(makes: true) { engine in
      let work = RelayWork(engine, logger: .command)
      for feed in feeds {
        let (appended, skipped) = try await work.importFeed(try Self.open(feed), name: feed)
        say("\(feed): \(appended) lines, \(skipped) were there")
      }
    }
  }

  private static func open(_ feed: String) throws -> FileHandle {
    if feed == "-" { return .standardInput }
    do { return try FileHandle(forReadingFrom: URL(fileURLWithPath: feed)) } catch {
      throw ValidationError("\(feed) can't be read: \((error as NSError).localizedDescription)")
    }
  }
}

/// Writes lists as feeds.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write lists as feeds to the standard output.")

  @OptionGroup var engine: EngineOptions
  @Argument(help: "Ids of lists; none for all.") var lists: [String] = []

  func run() async throws {
    try await engine.use { engine in
      let work = RelayWork(engine, logger: .command)
      for list in lists.isEmpty ? try await work.lists() : lists {
        let leftOut = try await work.export(list) {
          try FileHandle.standardOutput.write(contentsOf: $0)
        }.leftOut
        if leftOut == 0 { continue }
        say(
          "list \"\(list)\": a snapshot stands for the lines up to \(leftOut), which are left out; devices "
            + "behind it begin anew, and edits of those lines that are sent again are made again")
      }
    }
  }
}

/// Drops lines that snapshots stand for.
struct Compact: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Drop lines that are old enough, after a snapshot was stored and read back.")

  @OptionGroup var engine: EngineOptions
  @OptionGroup var retention: RetentionOptions
  @Argument(help: "Ids of lists; none for all.") var lists: [String] = []

  func run() async throws {
    let (count, lines) = try await engine.use { engine in
      try await RelayWork(engine, logger: .command).compact(lists, retention.retention)
    }
    say("\(count) lists, \(lines) lines dropped")
  }
}

/// Makes tokens and keys.
struct Token: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a token, or a key file.",
    discussion:
      "cellar-relay token --keys keys.json --issuer me --audience relay --subject ann home=edit user/ann/=own"
  )

  @Option(help: "A file with a JSON Web Key Set that has the private parts.") var keys: String
  @Flag(help: "Make the file, which must not be there, with one new secret for HS256; no token.")
  var new = false
  @Option(help: "The kid of the key; needed if there are several.") var key: String?
  @Option(help: "The token's iss.") var issuer = ""
  @Option(help: "The token's aud.") var audience = ""
  @Option(help: "The token's sub: who it is for.") var subject = ""
  @Option(help: "The token's jti, by which it can be revoked.") var id: String?
  @Option(help: "Seconds until it expires.") var expires = 3_600.0
  @Argument(
    help:
      "Rights: LIST=read, edit or own. A name that ends with / stands for all that begin with it, * for all."
  )
  var rights: [String] = []

  /// A hundred years.
  private static let longest = 3_155_760_000.0

  func run() async throws {
    let file = URL(fileURLWithPath: keys)
    if new { return try KeyFile.make(at: file) }
    var granted: [String: Right] = [:]
    for text in rights {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count >= 2, let right = Right(rawValue: String(parts[parts.count - 1])) else {
        throw ValidationError("\(text): expected LIST=read, LIST=edit or LIST=own")
      }
      granted[parts.dropLast().joined(separator: "=")] = right
    }
    guard !subject.isEmpty, !granted.isEmpty, !issuer.isEmpty, !audience.isEmpty else {
      throw ValidationError("a token needs --subject, --issuer, --audience and rights")
    }
    guard expires > 0, expires <= Self.longest else {
      throw ValidationError("--expires is more than 0 seconds, and at most \(Int(Self.longest))")
    }
    let expiry = Int((Date().timeIntervalSince1970 + expires) * 1_000)
    let grant = Grant(subject: subject, tokenID: id, expiry: expiry, rights: granted)
    try TokenMint.requireTakeable(grant)
    print(
      try await TokenMint.token(
        grant, keys: try KeyFile.text(of: file), key: key, issuer: issuer, audience: audience))
  }
}

/// Brings the tables to this version.
struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring the tables of PostgreSQL to this relay's version; a file migrates by itself.")

  @OptionGroup var engine: EngineOptions
  @Flag(help: "Only look: 3 if something is pending.") var check = false

  func run() async throws {
    guard case .postgres(let addresses) = engine.address else {
      throw ValidationError("name the database: --postgres URL")
    }
    let engine = PostgresEngine(addresses)
    if check {
      let (found, needed) = try await engine.schemaVersion()
      say("version \(found), this relay needs \(needed)")
      await engine.close()
      if found != needed { throw ExitCode(found < needed ? 3 : 1) }
      return
    }
    let steps = try await engine.migrate()
    await engine.close()
    say(steps == 0 ? "nothing to do" : "\(steps) steps")
  }
}
