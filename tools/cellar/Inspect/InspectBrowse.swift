import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Browse: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Walk through lists, sections, items and revisions with the keyboard.",
      discussion: """
        ? shows the keys, q quits. Only what is on the screen is read. `ls`, `show`, `log` and \
        `report` tell the same without a terminal.
        """)

    @OptionGroup var stores: BrowsedFile

    @OptionGroup var content: ContentOption

    struct BrowsedFile: InspectedStores {
      @Argument(help: ArgumentHelp("The store.", valueName: "file"))
      var file: String

      @OptionGroup var opening: OpeningOption

      var files: [String] { [file] }
      var json: Bool { false }
    }

    /// A signal that has ended the browser.
    private struct Interruption: Error {
      var signal: Int32
    }

    func run() throws {
      guard BrowseTerminal.isThere else {
        Output.note(
          "Error: `browse` needs a terminal; `cellar inspect ls` and `report` work without one")
        throw ExitCode(64)
      }
      do { try browse() } catch let interruption as Interruption { end(by: interruption.signal) }
    }

    /// Ends as whoever sent the signal expects; all is tidied up.
    private func end(by number: Int32) {
      signal(number, SIG_DFL)
      // Dispatch blocks the signals that it waits for.
      var numbers = sigset_t()
      sigemptyset(&numbers)
      sigaddset(&numbers, number)
      pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
      raise(number)
    }

    private func browse() throws {
      try stores.forEach { inspection in
        var browser = try Browser(
          BrowseSource(inspection, content: content.content), BrowseTerminal())
        if let signal = try browser.run() { throw Interruption(signal: signal) }
        return browser.isSound
      }
    }
  }
}
