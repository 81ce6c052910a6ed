extension LiveList {
  /// How long adapters and followers wait between two updates that they make by themselves, unless
  /// the app says otherwise: a frame at 60 Hz.
  ///
  /// Faster than frames, nobody sees what is shown.
  public static let updateInterval = Duration.milliseconds(16)

  /// The longest time that a task waits, 30 years: `Task.sleep` ends the process for much longer ones.
  package static let longestPause = Duration.seconds(1_000_000_000)

  /// Calls a closure after commits: at once after the first, and after those that follow within the
  /// time that it returns once, at the end of that time.
  ///
  /// - Parameters:
  ///   - revisions: The list's.
  ///   - onCommit: Returns how long to wait at least until it is called again; `nil` to stop.
  /// - Returns: A task; cancelling it ends the calls.
  @MainActor package static func observe(
    _ revisions: AsyncStream<Int>, onCommit: @escaping @MainActor () -> Duration?
  ) -> Task<Void, Never> {
    Task {
      // The stream keeps the newest revision only.
      for await _ in revisions {
        guard let pause = onCommit() else { return }
        try? await Task.sleep(for: min(pause, longestPause))
      }
    }
  }
}
