#ifndef CELLAR_SQLITE_SETTINGS_H
#define CELLAR_SQLITE_SETTINGS_H

#include "InPlaceFile.h"
#include "SQLiteFile.h"
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

/// Ends statements of a connection that run later than so many seconds from now, with
/// SQLITE_INTERRUPT; 0: none.
void cellar_limit_time(struct sqlite3 *connection, int seconds);

/// Whether the path of a connection's database leads to nothing any more, or to another file.
int cellar_has_moved(struct sqlite3 *connection);

#endif
