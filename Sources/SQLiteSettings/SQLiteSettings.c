#include "SQLiteSettings.h"

#include <sqlite3.h>
#include <stdint.h>
#include <time.h>

int cellar_distrust_schema(struct sqlite3 *connection) {
  static const struct {
    int setting;
    int value;
  } settings[] = {
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
  };
  for (unsigned long i = 0; i < sizeof settings / sizeof *settings; i++) {
    int code = sqlite3_db_config(
        connection, settings[i].setting, settings[i].value, (int *)0);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

int cellar_allow_schema_writes(struct sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)0);
}

static int64_t seconds_now(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (int64_t)now.tv_sec;
}

static int is_over(void *deadline) { return seconds_now() > (int64_t)(intptr_t)deadline; }

void cellar_limit_time(struct sqlite3 *connection, int seconds) {
  if (seconds <= 0) {
    sqlite3_progress_handler(connection, 0, (int (*)(void *))0, (void *)0);
    return;
  }
  // The deadline itself in place of a pointer to it: nothing has to outlive the connection.
  sqlite3_progress_handler(
      connection, 10000, is_over, (void *)(intptr_t)(seconds_now() + seconds));
}

int cellar_has_moved(struct sqlite3 *connection) {
  int hasMoved = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved);
  return code == SQLITE_OK && hasMoved != 0;
}
