#ifndef CELLAR_SQLITE_SETTINGS_H
#define CELLAR_SQLITE_SETTINGS_H

#include "SQLiteFile.h"

struct sqlite3;

/// Makes a connection run no triggers.
///
/// `sqlite3_db_config` is variadic, which Swift can't call.
///
/// - Returns: SQLite's result code.
int cellar_disable_triggers(struct sqlite3 *connection);

#endif
