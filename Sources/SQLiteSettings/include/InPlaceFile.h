#ifndef CELLAR_IN_PLACE_FILE_H
#define CELLAR_IN_PLACE_FILE_H

/// The beginning of the names under which databases are read in place.
///
/// After it come the bytes of the write-ahead log that count, in decimal digits, and the absolute path
/// of the database without links: `/.cellar-in-place/4152/home/store.sqlite`. 0 leaves the log out.
///
/// SQLite can't write under such a name: not the database, not its log, and no file beside it. A log
/// that is not there is an empty one. The index of the log is not shared, so a connection must set
/// `PRAGMA locking_mode = EXCLUSIVE` before it reads; SQLite then has it in memory. The connection
/// holds the lock of a reader on the database, and no other.
#define CELLAR_IN_PLACE_PREFIX "/.cellar-in-place/"

/// Teaches SQLite these names; the first call in a process does it.
///
/// They belong to a file layer that becomes SQLite's default and hands every other name on to the one
/// that was the default before. It stays for as long as the process lives. Were it the default only
/// while a connection is opened, other threads would open theirs with it all the same; and giving the
/// place back could undo that another library has set its own meanwhile.
///
/// - Returns: SQLite's result code.
int cellar_in_place_register(void);

struct sqlite3;

/// Whether a connection's database has such a name.
int cellar_is_in_place(struct sqlite3 *connection);

#endif
