import Foundation
import GRDB
import ListModel
import ListStore
import StoreFiles
import TestSupport
import Testing

/// Does one thing to copies of one store, again and again, while one call or another fails.
final class FaultRun {
  private let operation: FaultyOperation
  private let template: TemporaryFolder
  /// After opening, and after each step.
  private var states: [StoreState] = []
  private static let name = "store.sqlite"

  /// Makes the store and finds out what each step makes of it.
  init(_ operation: FaultyOperation) throws {
    self.operation = operation
    template = try TemporaryFolder()
    try operation.prepare(template.file(Self.name))
    let folder = try copyOfTemplate()
    let repository = try operation.open(folder.file(Self.name))
    states.append(try StoreState(of: repository))
    for step in operation.steps {
      try step(repository)
      states.append(try StoreState(of: repository))
    }
  }

  private func copyOfTemplate() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: template.url.path) {
      try FileManager.default.copyItem(at: template.file(name), to: folder.file(name))
    }
    return folder
  }

  /// How many calls each fault could meet.
  func numbersOfCalls() throws -> [Int] {
    let folder = try copyOfTemplate()
    let scope = try FaultScope(folder.url)
    scope.count()
    var acknowledged = 0
    try operation.take(operation.open(folder.file(Self.name)), acknowledged: &acknowledged)
    #expect(acknowledged == operation.steps.count)
    return Fault.all.map { scope.calls(of: $0) }
  }

  /// Lets a call fail, and checks what then is there.
  ///
  /// - Returns: `false` if there is no such call: the operation succeeded.
  func run(_ fault: Fault, at call: Int) throws -> Bool {
    let folder = try copyOfTemplate()
    let file = folder.file(Self.name)
    let scope = try FaultScope(folder.url)
    var hint = "\(operation.testDescription): \(fault), call \(call)"
    var acknowledged = 0
    var failure: (any Error)?
    var repository: Repository?
    scope.arm(fault, at: call)
    do {
      let opened = try operation.open(file)
      repository = opened
      try operation.take(opened, acknowledged: &acknowledged)
    } catch {
      failure = error
    }
    let isHit = scope.failures > 0
    if fault.lasts, let failed = repository { _ = try? StoreState(of: failed) }
    scope.disarm()
    hint += failure.map { ", after \(acknowledged): \($0)" } ?? ", succeeded"
    if let failure {
      let error = try #require(failure as? StoreError, "\(hint)")
      #expect(isHit, "\(hint)")
      #expect(fault.codes.contains(error.code), "\(error.code): \(hint)")
    }
    // A step that failed was taken or was not; what was acknowledged is there.
    var allowed = acknowledged..<(acknowledged + 1)
    if failure != nil, acknowledged < operation.steps.count {
      allowed = acknowledged..<(acknowledged + 2)
    }

    // In half of the runs the very repository whose call failed goes on, else a new one.
    let goesOn = repository != nil && call % 2 == 0
    if let repository, goesOn { try goOn(repository, from: allowed, hint) }
    repository = nil
    if goesOn { allowed = operation.steps.count..<(operation.steps.count + 1) }

    let names = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
    // The journal of a transaction that could not be taken back waits for the next connection.
    let known = ["", "-wal", "-shm", "-journal"].map { Self.name + $0 } + [".backups"]
    #expect(names.subtracting(known) == [], "\(hint)")
    guard names.contains(Self.name) else {
      #expect(operation.isCreation && acknowledged == 0 && names.isEmpty, "\(hint)")
      return isHit
    }
    try reopen(file, expecting: allowed, hint)
    // SQLite leaves one that restores nothing, where the change from a log to journals failed.
    let journal = try RollbackJournal(ofDatabase: file.path, pageSize: 4_096, naming: file.path)
    #expect(journal?.isPending != true, "\(hint)")
    return isHit
  }

  /// Checks where a store stands, and takes the steps that are left.
  private func goOn(_ repository: Repository, from allowed: Range<Int>, _ hint: String) throws {
    do {
      let state = try StoreState(of: repository)
      guard let taken = allowed.first(where: { states[$0] == state }) else {
        Issue.record("\(hint): \(state.summary), not \(states[allowed].map(\.summary))")
        return
      }
      for step in operation.steps[taken...] { try step(repository) }
      let last = try StoreState(of: repository)
      #expect(
        last == states[operation.steps.count],
        "\(hint): gone on from step \(taken), \(last.summary)")
    } catch {
      Issue.record("\(hint); and then: \(error)")
    }
  }

  private func reopen(_ file: URL, expecting allowed: Range<Int>, _ hint: String) throws {
    do {
      let repository = try operation.reopen(file)
      let problems = try repository.checkInvariants()
      #expect(problems.isEmpty, "\(hint)")
      let integrity = try repository.read("check the file") { db in
        try String.fetchAll(db, sql: "PRAGMA integrity_check")
      }
      #expect(integrity == ["ok"], "\(hint)")
      try goOn(repository, from: allowed, "\(hint), reopened")
    } catch {
      Issue.record("\(hint); and reopened: \(error)")
    }
  }
}
