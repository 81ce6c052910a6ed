#include "SQLiteSettings.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
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

void cellar_limit_sizes(struct sqlite3 *connection) {
  static const struct {
    int limit;
    int value;
  } limits[] = {
      // A deleted section is one row of the log, with all its items: 50 bytes each, and their ids.
      {SQLITE_LIMIT_LENGTH, 256 << 20},
      {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
      {SQLITE_LIMIT_EXPR_DEPTH, 200},
      {SQLITE_LIMIT_COMPOUND_SELECT, 50},
      {SQLITE_LIMIT_VDBE_OP, 50000},
      // The target of `VACUUM INTO`.
      {SQLITE_LIMIT_ATTACHED, 1},
      {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
      {SQLITE_LIMIT_TRIGGER_DEPTH, 20},
  };
  for (unsigned long i = 0; i < sizeof limits / sizeof *limits; i++) {
    sqlite3_limit(connection, limits[i].limit, limits[i].value);
  }
}

int cellar_drop_modules(struct sqlite3 *connection) {
  const char *kept[] = {"json_each", "json_tree", "dbstat", NULL};
  return sqlite3_drop_modules(connection, kept);
}

int cellar_limit_memory(int64_t bytes) {
  // Some systems build SQLite so that it does not count its memory; then there is no limit either.
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1);
  return sqlite3_hard_heap_limit64(bytes) == 0 ? SQLITE_OK : SQLITE_ERROR;
}

// MARK: The write-ahead log

/// Commits call the hook on the thread that makes them.
static _Thread_local int log_pages;

static int did_commit(void *none, struct sqlite3 *connection, const char *name, int pages) {
  (void)none, (void)connection, (void)name;
  log_pages = pages;
  return SQLITE_OK;
}

void cellar_note_log_pages(struct sqlite3 *connection) {
  sqlite3_wal_hook(connection, did_commit, NULL);
}

int cellar_take_log_pages(void) {
  int pages = log_pages;
  log_pages = 0;
  return pages;
}

/// Whether this thread takes a lock only if it is free.
static _Thread_local int is_impatient;

int cellar_is_impatient(void) { return is_impatient; }

int cellar_copy_whole_log(struct sqlite3 *connection) {
  sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  // Of a log that grew meanwhile, SQLite has not synced what it has copied. That takes longest, so not while
  // nobody can write.
  sqlite3_file *file = NULL;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK
      && file && file->pMethods)
    file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
  is_impatient = 1;
  int code = sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_FULL, NULL, NULL);
  is_impatient = 0;
  return code;
}

// MARK: Time

static int64_t seconds_now(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (int64_t)now.tv_sec;
}

/// A connection with a time limit.
struct watch {
  struct watch *next;
  struct sqlite3 *connection;
  int64_t deadline;
  /// When the statement that runs has begun; 0 if none runs.
  int64_t begun;
};

static pthread_mutex_t watches_lock = PTHREAD_MUTEX_INITIALIZER;
static struct watch *watches;

/// SQLite asks it now and then while a statement runs, but never inside of one step of it.
static int is_over(void *deadline) { return seconds_now() > (int64_t)(intptr_t)deadline; }

static int note(unsigned event, void *context, void *subject, void *detail) {
  (void)subject, (void)detail;
  struct watch *watch = context;
  pthread_mutex_lock(&watches_lock);
  if (event == SQLITE_TRACE_CLOSE) {
    struct watch **place = &watches;
    while (*place && *place != watch) place = &(*place)->next;
    if (*place) *place = watch->next;
    free(watch);
  } else {
    watch->begun = event == SQLITE_TRACE_STMT ? seconds_now() : 0;
  }
  pthread_mutex_unlock(&watches_lock);
  return 0;
}

/// The watch of a connection, which it has until it is closed; `NULL` without memory for it.
static struct watch *watch_of(struct sqlite3 *connection) {
  struct watch *watch = watches;
  while (watch && watch->connection != connection) watch = watch->next;
  if (watch) return watch;
  watch = calloc(1, sizeof *watch);
  if (!watch) return NULL;
  watch->connection = connection;
  watch->next = watches;
  watches = watch;
  sqlite3_trace_v2(
      connection, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_CLOSE, note, watch);
  return watch;
}

void cellar_limit_time(struct sqlite3 *connection, int seconds) {
  int64_t deadline = seconds <= 0 ? INT64_MAX : seconds_now() + seconds;
  pthread_mutex_lock(&watches_lock);
  struct watch *watch = watch_of(connection);
  if (watch) watch->deadline = deadline;
  pthread_mutex_unlock(&watches_lock);
  if (seconds <= 0) {
    sqlite3_progress_handler(connection, 0, (int (*)(void *))0, (void *)0);
    return;
  }
  // The deadline itself in place of a pointer to it: nothing has to outlive the connection.
  // Often, because a step may take milliseconds.
  sqlite3_progress_handler(connection, 1000, is_over, (void *)(intptr_t)deadline);
}

int64_t cellar_overdue_seconds(void) {
  int64_t now = seconds_now();
  int64_t most = 0;
  pthread_mutex_lock(&watches_lock);
  for (struct watch *watch = watches; watch; watch = watch->next) {
    if (watch->begun == 0) continue;
    int64_t due = watch->deadline > watch->begun ? watch->deadline : watch->begun;
    if (now - due > most) most = now - due;
  }
  pthread_mutex_unlock(&watches_lock);
  return most;
}

int cellar_has_moved(struct sqlite3 *connection) {
  int hasMoved = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved);
  return code == SQLITE_OK && hasMoved != 0;
}
