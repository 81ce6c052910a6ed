import Foundation
import ListModel
import StoreFiles

/// Lets one command at a time change the stores of a folder.
///
/// Two that are begun at once take turns: the second finds what the first has left. It is a lock on
/// the folder, of which nothing is written, and which the system releases however a process ends.
/// Apps don't ask for it; SQLite's locks keep them and commands apart.
enum FolderTurn {
  private static let turns = Guarded<[String: Turn]>([:])

  /// Does something while no other command changes stores beside a store.
  static func during<Value>(
    changesOf store: URL, _ body: () throws -> Value
  ) rethrows -> Value {
    let folder = store.resolvingSymlinksInPath().deletingLastPathComponent().path
    // The stores of a folder that this command handles at once share it.
    let turn = turns.withValue { turns in
      let turn = turns[folder] ?? Turn()
      turn.useCount += 1
      turns[folder] = turn
      return turn
    }
    defer {
      turns.withValue { turns in
        turn.useCount -= 1
        if turn.useCount == 0 { turns[folder] = nil }
      }
    }
    turn.take(folder)
    return try body()
  }

  private final class Turn: @unchecked Sendable {
    /// Guarded by ``FolderTurn/turns``.
    var useCount = 0
    private let descriptor = Guarded<Int32?>(nil)

    deinit {
      descriptor.withValue { if let number = $0 { close(number) } }
    }

    /// Waits for the lock; where there is none, it goes on without.
    func take(_ folder: String) {
      descriptor.withValue { descriptor in
        if descriptor != nil { return }
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return }
        descriptor = opened
        if flock(opened, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
        Output.note("Waiting for another command that changes stores in \(folder)")
        while flock(opened, LOCK_EX) != 0, errno == EINTR {}
      }
    }
  }
}
