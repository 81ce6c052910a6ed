import Dispatch
import FeedServing
import ListModel
import Logging

/// The node's store of lists, on a thread of its own: a cache that may fail.
final class ListStoreroom: Sendable {
  private let kept: KeptLists
  private let queue = DispatchQueue(label: "cellar-relay.store")
  private let logger: Logger

  init(_ kept: KeptLists, logger: Logger) {
    self.kept = kept
    self.logger = logger
  }

  /// A list as it was kept; `nil` if it was not, or can't be read.
  func list(_ id: ListID) async -> ServedList? {
    await perform { kept in
      do { return try kept.list(id) } catch {
        self.logger.warning(
          "a kept list can't be read", metadata: ["error": "\(RelayFailure.logged(error))"])
        return nil
      }
    }
  }

  /// Keeps what lists have become.
  func keep(_ lists: [UnkeptList]) async {
    await perform { kept in
      do { try kept.keep(lists) } catch {
        self.logger.warning(
          "lists can't be kept", metadata: ["error": "\(RelayFailure.logged(error))"])
        // What the store has of them is not what they were, so the next changes would not fit.
        for list in lists {
          do { try kept.forget(list.list) } catch {
            self.logger.error(
              "a list can't be forgotten", metadata: ["error": "\(RelayFailure.logged(error))"])
          }
        }
      }
    }
  }

  func close() async {
    await perform { kept in
      do { try kept.close() } catch {
        self.logger.warning(
          "the store can't be closed", metadata: ["error": "\(RelayFailure.logged(error))"])
      }
    }
  }

  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable (KeptLists) -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body(self.kept)) }
    }
  }
}
