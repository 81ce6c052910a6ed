import ArgumentParser
import Foundation

/// Runs one schedule.
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs one schedule, and prints what identifies the run.",
    discussion: "Ends with 0 if everything held, with 2 if a check found something.")

  @Argument(help: "A file with a schedule; - for the standard input.")
  var file: String

  @Flag(help: "Run it twice, and compare all that happened.")
  var twice = false

  @Flag(help: "Print each piece of work and each write.")
  var trace = false

  func run() throws {
    try SteadyProcess.begin()
    let schedule = try Self.schedule(file)
    let (result, output) = try Child(schedule, slot: 0, printsTrace: trace).wait()
    print(output, terminator: "")
    print(result.finding == nil ? "Everything held." : "Something is wrong.")
    if twice {
      let again = try Child(schedule, slot: 0).wait().result
      if again.trace != result.trace {
        print("nondeterminism: the second run has trace \(again.trace ?? "none")")
        throw ExitCode(2)
      }
    }
    if result.finding != nil { throw ExitCode(2) }
  }

  /// Reads a schedule.
  static func schedule(_ file: String) throws -> Schedule {
    do { return try Schedule(parsing: text(file)) } catch let failure as Schedule.Failure {
      throw ValidationError("\(file == "-" ? "standard input" : file), \(failure)")
    }
  }

  private static func text(_ file: String) throws -> String {
    if file != "-" {
      do { return try String(contentsOfFile: file, encoding: .utf8) } catch {
        throw ValidationError("\(file) can't be read: \(error.localizedDescription)")
      }
    }
    return String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
  }
}
