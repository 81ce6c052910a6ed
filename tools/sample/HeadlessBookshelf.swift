#if !canImport(UIKit) || os(watchOS)
  import Cellar
  import CellarUIKit
  import FeedClient
  import Foundation
  import HeadlessUIKit

  /// The bookshelf without a screen: the same controller, cells and layout, and what is seen as
  /// text.
  @MainActor enum HeadlessBookshelf {
    /// Shows the shelf of a store, after the lines of a feed if there is one; if that is on a
    /// server, again after each change, and likes are sent to the server.
    ///
    /// `arguments`: The store's file, a feed's file or address, and a book that is liked at once; or
    /// `--live` to stay, and to show each batch update and the shelf after it, whichever process has
    /// edited it.
    static func run(_ arguments: [String]) async throws {
      let liked = arguments.count == 4 && arguments[2] == "--like" ? arguments[3] : nil
      guard let store = arguments.first, arguments.count <= 2 || liked != nil else {
        throw UsageError()
      }
      let repository = try Repository(at: URL(fileURLWithPath: store))
      let controller = BookshelfController(repository)
      show(controller)
      if arguments.last == "--live" { return await watch(controller) }
      if arguments.count >= 2 {
        if let url = URL(string: arguments[1]), ["http", "https"].contains(url.scheme) {
          controller.sendsLikes = true
          if let liked { try like(liked, controller) }
          return try await follow(url, controller)
        }
        try repository.apply(try FeedReader(file: URL(fileURLWithPath: arguments[1])))
      }
      if let liked { try like(liked, controller) }
      printShelf(controller)
    }

    private static func like(_ book: String, _ controller: BookshelfController) throws {
      controller.adapter?.update()
      controller.adapter?.handle(.control("like"), of: try ItemID(book))
      printShelf(controller)
    }

    /// Shows the shelf, and again after each batch update that the view has performed.
    private static func watch(_ controller: BookshelfController) async {
      let (updates, update) = AsyncStream<BatchUpdate>.makeStream()
      controller.adapter?.onUpdate = { update.yield($0) }
      printShelf(controller)
      // Animations end by themselves on a device only.
      let animations = Task {
        while !Task.isCancelled {
          try await Task.sleep(nanoseconds: 5_000_000)
          controller.collectionView.headless.finishAnimations()
        }
      }
      for await batch in updates {
        print(printable(batch.json))
        printShelf(controller)
      }
      animations.cancel()
    }

    /// Follows a server until it refuses, sends likes to it, and shows the shelf whenever it has all
    /// lines.
    private static func follow(_ url: URL, _ controller: BookshelfController) async throws {
      let (states, state) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let shelf = controller.shelf
      let client = FeedClient(url)
      let following = Task {
        defer { state.finish() }
        return try await client.follow(shelf) {
          if case .upToDate = $0 { state.yield() }
        }
      }
      let sending = Task {
        do { try await client.sendPendingEdits(of: shelf) } catch {
          print(printable("bookshelf: \(error)"))
        }
      }
      defer { sending.cancel() }
      var shown = -1
      for await _ in states {
        let revision = try shelf.revision()
        if revision != shown { printShelf(controller) }
        shown = revision
      }
      _ = try await following.value
    }

    private static func printShelf(_ controller: BookshelfController) {
      controller.adapter?.update()
      controller.collectionView.layoutIfNeeded()
      controller.collectionView.headless.finishAnimations()
      print(text(of: controller))
      fflush(nil)
      controller.shelf.repository.flushSizes()
    }

    struct UsageError: Error, CustomStringConvertible {
      var description: String { "usage: Bookshelf STORE [FEED [--like BOOK] | --live]" }
    }

    /// Puts the controller's view on a telephone's screen.
    @discardableResult static func show(_ controller: BookshelfController) -> UIWindow {
      let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
      windows.append(window)
      controller.view.frame = window.bounds
      window.addSubview(controller.view)
      controller.view.layoutIfNeeded()
      return window
    }

    private static var windows: [UIWindow] = []

    /// What is seen, a line for each cell and header, and how many had to be measured for it.
    static func text(of controller: BookshelfController) -> String {
      let shown = controller.collectionView.subviews.compactMap { view -> (CGRect, String)? in
        line(of: view).map { (view.frame, $0) }
      }
      let lines = shown.sorted { ($0.0.minY, $0.0.minX) < ($1.0.minY, $1.0.minX) }.map {
        frame, text in
        printable(
          "\(Int(frame.minX)),\(Int(frame.minY)) \(Int(frame.width))×\(Int(frame.height))  \(text)")
      }
      let count = controller.adapter?.measurementCount ?? 0
      return (lines + ["measured: \(count)"]).joined(separator: "\n")
    }

    private static func line(of view: UIView) -> String? {
      switch view {
      case let cell as BookCell:
        [cell.titleLabel.text, cell.authorLabel.text, cell.fansLabel.text].compactMap(\.self)
          .joined(separator: " · ")
      case let cell as NoticeCell: cell.label.text
      case let header as ShelfHeaderView: header.label.text
      default: nil
      }
    }
  }

  /// A text without characters that could drive the terminal: those are shown by their numbers.
  func printable(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }
#endif
