import NIOConcurrencyHelpers
import NIOCore

/// What is on its way between the node and clients: bodies that come, and parts of answers that go.
///
/// A client that sends or reads no further keeps memory of the node, so its connection is closed once its
/// time is over; and once the node ends, after a short while.
final class Transfers: Sendable {
  /// What is on its way; over when it is let go of.
  final class Transfer: Sendable {
    private let transfers: Transfers
    private let number: Int

    fileprivate init(_ transfers: Transfers, _ number: Int) {
      self.transfers = transfers
      self.number = number
    }

    deinit { transfers.state.withLockedValue { $0.open[number] = nil } }
  }

  private struct State {
    var open: [Int: (channel: any Channel, deadline: ContinuousClock.Instant)] = [:]
    var last = 0
  }

  private let state = NIOLockedValueBox(State())

  /// Notes that something is to go through a connection in time; nothing for a request without one.
  func begin(on channel: (any Channel)?, within time: Duration) -> Transfer? {
    guard let channel else { return nil }
    let number = state.withLockedValue { state in
      state.last += 1
      state.open[state.last] = (channel, .now + time)
      return state.last
    }
    return Transfer(self, number)
  }

  /// Closes the connections whose time is over.
  ///
  /// - Parameter grace: What is left of everybody's time; `nil` if it is not cut.
  func closeOverdue(grace: Duration?) {
    let overdue = state.withLockedValue { state in
      if let grace {
        for (number, transfer) in state.open {
          state.open[number]?.deadline = min(transfer.deadline, .now + grace)
        }
      }
      return state.open.values.filter { $0.deadline <= .now }
    }
    for transfer in overdue { transfer.channel.close(promise: nil) }
  }
}
