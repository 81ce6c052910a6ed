import Foundation
import StoreFiles

/// What happens when the command is told to end: by ^C, by its terminal, or by the system.
enum Interruption {
  /// Where the signals' handler writes to.
  ///
  /// It is set once, before there is a handler.
  private nonisolated(unsafe) static var pipe: Int32 = -1

  /// Whether ^C is how the command ends that runs, and no failure.
  static var isExpected: Bool {
    get { expected.withValue { $0 } }
    set { expected.withValue { $0 = newValue } }
  }
  private static let expected = Guarded(false)

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
    unblockSignals()
  }

  /// Lets the signals in that whoever started the command had blocked for itself.
  ///
  /// A thread of Dispatch blocks most of them, and what it starts inherits that.
  private static func unblockSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends as whoever sent the signal expects.
  private static func end(by number: Int32) -> Never {
    if number == SIGINT, isExpected { exit(0) }
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
