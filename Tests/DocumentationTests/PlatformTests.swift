import Foundation
import TestSupport
import Testing

/// What UIKit lacks on a system is not compiled there: nobody here can build for tvOS or visionOS,
/// so the conditions are evaluated line by line.
@Suite struct PlatformTests {
  enum System: String, CaseIterable {
    case iOS, tvOS, visionOS, watchOS, macOS, linux = "Linux"

    /// Whether there is a module of the name.
    func has(_ module: String) -> Bool {
      switch (module, self) {
      case ("UIKit", .iOS), ("UIKit", .tvOS), ("UIKit", .visionOS), ("UIKit", .watchOS): true
      default: false
      }
    }
  }

  /// What is used somewhere, and where UIKit does not have it, as its documentation says.
  static let lacking: [(symbol: String, systems: Set<System>)] = [
    ("View.hasActiveDrag", [.tvOS]), ("View.hasActiveDrop", [.tvOS]),
    ("SwipeActionsConfiguration", [.tvOS]), ("UIRefreshControl", [.tvOS]), ("UISwitch", [.tvOS]),
    ("UISlider", [.tvOS]), ("UIStepper", [.tvOS]), ("UIPasteboard", [.tvOS]),
    ("isPagingEnabled", [.tvOS]), ("UIScreen", [.visionOS]),
    // Deprecated since iOS 26: a window belongs to a scene.
    ("UIWindow(frame:", [.iOS, .tvOS, .visionOS]),
  ]

  /// What tvOS has since a version later than ours.
  static let laterOnTVOS = [
    "UIContextMenuConfiguration", "contextMenuConfiguration", "menu(forItemAt",
  ]

  /// A line, the number of it, and whether `@available(tvOS 17.0, *)` stands above its declaration.
  struct Line {
    var number: Int
    var text: String
    var isOnlyForTVOS17: Bool
  }

  /// The lines that a compiler for a system sees.
  static func lines(of source: String, on system: System) -> [Line] {
    var lines: [Line] = []
    // Of each open condition: whether its branch holds, and whether one did before.
    var open: [(holds: Bool, held: Bool)] = []
    var isAvailable = false
    for (index, raw) in source.components(separatedBy: "\n").enumerated() {
      let text = raw.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("#if ") {
        let holds = holds(String(text.dropFirst(4)), on: system)
        open.append((holds, holds))
      } else if text.hasPrefix("#elseif "), let last = open.popLast() {
        let holds = !last.held && holds(String(text.dropFirst(8)), on: system)
        open.append((holds, last.held || holds))
      } else if text == "#else", let last = open.popLast() {
        open.append((!last.held, true))
      } else if text == "#endif" {
        open.removeLast()
      } else if open.allSatisfy(\.holds), !text.hasPrefix("//") {
        if text == "@available(tvOS 17.0, *)" { isAvailable = true }
        lines.append(Line(number: index + 1, text: raw + "\n", isOnlyForTVOS17: isAvailable))
        // The end of a declaration in a type or an extension.
        if raw == "  }" { isAvailable = false }
      }
    }
    return lines
  }

  /// The value of a condition: names, `!`, `&&`, `||`.
  static func holds(_ condition: String, on system: System) -> Bool {
    condition.components(separatedBy: " || ").contains { alternative in
      alternative.components(separatedBy: " && ").allSatisfy { term in
        let name = term.drop { $0 == "!" }
        let argument = name.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
        let value =
          name.hasPrefix("os(") ? argument == system.rawValue[...] : system.has(String(argument))
        return value != term.hasPrefix("!")
      }
    }
  }

  private static func sources() throws -> [(name: String, text: String)] {
    try ["Sources/ListViews", "Sources/CellarUIKit", "tools/sample"].flatMap { folder in
      let root = PackageFiles.root.appendingPathComponent(folder)
      let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
      return try (names ?? []).filter { $0.hasSuffix(".swift") }.sorted().map {
        (
          folder + "/" + $0,
          try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)
        )
      }
    }
  }

  @Test(arguments: System.allCases)
  func nothingIsUsedThatTheSystemLacks(_ system: System) throws {
    let sources = try Self.sources()
    #expect(sources.count > 25)
    for (name, text) in sources {
      for line in Self.lines(of: text, on: system) {
        for (symbol, systems) in Self.lacking where systems.contains(system) {
          #expect(!line.text.contains(symbol), "\(name):\(line.number) on \(system.rawValue)")
        }
        guard system == .tvOS, !line.isOnlyForTVOS17 else { continue }
        for symbol in Self.laterOnTVOS {
          #expect(!line.text.contains(symbol), "\(name):\(line.number) before tvOS 17")
        }
      }
    }
  }

  /// Views come from UIKit where it has some, else from HeadlessUIKit, never from both: the
  /// library's through ListViews, the sample's as an app imports them.
  @Test(arguments: System.allCases)
  func eachFileHasItsViewsFromOneModule(_ system: System) throws {
    let (has, other) =
      system.has("UIKit") && system != .watchOS
      ? ("UIKit", "HeadlessUIKit") : ("HeadlessUIKit", "UIKit")
    var count = 0
    for (name, text) in try Self.sources() {
      let lines = Self.lines(of: text, on: system).map(\.text)
      #expect(!lines.contains { $0.hasSuffix("import \(other)\n") }, "\(name)")
      let ours = lines.filter { $0.hasSuffix("import \(has)\n") }.count
      if name.hasPrefix("Sources/CellarUIKit/") {
        #expect(ours == 0, "\(name) imports views past ListViews")
      } else if name.hasPrefix("Sources/ListViews/") {
        #expect(ours == 1, "\(name)")
      }
      count += ours
    }
    #expect(count > 3)
  }

  @Test func theConditionsAreEvaluated() {
    let source = """
      #if os(tvOS)
      a
      #elseif canImport(UIKit) && !os(watchOS)
      b
      #else
      c
      #endif
      #if !canImport(UIKit) || os(watchOS)
      d
      #endif
      """
    let seen = Dictionary(
      uniqueKeysWithValues: System.allCases.map { system in
        let lines = Self.lines(of: source, on: system)
        return (system, lines.map { $0.text.trimmingCharacters(in: .newlines) }.joined())
      })
    #expect(
      seen == [
        .iOS: "b", .tvOS: "a", .visionOS: "b", .watchOS: "cd", .macOS: "cd", .linux: "cd",
      ])
  }
}
