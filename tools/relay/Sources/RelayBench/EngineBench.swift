import ArgumentParser
import Foundation
import GRDB
import Relay
import RelayEngine

/// Durable commits a second, at the engine's own protocol.
struct EngineBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine", abstract: "Commits over many lists, and lines on one.")

  @Option(help: "An SQLite file, which must not exist; and one beside it for plain inserts.")
  var file: String?
  @Option(help: "PostgreSQL, with the relay's tables.") var postgres: [String] = []
  @Option(help: "Seconds for each measurement.") var seconds = 5.0
  @Option(help: "Lists.") var lists = 10_000
  @Option(help: "Writers at once.") var writers = 64
  @Option(help: "Bytes of a line.") var bytes = 300

  func run() async throws {
    let address: RelayConfiguration.EngineAddress =
      if let file { .file(URL(fileURLWithPath: file)) } else { .postgres(postgres) }
    let engine = try await RelayConfiguration(engine: address).openEngine()
    let many = try await commitsOverManyLists(engine)
    print("commits over \(lists) lists, \(writers) writers: \(many.shown()) /s")
    let hot = try await linesOnOneList(engine)
    print("lines on one list, in batches of 100: \(hot.shown()) /s")
    await engine.close()
    if let file {
      let plain = try plainInserts(file + ".plain", perTransaction: writers)
      print("plain inserts of the same rows, \(writers) a transaction: \(plain.shown()) /s")
    }
  }

  private var text: [UInt8] { Array(repeating: UInt8(ascii: "x"), count: bytes) }

  private func line(_ number: Int, _ edit: String?) -> LogLine {
    var hash = [UInt8](repeating: 0, count: 16)
    for index in 0..<8 { hash[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    return LogLine(LogPosition(number, hash), text: text, edit: edit.map { EditKey($0, of: "ann") })
  }

  private func commitsOverManyLists(_ engine: any Engine) async throws -> Double {
    // Each list has its lines before the measurement begins, so that it is not about making lists.
    let run = UUID().uuidString.prefix(8)
    let share = lists / writers
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          for list in 0..<share {
            _ = try await engine.append(
              LogBatch(to: "\(run)/\(writer)/\(list)", after: nil, [line(1, nil)], at: 1))
          }
        }
      }
      try await group.waitForAll()
    }
    let end = ContinuousClock.now + .seconds(seconds)
    let start = ContinuousClock.now
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<writers {
        group.addTask {
          var heads = [Int](repeating: 1, count: share)
          var count = 0
          while ContinuousClock.now < end {
            let list = Int.random(in: 0..<share)
            let next = line(heads[list] + 1, "\(run)\(writer).\(count)")
            let batch = LogBatch(
              to: "\(run)/\(writer)/\(list)", after: line(heads[list], nil).position, [next], at: 1)
            guard try await engine.append(batch) == .appended else { throw ExitCode(1) }
            heads[list] += 1
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  private func linesOnOneList(_ engine: any Engine) async throws -> Double {
    let list = UUID().uuidString
    let start = ContinuousClock.now
    var head = 0
    while ContinuousClock.now < start + .seconds(seconds) {
      let lines = (1...100).map { line(head + $0, nil) }
      let batch = LogBatch(
        to: list, after: head == 0 ? nil : line(head, nil).position, lines, at: 1)
      guard try await engine.append(batch) == .appended else { throw ExitCode(1) }
      head += 100
    }
    return Double(head) / ((ContinuousClock.now - start) / .seconds(1))
  }

  /// What SQLite does with the rows of a commit if it only inserts them: line, edit, head, and who has
  /// moved.
  private func plainInserts(_ file: String, perTransaction count: Int) throws -> Double {
    let pool = try DatabasePool(path: file)
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE list (id TEXT PRIMARY KEY, head INTEGER, hash BLOB) WITHOUT ROWID;
          CREATE TABLE line (list INTEGER, seq INTEGER, hash BLOB, subject TEXT, edit TEXT, text TEXT,
            PRIMARY KEY (list, seq)) WITHOUT ROWID;
          CREATE TABLE edit (list INTEGER, subject TEXT, id TEXT, seq INTEGER, at INTEGER,
            PRIMARY KEY (list, subject, id)) WITHOUT ROWID;
          CREATE TABLE moved (number INTEGER PRIMARY KEY AUTOINCREMENT, list TEXT, at INTEGER);
          """)
      for list in 0..<lists {
        try db.execute(sql: "INSERT INTO list VALUES (?, 0, x'')", arguments: ["list/\(list)"])
      }
    }
    let text = String(decoding: text, as: UTF8.self)
    let hash = Data(count: 16)
    let start = ContinuousClock.now
    var number = 0
    while ContinuousClock.now < start + .seconds(seconds) {
      try pool.write { db in
        for _ in 0..<count {
          number += 1
          let list = Int.random(in: 0..<lists)
          try db.cachedStatement(sql: "UPDATE list SET head = ?, hash = ? WHERE id = ?")
            .execute(arguments: [number, hash, "list/\(list)"])
          try db.cachedStatement(sql: "INSERT INTO line VALUES (?, ?, ?, 'ann', ?, ?)")
            .execute(arguments: [list, number, hash, "\(number)", text])
          try db.cachedStatement(sql: "INSERT INTO edit VALUES (?, 'ann', ?, ?, 1)")
            .execute(arguments: [list, "\(number)", number])
          try db.cachedStatement(sql: "INSERT INTO moved (list, at) VALUES (?, 1)")
            .execute(arguments: ["list/\(list)"])
        }
      }
    }
    return Double(number) / ((ContinuousClock.now - start) / .seconds(1))
  }
}
