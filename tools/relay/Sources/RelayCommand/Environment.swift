import Foundation

/// Options from the environment: what a service manager or a container sets.
enum Environment {
  private static let prefix = "CELLAR_RELAY_"

  /// The arguments, and an option for each variable whose option is not among them.
  static func arguments(_ given: some Sequence<String>) -> [String] {
    let given = Array(given)
    guard let command = given.first, !command.hasPrefix("-") else { return given }
    var added: [String] = []
    for (name, value) in ProcessInfo.processInfo.environment.sorted(by: { $0.key < $1.key })
    where name.hasPrefix(prefix) {
      let option =
        "--"
        + name.dropFirst(prefix.count).lowercased().replacingOccurrences(of: "_", with: "-")
      let isGiven = given.contains { $0 == option || $0.hasPrefix(option + "=") }
      if isGiven || !(options[command] ?? []).contains(option) { continue }
      // Several servers stand one behind the other, with white space between them.
      for part in value.split(whereSeparator: \.isWhitespace) { added.append("\(option)=\(part)") }
    }
    return [command] + added + given.dropFirst()
  }

  private static let engine = ["--file", "--postgres"]

  /// Which options a command has; a variable for another command is none for this one.
  private static let options: [String: [String]] = [
    "serve": engine + [
      "--folder", "--host", "--port", "--keys", "--issuer", "--audience", "--shared-age",
      "--edits-per-second", "--bytes-per-second", "--connections", "--look-every",
      "--compact-every", "--keep-days", "--keep-answers-days", "--most-items", "--most-lists",
      "--postgres-connections", "--postgres-patience", "--log-level",
    ],
    "check": engine, "import": engine, "export": engine, "migrate": engine,
    "compact": engine + ["--keep-days", "--keep-answers-days"],
    "token": ["--keys", "--issuer", "--audience"],
  ]
}
