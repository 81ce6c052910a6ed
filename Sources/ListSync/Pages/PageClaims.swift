import Foundation
import ListModel
import ListStore
import Pages
import StoreFiles

/// What this process has said in the store that it loads, so that no other one asks for it meanwhile.
///
/// Several loads may have claimed one edge of a gap, where a server answers from that edge alone: it is given up
/// when the last of them ends.
final class PageClaims: Sendable {
  private let repository: Repository
  private let list: ListID
  /// For how many seconds a claim is believed that nobody renews.
  private let duration: Double
  private let state = Guarded(State())

  private struct State {
    /// How many loads have claimed a page.
    var counts: [PageLoading.Key: Int] = [:]
    /// Renews the claims while there are some.
    var lease: Task<Void, Never>?
  }

  init(of list: ListID, in repository: Repository, lasting duration: Double) {
    self.repository = repository
    self.list = list
    self.duration = duration
  }

  /// Claims a page; if another process has, waits for what comes of that.
  ///
  /// - Returns: Whether the other one has loaded it, and committed it: then it is not claimed.
  func take(_ key: PageLoading.Key) async throws -> Bool {
    let first = try repository.pageQuestion(for: key.gap, of: list)?.gap
    let hadPage = try repository.hasPage(list)
    func isThere() throws -> Bool {
      switch (key.gap, key.part) {
      case (let gap?, _): try repository.pageQuestion(for: gap, of: list)?.gap != first
      case (nil, .around(let item)): try repository.hasItem(item, in: list)
      // A refresh of what is there is asked for by whoever wants it: nothing tells that it has come.
      case (nil, _): try !hadPage && repository.hasPage(list)
      }
    }
    var isRefused = false
    while true {
      let isOurs = try begin(key)
      // Read after the claim: the other one commits before it takes its own away.
      if isRefused, try isThere() {
        if isOurs { giveUp(key) }
        return true
      }
      if isOurs { return false }
      isRefused = true
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Gives a claim up, unless another load of this process has it, too.
  func giveUp(_ key: PageLoading.Key) {
    state.withValue { state in
      guard let count = state.counts[key] else { return }
      state.counts[key] = count > 1 ? count - 1 : nil
      if count > 1 { return }
      // If it can't be noted, it is over after some seconds.
      try? repository.endPage(for: key.noted, key.edge, of: list)
      guard state.counts.isEmpty else { return }
      state.lease?.cancel()
      state.lease = nil
    }
  }

  private func begin(_ key: PageLoading.Key) throws -> Bool {
    try state.withValue { state in
      guard try note(key) else { return false }
      state.counts[key, default: 0] += 1
      if state.lease == nil {
        state.lease = Task { [weak self, duration] in
          while (try? await Task.sleep(for: .seconds(duration / 2))) != nil { self?.renew() }
        }
      }
      return true
    }
  }

  private func renew() {
    state.withValue { state in
      for key in state.counts.keys { _ = try? note(key) }
    }
  }

  private func note(_ key: PageLoading.Key) throws -> Bool {
    try repository.beginPage(for: key.noted, key.edge, of: list, lasting: duration)
  }
}
