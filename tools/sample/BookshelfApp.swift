#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import Cellar
  import UIKit

  /// The bookshelf on a device: it owns the store; each scene shows the shelf of it.
  final class BookshelfApp: UIResponder, UIApplicationDelegate {
    /// The store of the books; all scenes share it, and it is opened once.
    private(set) lazy var repository = Result { try Self.openStore() }

    func application(
      _ application: UIApplication, configurationForConnecting session: UISceneSession,
      options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
      let configuration = UISceneConfiguration(name: nil, sessionRole: session.role)
      configuration.delegateClass = BookshelfScene.self
      return configuration
    }

    private static func openStore() throws -> Repository {
      let folder = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      return try Repository(at: folder.appendingPathComponent("books.sqlite"))
    }
  }
#endif
