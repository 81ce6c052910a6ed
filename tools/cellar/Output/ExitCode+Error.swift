import ArgumentParser
import ListModel

extension ExitCode {
  /// The exit code for what went wrong with a store; scripts decide by it.
  init(for error: any Error) {
    guard let code = (error as? StoreError)?.code else {
      self = AnyCommand.exitCode(for: error)
      return
    }
    self =
      switch code {
      case .modifiedMigration, .foreignSQL: ExitCode(4)
      case .newerStore: ExitCode(5)
      case .busy: ExitCode(6)
      case .verificationFailed: ExitCode(7)
      case .storeFull: ExitCode(9)
      case .changedMeanwhile: ExitCode(70)
      default: .failure
      }
  }

  /// The parser's own errors have the same codes in every command.
  private struct AnyCommand: ParsableCommand {}
}
