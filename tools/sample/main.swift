import Foundation

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  UIApplicationMain(
    CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(BookshelfApp.self))
#else
  // Without a screen: shows in a text what a device would show.
  do {
    try await HeadlessBookshelf.run(Array(CommandLine.arguments.dropFirst()))
  } catch {
    FileHandle.standardError.write(Data((printable("bookshelf: \(error)") + "\n").utf8))
    exit(1)
  }
#endif
