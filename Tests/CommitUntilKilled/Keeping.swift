import Foundation
import StoreFiles

/// Makes a private copy and keeps it.
func keepCopy(of file: URL) throws -> Never {
  let copy = try PrivateCopy(of: file)
  say(copy.file.path)
  while true { sleep(60) }
}

/// Begins to make a store and does not end.
func keepDraft(of file: URL) throws -> Never {
  let draft = try StoreDraft(of: file)
  say(draft.file.deletingLastPathComponent().path)
  while true { sleep(60) }
}
