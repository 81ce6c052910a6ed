/// All that happens in one run, as a text: a line for each device and each step.
///
/// ```
/// cellar-schedule 1
/// seed 42
/// device a table full
/// 120 a edit 5513
/// 16 server change 802
/// ```
///
/// The seed decides what no step says: which of several tasks goes on first, how long a request takes.
/// Each step has a number of its own, which decides what it does in detail. So a step does much the same
/// thing when others are left out.
struct Schedule: Equatable {
  var seed: UInt64
  /// How many nodes of a relay are the server; `nil` for a server of the simulation's own.
  var relayNodes: Int?
  var devices: [DeviceSetting]
  var steps: [Step]

  /// A device, and how its app shows and keeps its list.
  struct DeviceSetting: Equatable {
    var name: String
    var screen: ScreenKind
    var isFull: Bool
  }

  /// The views that a list can be shown in.
  enum ScreenKind: String, CaseIterable {
    case flow, placed, table
  }

  /// Something that happens.
  struct Step: Equatable {
    /// The milliseconds that pass before it.
    var pause: Int
    /// A device's name, or `server`.
    var subject: String
    var verb: Verb
    var number: UInt64
  }

  /// What can happen; README.md says what each does.
  enum Verb: String, CaseIterable {
    // The user of a device.
    case edit, undo, redo, note, unnote, renote, scroll, rotate, show, leave, hold, drag, discard,
      search
    case inbox, refresh, link, flag
    // Its system.
    case kill, crash, power, launch, suspend, resume, memory, clock
    // Its other process.
    case widget
    // Its disk and its network.
    case fail, full, heal, network
    // The server.
    case change, compact, reset, refuse, snapshot, mail
    // Everybody: until nothing is left to do.
    case rest

    /// Whether the server can do it.
    var isOfServer: Bool {
      switch self {
      case .change, .compact, .reset, .refuse, .snapshot, .mail, .kill, .crash, .power, .launch,
        .fail, .full, .heal, .rest:
        true
      default: false
      }
    }

    /// Whether a device can.
    var isOfDevice: Bool {
      switch self {
      case .change, .compact, .reset, .refuse, .snapshot, .mail: false
      default: true
      }
    }
  }

  /// The first line.
  static let header = "cellar-schedule 1"

  var text: String {
    var lines = [Self.header, "seed \(seed)"]
    if let relayNodes { lines.append("relay \(relayNodes)") }
    for device in devices {
      lines.append(
        "device \(device.name) \(device.screen.rawValue) \(device.isFull ? "full" : "normal")")
    }
    for step in steps {
      lines.append("\(step.pause) \(step.subject) \(step.verb.rawValue) \(step.number)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads a text.
  ///
  /// - Throws: ``Failure`` that names the line.
  init(parsing text: String) throws {
    seed = 0
    devices = []
    steps = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { ($0 + 1, $1.split(separator: " ").map(String.init)) }
      .filter { !$0.1.isEmpty && !$0.1[0].hasPrefix("#") }
    guard let first = lines.first, first.1.joined(separator: " ") == Self.header else {
      throw Failure(line: 1, message: "a schedule begins with \"\(Self.header)\"")
    }
    lines.removeFirst()
    for (number, words) in lines { try read(words, number) }
    if devices.isEmpty { throw Failure(line: 1, message: "a schedule has a device") }
  }

  private mutating func read(_ words: [String], _ line: Int) throws {
    if words[0] == "seed", words.count == 2, let seed = UInt64(words[1]) {
      self.seed = seed
    } else if words[0] == "relay", words.count == 2, let count = Int(words[1]), count > 0 {
      relayNodes = count
    } else if words[0] == "device", words.count == 4, let screen = ScreenKind(rawValue: words[2]),
      ["full", "normal"].contains(words[3])
    {
      devices.append(
        DeviceSetting(name: words[1], screen: screen, isFull: words[3] == "full"))
    } else if words.count == 4, let pause = Int(words[0]), pause >= 0,
      let verb = Verb(rawValue: words[2]), let number = UInt64(words[3])
    {
      guard words[1] == "server" || devices.contains(where: { $0.name == words[1] }) else {
        throw Failure(line: line, message: "no device \(words[1]) was named before")
      }
      if words[1] == "server" ? !verb.isOfServer : !verb.isOfDevice {
        throw Failure(line: line, message: "\(words[1]) has no step \(verb.rawValue)")
      }
      steps.append(Step(pause: pause, subject: words[1], verb: verb, number: number))
    } else {
      throw Failure(
        line: line,
        message: "expected \"seed N\", \"relay NODES\", \"device NAME SCREEN full|normal\" or "
          + "\"MILLISECONDS SUBJECT VERB NUMBER\"")
    }
  }

  init(seed: UInt64, relayNodes: Int?, devices: [DeviceSetting], steps: [Step]) {
    self.seed = seed
    self.relayNodes = relayNodes
    self.devices = devices
    self.steps = steps
  }

  /// A text that is no schedule.
  struct Failure: Error, CustomStringConvertible {
    var line: Int
    var message: String
    var description: String { "line \(line): \(message)" }
  }
}
