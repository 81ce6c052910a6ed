import ArgumentParser
import Foundation

/// Options from the environment: what a service manager or a container sets.
enum Environment {
  private static let prefix = "CELLAR_RELAY_"

  /// The arguments, and an option for each variable whose option is not among them.
  ///
  /// A variable that is empty says nothing. One that no command has an option for is reported by its name.
  static func arguments(_ given: some Sequence<String>) -> [String] {
    let given = Array(given)
    guard let command = given.first, !command.hasPrefix("-") else { return given }
    let options = options(of: command)
    let known = Set(CellarRelay.configuration.subcommands.flatMap { Self.options(of: $0) })
    var added: [String] = []
    for (name, value) in ProcessInfo.processInfo.environment.sorted(by: { $0.key < $1.key })
    where name.hasPrefix(prefix) {
      let option =
        "--"
        + name.dropFirst(prefix.count).lowercased().replacingOccurrences(of: "_", with: "-")
      guard known.contains(option) else {
        say("\(name) is ignored: no command has an option \(option)")
        continue
      }
      if options.contains(option), !isGiven(option, in: given), !value.allSatisfy(\.isWhitespace) {
        for part in parts(of: value, for: option) { added.append("\(option)=\(part)") }
      }
    }
    return [command] + added + given.dropFirst()
  }

  /// Whether what is given says the same: where the logs are is one thing, with two options.
  private static func isGiven(_ option: String, in given: [String]) -> Bool {
    let engine = ["--file", "--postgres"]
    return (engine.contains(option) ? engine : [option]).contains { option in
      given.contains { $0 == option || $0.hasPrefix(option + "=") }
    }
  }

  /// The values in a variable.
  ///
  /// Several servers of PostgreSQL stand with white space between their URLs; a connection string has white
  /// space of its own.
  private static func parts(of value: String, for option: String) -> [String] {
    let parts = value.split(whereSeparator: \.isWhitespace).map(String.init)
    return option == "--postgres" && parts.allSatisfy { $0.contains("://") } ? parts : [value]
  }

  /// The options of a command that take a value.
  private static func options(of command: String) -> Set<String> {
    let type = CellarRelay.configuration.subcommands.first {
      ($0.configuration.commandName ?? "\($0)".lowercased()) == command
    }
    return type.map { options(of: $0) } ?? []
  }

  private static func options(of command: any ParsableCommand.Type) -> Set<String> {
    // Each stands at the beginning of a line of the help, as `--port <port>`.
    let lines = CellarRelay.helpMessage(for: command, columns: 1_000).split(separator: "\n")
    return Set(
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("--"), words[1].hasPrefix("<") else { return nil }
        return String(words[0])
      })
  }
}
