import Foundation

/// Hears of a notification as long as it lives.
final class Observation: Sendable {
  // Only ever handed back to the centre, which any thread may do.
  private nonisolated(unsafe) let token: any NSObjectProtocol

  init(of name: Notification.Name, _ body: @escaping @Sendable () -> Void) {
    token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
      body()
    }
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}
