#ifndef CELLAR_SQLITE_SETTINGS_H
#define CELLAR_SQLITE_SETTINGS_H

#include "InPlaceFile.h"
#include "SQLiteFile.h"

#include <stdint.h>

// Settings of SQLite that take variable arguments or a function in C, which Swift can't pass.

struct sqlite3;

/// Makes a connection run no code that a file brings along: no triggers, no views, in indexes and
/// checks only functions without side effects. And nobody can write into the schema by hand.
///
/// - Returns: SQLite's result code.
int cellar_distrust_schema(struct sqlite3 *connection);

/// Lets a connection write into the schema by hand, with `PRAGMA writable_schema`.
///
/// - Returns: SQLite's result code.
int cellar_allow_schema_writes(struct sqlite3 *connection);

/// Limits the sizes of what a connection reads, writes and parses to several times what Cellar's own
/// rows, statements and schema need.
void cellar_limit_sizes(struct sqlite3 *connection);

/// Leaves a connection without virtual tables but those of JSON and of pages: a file's `CREATE VIRTUAL
/// TABLE` runs no code then.
///
/// - Returns: SQLite's result code.
int cellar_drop_modules(struct sqlite3 *connection);

/// Limits the memory that SQLite takes in this process; what needs more fails with SQLITE_NOMEM. Must
/// be called before any other function of SQLite.
///
/// - Returns: SQLite's result code.
int cellar_limit_memory(int64_t bytes);

/// Ends statements of a connection that run later than so many seconds from now, with
/// SQLITE_INTERRUPT; 0: none.
///
/// SQLite looks at the time between the steps of a statement. A step that does not end is seen by
/// ``cellar_overdue_seconds``.
void cellar_limit_time(struct sqlite3 *connection, int seconds);

/// For how many seconds a statement has run beyond its connection's limit; 0 if none has.
///
/// More than a moment means that one step of it does not end. Any thread may ask.
int64_t cellar_overdue_seconds(void);

/// Has the commits of a connection note how long they leave the write-ahead log, and never copy it into
/// the file, as SQLite does at 1,000 pages. `PRAGMA wal_autocheckpoint` ends this.
void cellar_note_log_pages(struct sqlite3 *connection);

/// The pages of the write-ahead log after this thread's last commit by a connection of
/// ``cellar_note_log_pages``; 0 if it has made none since it asked.
int cellar_take_log_pages(void);

/// Copies the write-ahead log into the file, so that the next one who writes starts the log anew: what is
/// there, then, while nobody can write, what others have committed meanwhile. It waits for nobody.
///
/// Returns SQLite's code; `SQLITE_BUSY` if something is left, because somebody writes, or reads an earlier
/// state.
int cellar_copy_whole_log(struct sqlite3 *connection);

/// Whether this thread is in ``cellar_copy_whole_log``: the handler of a busy store gives up then.
int cellar_is_impatient(void);

/// Whether the path of a connection's database leads to nothing any more, or to another file.
int cellar_has_moved(struct sqlite3 *connection);

#endif
