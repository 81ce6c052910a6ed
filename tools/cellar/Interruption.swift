import Foundation
import StoreFiles

/// What happens when the command is told to end: by ^C, by its terminal, or by the system.
enum Interruption {
  /// Where the signals' handler writes to.
  ///
  /// It is set once, before there is a handler.
  private nonisolated(unsafe) static var pipe: Int32 = -1

  /// Has copies and drafts removed before a signal ends the process.
  ///
  /// The handler only writes to a pipe, since next to nothing is allowed in it; a thread of its own
  /// does the rest, whatever the other threads do.
  static func watch() {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { return }
    let input = ends[0]
    pipe = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    Thread.detachNewThread {
      var number: UInt8 = 0
      while read(input, &number, 1) != 1 {}
      OwnedPaths.removeAll { end(by: Int32(number)) }
    }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let former = signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Interruption.pipe, &byte, 1)
      }
      // As `nohup` has it.
      if isIgnored(former) { signal(number, SIG_IGN) }
    }
  }

  private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends as whoever sent the signal expects.
  private static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    while true { pause() }
  }

  /// Removes the copies that killed processes have left.
  static func removeLeftovers() {
    PrivateCopy.removeAbandoned()
    ContentFilter.removeAbandoned()
  }
}
