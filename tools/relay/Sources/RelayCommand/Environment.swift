import ArgumentParser
import Foundation

/// Options from the environment: what a service manager or a container sets.
enum Environment {
  private static let prefix = "CELLAR_RELAY_"

  /// The arguments, and an option for each variable whose option is not among them.
  static func arguments(_ given: some Sequence<String>) -> [String] {
    let given = Array(given)
    guard let command = given.first, !command.hasPrefix("-") else { return given }
    let options = options(of: command)
    var added: [String] = []
    for (name, value) in ProcessInfo.processInfo.environment.sorted(by: { $0.key < $1.key })
    where name.hasPrefix(prefix) {
      let option =
        "--"
        + name.dropFirst(prefix.count).lowercased().replacingOccurrences(of: "_", with: "-")
      let isGiven = given.contains { $0 == option || $0.hasPrefix(option + "=") }
      if isGiven || !options.contains(option) { continue }
      // Several servers stand one behind the other, with white space between them.
      for part in value.split(whereSeparator: \.isWhitespace) { added.append("\(option)=\(part)") }
    }
    return [command] + added + given.dropFirst()
  }

  /// The options of a command that take a value; a variable for another command is none for this one.
  private static func options(of command: String) -> Set<String> {
    let type = CellarRelay.configuration.subcommands.first {
      ($0.configuration.commandName ?? "\($0)".lowercased()) == command
    }
    guard let type else { return [] }
    // Each stands at the beginning of a line of the help, as `--port <port>`.
    let lines = CellarRelay.helpMessage(for: type, columns: 1_000).split(separator: "\n")
    return Set(
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("--"), words[1].hasPrefix("<") else { return nil }
        return String(words[0])
      })
  }
}
