// Does something to a store for as long as it lives, and says what it has done: a line for each
// step, written to standard output in one call. For tests that kill it.
//
// - `FILE`: small commits; each line a revision
// - `FILE grow-and-shrink NAME`: a script's commits: "REVISION", "floor REVISION"
// - `FILE write NAME SECONDS`: one of several writers, ends by itself: "REVISION NUMBER", "busy"
// - `FILE shelve NAME SECONDS PAUSE`: the same with books, and a pause in milliseconds after each
// - `FILE shelve-and-stop NAME SECONDS PAUSE`: the same, and now and then it stops itself in the
//   middle of a transaction: "stopped"
// - `FILE shelve-beside-a-feed NAME SECONDS PAUSE`: the same, and now and then it applies a part of a
//   feed: "feed LINES"
// - `FILE follow ITEM`: follows the list until it has the item: "following", "reload REASON",
//   "batches COUNT", "digest DIGEST"
// - `FILE answered NAME COUNT`: commits, and waits for a line of standard input after each commit:
//   "REVISION"
// - `FILE page LIST GAP SIGNAL`: loads the page of a gap, from a server that answers as soon as the file
//   SIGNAL is there: "noting" each time that it notes the page as its own, "asked", "loaded"
// - `FILE listen SECONDS`: listens to the list, ends by itself: the processor time that it took
//   meanwhile, in microseconds
// - `FILE lock`: takes the lock to write and keeps it: "locked"
// - `FILE count`, `FILE count-alone`: counts as fast as it can, in one connection
// - `FILE count-and-close`: the same, in a new connection for every commit
// - `FILE count-once`: one commit, then it ends by itself
// - `FILE copy`: keeps a private copy: the copy's path
// - `FILE draft`: keeps a draft of a new store: the draft's path
// - `FILE migrate`: migrates it: "migrating", "migrated"
// - `FILE migrate-once`: migrates it, ends by itself: the migrations that it applied
// - `FILE down-and-up`: undoes the last migration and applies it again: "begun"
// - `FILE restore BACKUP BACKUP`: restores them by turns: "begun"
// - `FILE repair`: repairs it: "repairing", "repaired"
// - `FILE upgrade`: upgrades contents: the number so far
// - `FILE edit`: makes pending edits beside a feed: "made ID ITEM", "sent ID"
// - `FILE erase NAME`: inserts items and erases them: "inserted ITEM", "erased ITEM"
// - `FILE derive DEFINITION…`: defines long derived lists by turns, and changes their source: "defining
//   NUMBER", "defined NUMBER"
// - `FILE import`: leaves edits in the store's edit folder and imports them: "ITEM"
// - `FILE rename OLD NEW`: renames a cell: "renaming", "renamed"
// - `FOLDER look FIRST SECONDS BYTES`: does everything to each store of a folder, from the name
//   FIRST on, each in so many seconds: "NAME", "ok"

import Foundation
import ListModel
import TestSupport

let arguments = Array(CommandLine.arguments.dropFirst())
let file = URL(fileURLWithPath: arguments[0])

switch arguments.dropFirst().first {
case nil: try commitSmallChanges(to: file)
case "grow-and-shrink": try growAndShrink(file, arguments[2])
case "write":
  try writeBesideOthers(
    file, WriterScript(writer: arguments[2]), forSeconds: Double(arguments[3]) ?? 0)
case "shelve":
  try writeBesideOthers(
    file, WriterScript(writer: arguments[2], bringsBooks: true),
    forSeconds: Double(arguments[3]) ?? 0, pause: UInt32(arguments[4]) ?? 0)
case "shelve-and-stop":
  try writeAndStop(
    file, WriterScript(writer: arguments[2], bringsBooks: true),
    forSeconds: Double(arguments[3]) ?? 0, pause: UInt32(arguments[4]) ?? 0)
case "shelve-beside-a-feed":
  try writeBesideAFeed(
    file, WriterScript(writer: arguments[2], bringsBooks: true),
    forSeconds: Double(arguments[3]) ?? 0, pause: UInt32(arguments[4]) ?? 0)
case "follow": try await follow(file, until: ItemID(stringLiteral: arguments[2]))
case "answered": try commitAnswered(file, as: arguments[2], count: Int(arguments[3]) ?? 0)
case "page":
  try await loadPage(
    of: ItemID(arguments[3]), in: ListID(arguments[2]), file,
    answeredBy: URL(fileURLWithPath: arguments[4]))
case "listen": try listen(to: file, forSeconds: UInt32(arguments[2]) ?? 1)
case "lock": try lock(file)
case "count": try count(file)
case "count-alone": try count(file, isAlone: true)
case "count-and-close": try countAndClose(file)
case "count-once": try countOnce(file)
case "copy": try keepCopy(of: file)
case "draft": try keepDraft(of: file)
case "migrate": try migrate(file)
case "migrate-once": try migrateOnce(file)
case "down-and-up": try migrateDownAndUp(file)
case "restore": try restoreByTurns(file, arguments[2...3].map { URL(fileURLWithPath: $0) })
case "repair": try repair(file)
case "upgrade": try upgradeContents(file)
case "edit": try editBesideAFeed(file)
case "erase": try eraseUntilKilled(file, arguments[2])
case "derive": try deriveUntilKilled(file, Array(arguments[2...]))
case "import": try importUntilKilled(file)
case "rename": try rename(CellName(arguments[2]), to: CellName(arguments[3]), in: file)
case "look":
  try lookAtAll(
    in: file, from: arguments[2], seconds: UInt32(arguments[3]) ?? 60,
    bytes: UInt(arguments[4]) ?? 4 << 30)
case let mode?: fatalError("there is no mode \"\(mode)\"")
}
