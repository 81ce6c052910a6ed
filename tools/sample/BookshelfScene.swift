#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import Cellar
  import FeedClient
  import UIKit

  /// A window with the shelf: what the store has is there at once; what the server has comes after
  /// it.
  final class BookshelfScene: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var following: Task<Void, Never>?

    func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      guard let scene = scene as? UIWindowScene,
        let app = UIApplication.shared.delegate as? BookshelfApp
      else { return }
      do {
        let controller = BookshelfController(try app.repository.get())
        controller.navigationItem.rightBarButtonItem = UIBarButtonItem(
          systemItem: .undo,
          primaryAction: UIAction { [weak controller] _ in controller?.undoDelete() })
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UINavigationController(rootViewController: controller)
        window.makeKeyAndVisible()
        self.window = window
        follow(controller.shelf)
      } catch {
        print("bookshelf: \(error)")
      }
    }

    func sceneDidDisconnect(_ scene: UIScene) { following?.cancel() }

    /// Keeps the shelf as a server has it.
    private func follow(_ shelf: LiveList) {
      guard let url = URL(string: "https://example.org/feeds/books") else { return }
      following = Task {
        do {
          try await FeedClient(url).follow(shelf)
        } catch {
          print("bookshelf: \(error)")
        }
      }
    }
  }
#endif
