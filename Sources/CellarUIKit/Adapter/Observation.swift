import Foundation

/// Calls a closure for each notification of a name, as long as the observation lives.
final class Observation: Sendable {
  // Safe: the token is only passed back to the notification center, which any thread may do.
  private nonisolated(unsafe) let token: any NSObjectProtocol

  init(of name: Notification.Name, _ body: @escaping @Sendable () -> Void) {
    token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
      body()
    }
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}
