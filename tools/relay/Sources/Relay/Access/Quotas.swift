import NIOConcurrencyHelpers
import NIOCore
import RelayEngine

/// How much one user may ask of a node.
package struct Quota: Hashable, Sendable {
  /// Edits and appended lines a second, and how many may come at once.
  package var editsPerSecond: Double
  /// Bytes of bodies a second, whether they are taken or refused, and how many may come at once.
  package var bytesPerSecond: Double
  /// Bytes of lines and trees that are read a second, before they are compressed.
  package var readBytesPerSecond: Double
  /// Requests that are under way at once, those that wait for lines included.
  package var connections: Int
  /// Bytes of bodies and trees that are in memory at once, of all users; one user has a sixteenth of it.
  package var bodyBytes: Int
  /// Lists under one prefix that tokens grant, such as `user/42/`; a list more is not made.
  package var lists: Int
  /// Refused requests a second, and how many may come at once: of one token, or of all who have none at
  /// one address.
  package var refusalsPerSecond: Double

  /// A quota.
  package init(
    editsPerSecond: Double = 1_000, bytesPerSecond: Double = 16_777_216,
    readBytesPerSecond: Double = 33_554_432, connections: Int = 1_000, bodyBytes: Int = 512 << 20,
    lists: Int = 10_000, refusalsPerSecond: Double = 100
  ) {
    self.editsPerSecond = editsPerSecond
    self.bytesPerSecond = bytesPerSecond
    self.readBytesPerSecond = readBytesPerSecond
    self.connections = connections
    self.bodyBytes = bodyBytes
    self.lists = lists
    self.refusalsPerSecond = refusalsPerSecond
  }
}

/// What each user has used of the quota; one user's use is never counted for another.
final class Quotas: Sendable {
  let quota: Quota
  private let state = NIOLockedValueBox(State())

  private struct State {
    var users: [TextKey: Use] = [:]
    var bodyBytes = 0
  }

  private struct Use {
    var edits: Bucket
    var bytes: Bucket
    var readBytes: Bucket
    var connections = 0
    var bodyBytes = 0
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
  func countEdits(_ count: Int = 1, of user: String, at now: Int) async throws {
    let pause = withUse(of: user, at: now) {
      $0.edits.take(Double(count), of: quota.editsPerSecond, at: now)
    }
    try await refuse(for: pause, "the quota of edits is used up")
  }

  /// Lets a user read who has not read more than the quota.
  ///
  /// How much an answer has is known when it is read, so it is counted then, and who has read too much waits
  /// with the next question.
  ///
  /// - Throws: ``RelayFailure`` with ``RelayFailure/Kind/tooMuch(retryAfter:)``, after a while.
  func requireReading(_ user: String, at now: Int) async throws {
    try await refuse(for: readingDebt(of: user, at: now), "the quota of bytes read is used up")
  }

  /// Refuses, after a while, who must wait for so many seconds; nothing happens for 0.
  func refuse(for seconds: Double, _ why: String) async throws {
    guard seconds > 0 else { return }
    try await Task.sleep(for: Self.pauseBeforeRefusal)
    throw RelayFailure(.tooMuch(retryAfter: Int(min(seconds.rounded(.up), 3_600))), why)
  }

  fileprivate func writingDebt(of user: String, at now: Int) -> Double {
    withUse(of: user, at: now) { $0.bytes.pause(for: 0, of: quota.bytesPerSecond, at: now) }
  }

  fileprivate func readingDebt(of user: String, at now: Int) -> Double {
    withUse(of: user, at: now) { $0.readBytes.pause(for: 0, of: quota.readBytesPerSecond, at: now) }
  }

  private func withUse<Result>(
    of user: String, at now: Int, _ body: (inout Use) -> Result
  ) -> Result {
    state.withLockedValue { state in
      body(&state.users[TextKey(user), default: newUse(at: now)])
    }
  }

  /// Counts a request as one of the user's connections, as long as what it returns is there.
  ///
  /// `channel`: The connection that it came by, if it came by one.
  func enter(_ user: String, by channel: (any Channel)?, at now: Int) throws -> ConnectionUse {
    let isFree = withUse(of: user, at: now) { use in
      guard use.connections < quota.connections else { return false }
      use.connections += 1
      return true
    }
    guard isFree else {
      throw RelayFailure(.tooMuch(retryAfter: 1), "the quota of connections is used up")
    }
    return ConnectionUse(quotas: self, user: user, channel: channel)
  }

  fileprivate func leave(_ user: String, bodyBytes: Int) {
    state.withLockedValue { state in
      state.users[TextKey(user)]?.connections -= 1
      state.users[TextKey(user)]?.bodyBytes -= bodyBytes
      state.bodyBytes -= bodyBytes
      // Those who have gone are forgotten once in a while; a full bucket is as good as a new one.
      if state.users.count > 100_000 {
        state.users = state.users.filter { $0.value.connections > 0 }
      }
    }
  }

  /// Makes room for bytes; what is larger than a user's part is taken if it is alone.
  fileprivate func hold(_ count: Int, of user: String) throws {
    let refusal: RelayFailure? = state.withLockedValue { state in
      let held = state.users[TextKey(user)]?.bodyBytes ?? 0
      guard held == 0 || held + count <= quota.bodyBytes / 16 else {
        return RelayFailure(.tooMuch(retryAfter: 1), "the quota of bodies at once is used up")
      }
      guard state.bodyBytes == 0 || state.bodyBytes + count <= quota.bodyBytes else {
        return RelayFailure(.unavailable, "there is no room for more bodies now")
      }
      state.users[TextKey(user)]?.bodyBytes += count
      state.bodyBytes += count
      return nil
    }
    if let refusal { throw refusal }
  }

  fileprivate func countRead(_ count: Int, of user: String) {
    state.withLockedValue { $0.users[TextKey(user)]?.readBytes.spend(Double(count)) }
  }

  fileprivate func countWritten(_ count: Int, of user: String) {
    state.withLockedValue { $0.users[TextKey(user)]?.bytes.spend(Double(count)) }
  }

  private func newUse(at now: Int) -> Use {
    Use(
      edits: Bucket(of: quota.editsPerSecond, at: now),
      bytes: Bucket(of: quota.bytesPerSecond, at: now),
      readBytes: Bucket(of: quota.readBytesPerSecond, at: now))
  }
}

/// A request that is under way.
final class ConnectionUse: Sendable {
  private let quotas: Quotas
  private let user: String
  /// The connection that it came by; `nil` for one that was handed over.
  let channel: (any Channel)?
  private let bodyBytes = NIOLockedValueBox(0)

  fileprivate init(quotas: Quotas, user: String, channel: (any Channel)?) {
    self.quotas = quotas
    self.user = user
    self.channel = channel
  }

  deinit { quotas.leave(user, bodyBytes: bodyBytes.withLockedValue(\.self)) }

  /// Makes room for bytes of the request or its answer, until that is sent.
  ///
  /// - Throws: ``RelayFailure`` if what is in memory leaves none.
  func hold(_ count: Int) throws {
    try quotas.hold(count, of: user)
    bodyBytes.withLockedValue { $0 += count }
  }

  /// Counts what is read for the answer.
  func countRead(_ count: Int) { quotas.countRead(count, of: user) }

  /// Lets the user write who has not written more bytes than the quota.
  ///
  /// They are counted as they come, and also if they are refused then. Who has sent too much waits with the
  /// next body, which is not read before.
  ///
  /// - Throws: ``RelayFailure`` with ``RelayFailure/Kind/tooMuch(retryAfter:)``, after a while.
  func requireWriting(at now: Int) async throws {
    try await quotas.refuse(
      for: quotas.writingDebt(of: user, at: now), "the quota of bytes written is used up")
  }

  /// Counts bytes that are written, or would be.
  func countWritten(_ count: Int) { quotas.countWritten(count, of: user) }

  /// How long the user must wait to have read no more than the quota.
  func readingDebt(at now: Int) -> Duration { .seconds(quotas.readingDebt(of: user, at: now)) }
}
