#if canImport(UIKit)
  import Foundation
  import ListStore
  import ListSync
  import UIKit

  /// The bookshelf on a device: what the store has is there at once; what the server has comes after it.
  final class BookshelfApp: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      do {
        let folder = try FileManager.default.url(
          for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        let repository = try Repository(at: folder.appendingPathComponent("books.sqlite"))
        let controller = BookshelfController(repository)
        controller.navigationItem.rightBarButtonItem = UIBarButtonItem(
          systemItem: .undo,
          primaryAction: UIAction { [weak controller] _ in controller?.undoDelete() })
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UINavigationController(rootViewController: controller)
        window.makeKeyAndVisible()
        self.window = window
        let shelf = controller.shelf
        Task {
          // A server that says what changed, line by line: see the feed format.
          guard let url = URL(string: "https://example.org/books.ndjson") else { return }
          try await shelf.follow(URLSession.shared.bytes(from: url).0)
        }
        return true
      } catch {
        print("bookshelf: \(error)")
        return false
      }
    }
  }
#endif
