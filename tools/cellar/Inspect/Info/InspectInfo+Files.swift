import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect.Info {
  /// What is in the write-ahead log, and how the files beside the store are.
  func files(_ inspection: Inspection) -> InspectAnswer {
    let evidence = inspection.evidence
    let findings = inspection.findings.filter { finding in
      [.logMissing, .logTorn, .logUncommitted, .logForeign, .journal, .open].contains(
        finding.code)
    }
    return InspectAnswer(
      FileAnswer(evidence, findings), isSound: findings.allSatisfy { $0.severity == .notice },
      lines: Self.lines(evidence) + findings.flatMap(\.lines))
  }

  private struct FileAnswer: Encodable {
    var formatVersion = 1
    var files: [StoreEvidence.File]
    var log: StoreEvidence.Log?
    var journal: StoreEvidence.Journal?
    var findings: [Finding]

    init(_ evidence: StoreEvidence, _ findings: [Finding]) {
      files = evidence.files
      log = evidence.log
      journal = evidence.journal
      self.findings = findings
    }
  }

  private static func lines(_ evidence: StoreEvidence) -> [String] {
    evidence.files.map { file in
      "\(file.path): \(Output.count(file.byteCount, "byte")), changed "
        + Output.date(file.modifiedAt / 1_000_000)
    } + [evidence.log.map { "write-ahead log: " + line($0) } ?? "no write-ahead log"]
  }

  /// What a log holds, in a line.
  static func line(_ log: StoreEvidence.Log) -> String {
    let parts = [
      "\(Output.count(log.commitCount, "commit")) with \(Output.count(log.frameCount, "page"))",
      log.uncommittedByteCount == 0 ? nil : "\(log.uncommittedByteCount) bytes not committed",
      log.tornByteCount == 0 ? nil : "last \(log.tornByteCount) bytes torn",
      log.staleByteCount == 0 ? nil : "\(log.staleByteCount) bytes left from before",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
