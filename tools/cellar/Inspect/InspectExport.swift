import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a list as a tree, one line of JSON, at its head or as it was earlier.",
      discussion: """
        The list is compared with the digest that the log has for the revision; one that does not \
        agree with it is not printed. A store to which another program has written is the one \
        exception: its head is printed, and the command exits with 2.
        """)

    @Argument(help: ArgumentHelp("The store.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The list's id.", valueName: "id"))
    var list: String

    @Option(
      help: ArgumentHelp(
        """
        A revision, 0 is before the first commit; a time, such as 2026-11-22T14:03:00Z or \
        milliseconds since 1970; or wal:K, after commit K of the write-ahead log, 0 is without it.
        """,
        valueName: "revision|time|wal:K"))
    var at: Moment?

    func validate() throws { _ = try id() }

    func run() throws {
      let whole = try Inspection(of: URL(fileURLWithPath: file))
      let (list, inspection) = (try id(), try at?.inspection(whole) ?? whole)
      let revision = try at?.revision(of: list, inspection)
      let text = try inspection.export(list, at: revision)
      try Output.json(text)
      let isCompared = try say(list, inspection, revision: revision)
      try whole.requireUnchanged()
      if let refusal = inspection.refusal { throw refusal }
      if !isCompared { throw ExitCode(2) }
    }

    /// Says which revision it is and whether it was compared with its digest.
    ///
    /// - Returns: Whether it was.
    private func say(
      _ list: ListID, _ inspection: Inspection, revision: Int?
    ) throws -> Bool {
      let head = try inspection.revision(of: list)
      let revision = revision ?? head
      let isBypassed = inspection.findings.contains { $0.code == .bypassed }
      if isBypassed, revision == head {
        Output.note(
          "warning: revision \(revision), not compared with its digest: another program than Cellar "
            + "has written to the store. See `cellar inspect check`")
        return false
      }
      if at != nil { Output.note("notice: revision \(revision), compared with its digest") }
      return true
    }

    private func id() throws -> ListID {
      do { return try ListID(list) } catch { throw ValidationError("--list: \(error)") }
    }
  }
}

/// A moment in the history of a store, as it is given to a command.
enum Moment: ExpressibleByArgument {
  case revision(Int)
  /// In milliseconds since 1970.
  case time(Int)
  /// After a commit of the write-ahead log.
  case logCommit(Int)

  /// No list has so many commits: numbers from here on are times, of March 1973 and later.
  private static let leastTime = 100_000_000_000
  private static let mostTime = 100_000_000_000_000

  init?(argument: String) {
    if argument.hasPrefix("wal:") {
      guard let number = Int(argument.dropFirst(4)), number >= 0 else { return nil }
      self = .logCommit(number)
    } else if let number = Int(argument) {
      self =
        (Self.leastTime..<Self.mostTime).contains(number) ? .time(number) : .revision(number)
    } else {
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = [.withInternetDateTime]
      if let date = formatter.date(from: argument) {
        // The whole second, because that is how times are printed.
        self = .time(Int(date.timeIntervalSince1970) * 1_000 + 999)
      } else {
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        guard let date = formatter.date(from: argument) else { return nil }
        self = .time(Int((date.timeIntervalSince1970 * 1_000).rounded()))
      }
    }
  }

  /// The store at this moment, as far as the write-ahead log tells.
  func inspection(_ whole: Inspection) throws -> Inspection {
    guard case .logCommit(let number) = self else { return whole }
    return try whole.atLogCommit(number)
  }

  /// The revision of a list at this moment.
  func revision(of list: ListID, _ inspection: Inspection) throws -> Int {
    switch self {
    case .revision(let revision): revision
    case .time(let time): try inspection.revision(of: list, at: time)
    case .logCommit: try inspection.revision(of: list)
    }
  }
}
