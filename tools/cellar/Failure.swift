import ArgumentParser
import Foundation
import ListModel

/// How the command ends when something is in the way: its words, and its exit code.
enum Failure {
  /// Ends with the words for an error that a command threw.
  static func end(_ error: any Error) -> Never {
    // `help` is a command that ends by its own kind of error.
    if CellarCommand.exitCode(for: error) == .success { CellarCommand.exit(withError: error) }
    switch error {
    case let error as StoreError: Output.note("Error: " + error.description)
    case is ExitCode: break
    // The usage is said where arguments can't be understood, not where they don't fit a store.
    case let error as ValidationError: Output.note("Error: " + error.message)
    default: Output.notes(message(of: error))
    }
    CellarCommand.exit(withError: ExitCode(for: error))
  }

  /// Ends with the words for arguments that can't be understood, or with the help that they ask
  /// for.
  static func endParsing(_ error: any Error, of arguments: [String]) -> Never {
    let code = CellarCommand.exitCode(for: error)
    // Help and version are no failure; they quote nothing.
    if code == .success { CellarCommand.exit(withError: error) }
    var lines = message(of: parseError(of: arguments.map(shown)) ?? error)
    if let correction = correction(of: arguments, usage: lines) {
      lines =
        ["Error: " + correction]
        + lines.filter { $0.hasPrefix("Usage:") || $0.hasPrefix("  See") }
    }
    Output.notes(lines)
    CellarCommand.exit(withError: code)
  }

  private static func message(of error: any Error) -> [String] {
    CellarCommand.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// What the parser says of arguments; it quotes them as they are, line ends included.
  private static func parseError(of arguments: [String]) -> (any Error)? {
    do {
      _ = try CellarCommand.parseAsRoot(arguments)
      return nil
    } catch {
      return error
    }
  }

  /// An argument as messages quote it.
  private static func shown(_ argument: String) -> String {
    ShownText.token(ShownText.line(argument), atMost: 300)
  }

  // MARK: Misspelt names

  /// The sentence about a command or an option that is not there; `nil` if all are known.
  ///
  /// The parser reports a missing option before an unknown one, and an unknown command as an
  /// argument too many.
  private static func correction(of arguments: [String], usage lines: [String]) -> String? {
    var type: any ParsableCommand.Type = CellarCommand.self
    for argument in arguments {
      let commands = type.configuration.subcommands
      if commands.isEmpty { break }
      if argument.hasPrefix("-") || argument == "help" { continue }
      guard let next = commands.first(where: { names(of: $0).contains(argument) }) else {
        return unknown(
          "command", argument, of: commands.filter { $0.configuration.shouldDisplay }.flatMap(names)
        )
      }
      type = next
    }
    guard let usage = lines.first(where: { $0.hasPrefix("Usage:") }), !usage.contains("[<options>]")
    else { return nil }
    let options =
      usage.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") }.map(String.init)
      + ["--help", "--version"]
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
      let name = String(argument.prefix { $0 != "=" })
      if !options.contains(name) { return unknown("option", name, of: options) }
    }
    return nil
  }

  private static func unknown(_ kind: String, _ name: String, of known: [String]) -> String {
    let near = NearestNames.nearest(to: name, among: known).first
    return "Unknown \(kind) '\(shown(name))'. "
      + (near.map { "Did you mean '\($0)'?" } ?? "There are \(known.joined(separator: ", ")).")
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command.configuration.commandName ?? String(describing: command).lowercased()]
      + command.configuration.aliases
  }
}
