package import BatchUpdates
import Dispatch
package import Providers

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
    _ revisions: AsyncStream<Int>, onCommit: @escaping @MainActor () async -> Duration?
  ) -> Task<Void, Never> {
    Task {
      // The stream keeps the newest revision only.
      for await _ in revisions {
        guard let pause = await onCommit() else { return }
        try? await Task.sleep(for: min(pause, longestPause))
      }
    }
  }
  /// A list that was brought to a later revision.
  package struct Advance: Sendable {
    /// The revision that it was brought from; `nil` for a list without a token.
    package let from: Token?
    /// The list at the later revision.
    package let provider: Provider
    /// The update from one to the other.
    package let batch: BatchUpdate
  }

  /// Brings a copy of a Provider to the list's newest revision, on another thread than the caller's.
  ///
  /// - Returns: `nil` if the store can't be read.
  package func advanced(_ provider: Provider) async -> Advance? {
    await withCheckedContinuation { continuation in
      // The threads of tasks must not wait for disks.
      DispatchQueue.global(qos: .userInteractive).async {
        var next = provider
        let batch = try? advance(&next)
        continuation.resume(
          returning: batch.map { Advance(from: provider.token, provider: next, batch: $0) })
      }
    }
  }
}
