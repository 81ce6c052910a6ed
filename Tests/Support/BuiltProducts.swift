public import Foundation

// Apps of the other systems start no programs.
#if os(macOS) || os(Linux)
  /// The programs that were built with the tests.
  public enum BuiltProducts {
    /// A program beside the test bundle.
    public static func program(_ name: String) -> URL {
      #if canImport(Darwin)
        // A host of the toolchain's loads the bundle, by whatever call: this class is in it.
        let bundle = Bundle(for: InThisBundle.self)
        if bundle.bundlePath.hasSuffix(".xctest") {
          return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent(name)
        }
      #endif
      // Linux runs the bundle itself.
      return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent(name)
    }

    #if canImport(Darwin)
      private final class InThisBundle {}
    #endif

    /// What a program did.
    public struct Outcome: Sendable {
      /// As a shell has it: 128 and the signal's number for a program that a signal has ended.
      public var exitCode: Int32
      /// What it wrote to its standard output.
      public var output: String
      /// What it wrote to its standard error.
      public var errors: String
    }

    /// Runs a program to its end.
    ///
    /// `processorTime`: The most seconds of processor time that it gets before a signal ends it.
    /// `addressSpace`: The most bytes of memory that it may map; what it takes besides is refused.
    public static func run(
      _ name: String, _ arguments: [String], input: Data? = nil, in folder: URL? = nil,
      processorTime: Int? = nil, addressSpace: Int? = nil
    ) throws -> Outcome {
      let scratch = try TemporaryFolder()
      // Files instead of pipes: no reader has to keep up, and nothing can deadlock.
      let files = ["in", "out", "err"].map { scratch.file($0) }
      try (input ?? Data()).write(to: files[0])
      for file in files[1...] { try Data().write(to: file) }
      let process = Process()
      let limits =
        (processorTime.map { "ulimit -t \($0) && " } ?? "")
        + (addressSpace.map { "ulimit -v \($0 >> 10) && " } ?? "")
      if !limits.isEmpty {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let script = limits + "exec \"$0\" \"$@\""
        process.arguments = ["-c", script, program(name).path] + arguments
      } else {
        process.executableURL = program(name)
        process.arguments = arguments
      }
      process.standardInput = try FileHandle(forReadingFrom: files[0])
      process.standardOutput = try FileHandle(forWritingTo: files[1])
      process.standardError = try FileHandle(forWritingTo: files[2])
      if let folder { process.currentDirectoryURL = folder }
      try process.run()
      process.waitUntilExit()
      let isEndedBySignal = process.terminationReason == .uncaughtSignal
      return Outcome(
        exitCode: process.terminationStatus + (isEndedBySignal ? 128 : 0),
        output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }
  }
#endif
