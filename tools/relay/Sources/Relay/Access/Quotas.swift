import NIOConcurrencyHelpers

/// How much one user may ask of a node.
package struct Quota: Hashable, Sendable {
  /// Edits and appended lines a second, and how many may come at once.
  package var editsPerSecond: Double
  /// Bytes of edits a second, and how many may come at once.
  package var bytesPerSecond: Double
  /// Requests that are under way at once, those that wait for lines included.
  package var connections: Int
  /// Lists under one prefix that tokens grant, such as `user/42/`; a list more is not made.
  package var lists: Int

  /// A quota.
  package init(
    editsPerSecond: Double = 1_000, bytesPerSecond: Double = 16_777_216, connections: Int = 1_000,
    lists: Int = 10_000
  ) {
    self.editsPerSecond = editsPerSecond
    self.bytesPerSecond = bytesPerSecond
    self.connections = connections
    self.lists = lists
  }
}

/// What each user has used of the quota; one user's use is never counted for another.
final class Quotas: Sendable {
  let quota: Quota
  private let uses = NIOLockedValueBox<[String: Use]>([:])

  private struct Use {
    var edits: Bucket
    var bytes: Bucket
    var connections = 0
  }

  /// A bucket that fills up by the second, to what one second brings.
  private struct Bucket {
    var level: Double
    var time: Int

    /// Takes an amount.
    ///
    /// - Returns: The seconds until it is there; 0 if it was taken.
    mutating func take(_ amount: Double, of rate: Double, at now: Int) -> Double {
      level = min(rate, level + Double(max(0, now - time)) / 1_000 * rate)
      time = now
      // What is larger than the bucket is taken when it is full.
      let needed = min(amount, rate)
      guard level >= needed else { return (needed - level) / max(rate, 1e-9) }
      level -= amount
      return 0
    }
  }

  init(_ quota: Quota) { self.quota = quota }

  /// How long it takes to be refused.
  ///
  /// Who asks again at once, whatever the answer says, would keep the node from others by being refused. So
  /// each connection of a user, of which there are so many at most, is refused four times a second.
  private static let pauseBeforeRefusal = Duration.milliseconds(250)

  /// Counts edits that come as one request.
  ///
  /// - Throws: ``RelayFailure`` with ``RelayFailure/Kind/tooMuch(retryAfter:)``, after a while.
  func countEdits(_ count: Int = 1, of user: String, byteCount: Int, at now: Int) async throws {
    let pause = uses.withLockedValue { uses in
      var use = uses[user] ?? newUse(at: now)
      let pause = max(
        use.edits.take(Double(count), of: quota.editsPerSecond, at: now),
        use.bytes.take(Double(byteCount), of: quota.bytesPerSecond, at: now))
      uses[user] = use
      return pause
    }
    if pause > 0 {
      try await Task.sleep(for: Self.pauseBeforeRefusal)
      throw RelayFailure(
        .tooMuch(retryAfter: Int(min(pause.rounded(.up), 3_600))), "the quota of edits is used up")
    }
  }

  /// Counts a request as one of the user's connections, as long as what it returns is there.
  func enter(_ user: String, at now: Int) throws -> ConnectionUse {
    let isFree = uses.withLockedValue { uses in
      var use = uses[user] ?? newUse(at: now)
      guard use.connections < quota.connections else { return false }
      use.connections += 1
      uses[user] = use
      return true
    }
    guard isFree else {
      throw RelayFailure(.tooMuch(retryAfter: 1), "the quota of connections is used up")
    }
    return ConnectionUse(quotas: self, user: user)
  }

  fileprivate func leave(_ user: String) {
    uses.withLockedValue { uses in
      uses[user]?.connections -= 1
      // Those who have gone are forgotten once in a while; a full bucket is as good as a new one.
      if uses.count > 100_000 { uses = uses.filter { $0.value.connections > 0 } }
    }
  }

  private func newUse(at now: Int) -> Use {
    Use(
      edits: Bucket(level: quota.editsPerSecond, time: now),
      bytes: Bucket(level: quota.bytesPerSecond, time: now))
  }
}

/// A request that is under way.
final class ConnectionUse: Sendable {
  private let quotas: Quotas
  private let user: String

  fileprivate init(quotas: Quotas, user: String) {
    self.quotas = quotas
    self.user = user
  }

  deinit { quotas.leave(user) }
}
