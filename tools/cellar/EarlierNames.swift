/// The names that commands had when they stood in three groups.
///
/// Scripts use them, so they go on working; no help lists them.
enum EarlierNames {
  /// Arguments with the names of now.
  static func replaced(in arguments: [String]) -> [String] {
    if arguments.first == "help" {
      // Options are none of a command's name.
      return ["help"] + replaced(in: Array(arguments.dropFirst())).prefix { !$0.hasPrefix("-") }
    }
    guard let group = arguments.first, let commands = groups[group] else { return arguments }
    guard let name = arguments.dropFirst().first, let now = commands[name] else {
      // A group has no help of its own; what follows is a command or an option of the root's.
      return Array(arguments.dropFirst())
    }
    return now + arguments.dropFirst(2)
  }

  private static let groups: [String: [String: [String]]] = [
    "inspect": [
      "summary": ["info"], "sizes": ["info", "--sizes"], "cells": ["info", "--cells"],
      "space": ["info", "--space"], "wal": ["info", "--wal"],
      "check": ["check", "--as-inspect"],
    ],
    "migrate": [
      "plan": ["up", "--dry-run"], "verify": ["check", "--as-verify"],
      "backups": ["backup", "--list"],
      "rename-cell": ["rename", "cell"], "rename-type": ["rename", "type"],
      "rename-view": ["rename", "view"],
    ],
    "plan": ["diff": ["diff", "--batch"], "check": ["check-batch"]],
  ]
}
