// An SQLite file layer that reads a database and its log where they lie, and writes nothing.
//
// The files are opened through the layer that was the default before, which knows this process's locks:
// see SQLiteFile.h.

#include "InPlaceFile.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static sqlite3_vfs *usual;

// MARK: Files

/// A file that is read in place; the usual layer's own follows it in memory.
struct in_place_file {
  sqlite3_file base;
  /// `NULL` for a log that counts with none of its bytes.
  sqlite3_file *real;
  /// The most bytes that count.
  sqlite3_int64 limit;
};

static size_t own_size(void) { return (sizeof(struct in_place_file) + 15) & ~(size_t)15; }

static sqlite3_file *real_file(sqlite3_file *file) { return ((struct in_place_file *)file)->real; }

static int file_close(sqlite3_file *file) {
  sqlite3_file *real = real_file(file);
  return real ? real->pMethods->xClose(real) : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  sqlite3_file *real = real_file(file);
  *size = 0;
  if (!real) return SQLITE_OK;
  int code = real->pMethods->xFileSize(real, size);
  sqlite3_int64 limit = ((struct in_place_file *)file)->limit;
  if (*size > limit) *size = limit;
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *real = real_file(file);
  sqlite3_int64 left = ((struct in_place_file *)file)->limit - offset;
  int readable = !real || left <= 0 ? 0 : left < count ? (int)left : count;
  int code = readable == 0 ? SQLITE_OK : real->pMethods->xRead(real, bytes, readable, offset);
  if (readable == count || (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)) return code;
  memset((char *)bytes + readable, 0, (size_t)(count - readable));
  return SQLITE_IOERR_SHORT_READ;
}

static int file_write(
    sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  (void)file, (void)bytes, (void)count, (void)offset;
  return SQLITE_READONLY;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  (void)file, (void)size;
  return SQLITE_READONLY;
}

static int file_sync(sqlite3_file *file, int flags) {
  (void)file, (void)flags;
  return SQLITE_OK;
}

/// Takes the lock of a reader, whatever SQLite asks for: that keeps others from writing a file without
/// a log, and does not keep anybody from reading.
static int file_lock(sqlite3_file *file, int level) {
  sqlite3_file *real = real_file(file);
  return real && level == SQLITE_LOCK_SHARED ? real->pMethods->xLock(real, level) : SQLITE_OK;
}

static int file_unlock(sqlite3_file *file, int level) {
  sqlite3_file *real = real_file(file);
  return real ? real->pMethods->xUnlock(real, level) : SQLITE_OK;
}

static int file_check_reserved_lock(sqlite3_file *file, int *is_reserved) {
  (void)file;
  *is_reserved = 0;
  return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  (void)file, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

static int file_sector_size(sqlite3_file *file) {
  sqlite3_file *real = real_file(file);
  return real ? real->pMethods->xSectorSize(real) : 0;
}

static int file_device_characteristics(sqlite3_file *file) {
  sqlite3_file *real = real_file(file);
  return real ? real->pMethods->xDeviceCharacteristics(real) : 0;
}

/// Of version 1, which has no shared index of a log and no memory that is a part of a file.
static const sqlite3_io_methods methods = {
    .iVersion = 1, .xClose = file_close, .xRead = file_read, .xWrite = file_write,
    .xTruncate = file_truncate, .xSync = file_sync, .xFileSize = file_size, .xLock = file_lock,
    .xUnlock = file_unlock, .xCheckReservedLock = file_check_reserved_lock,
    .xFileControl = file_control, .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_device_characteristics};

// MARK: Names

/// The path behind a name, which is its end, and how many bytes of the log count; `NULL` for any other
/// name.
static const char *path_behind(const char *name, sqlite3_int64 *log_bytes) {
  static const size_t length = sizeof CELLAR_IN_PLACE_PREFIX - 1;
  if (!name || strncmp(name, CELLAR_IN_PLACE_PREFIX, length) != 0) return NULL;
  char *path;
  *log_bytes = strtoll(name + length, &path, 10);
  return *path == '/' ? path : NULL;
}

static int is_log(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, "-wal") == 0;
}

static int vfs_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  sqlite3_int64 log_bytes;
  const char *path = path_behind(name, &log_bytes);
  // As if this layer were not there.
  if (!path) return usual->xOpen(usual, name, file, flags, out_flags);

  struct in_place_file *own = (struct in_place_file *)file;
  memset(own, 0, sizeof *own);
  int kind = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL);
  if (!kind) return SQLITE_READONLY;
  own->limit = kind == SQLITE_OPEN_WAL ? log_bytes : INT64_MAX;
  if (own->limit > 0) {
    own->real = (sqlite3_file *)((char *)file + own_size());
    int found = 0;
    int code = usual->xOpen(usual, path, own->real, kind | SQLITE_OPEN_READONLY, &found);
    if (code != SQLITE_OK) {
      if (own->real->pMethods) own->real->pMethods->xClose(own->real);
      return code;
    }
  }
  if (out_flags) *out_flags = kind | SQLITE_OPEN_READONLY;
  own->base.pMethods = &methods;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs_folder) {
  (void)vfs;
  sqlite3_int64 log_bytes;
  if (path_behind(name, &log_bytes)) return SQLITE_OK;
  return usual->xDelete(usual, name, syncs_folder);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs;
  sqlite3_int64 log_bytes;
  const char *path = path_behind(name, &log_bytes);
  if (!path) return usual->xAccess(usual, name, flags, result);
  *result = flags == SQLITE_ACCESS_EXISTS && log_bytes > 0 && is_log(path);
  return SQLITE_OK;
}

static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int count, char *result) {
  (void)vfs;
  sqlite3_int64 log_bytes;
  if (!path_behind(name, &log_bytes)) return usual->xFullPathname(usual, name, count, result);
  size_t length = strlen(name);
  if (length >= (size_t)count) return SQLITE_CANTOPEN;
  memcpy(result, name, length + 1);
  return SQLITE_OK;
}

// MARK: Calls without a file

static void *vfs_dl_open(sqlite3_vfs *vfs, const char *path) {
  (void)vfs;
  return usual->xDlOpen(usual, path);
}
static void vfs_dl_error(sqlite3_vfs *vfs, int count, char *message) {
  (void)vfs;
  usual->xDlError(usual, count, message);
}
static void (*vfs_dl_sym(sqlite3_vfs *vfs, void *library, const char *symbol))(void) {
  (void)vfs;
  return usual->xDlSym(usual, library, symbol);
}
static void vfs_dl_close(sqlite3_vfs *vfs, void *library) {
  (void)vfs;
  usual->xDlClose(usual, library);
}
static int vfs_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  (void)vfs;
  return usual->xRandomness(usual, count, bytes);
}
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return usual->xSleep(usual, microseconds);
}
static int vfs_current_time(sqlite3_vfs *vfs, double *time) {
  (void)vfs;
  return usual->xCurrentTime(usual, time);
}
static int vfs_last_error(sqlite3_vfs *vfs, int count, char *message) {
  (void)vfs;
  return usual->xGetLastError ? usual->xGetLastError(usual, count, message) : 0;
}
static int vfs_current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  (void)vfs;
  return usual->xCurrentTimeInt64(usual, time);
}
static int vfs_set_system_call(sqlite3_vfs *vfs, const char *name, sqlite3_syscall_ptr call) {
  (void)vfs;
  return usual->xSetSystemCall(usual, name, call);
}
static sqlite3_syscall_ptr vfs_system_call(sqlite3_vfs *vfs, const char *name) {
  (void)vfs;
  return usual->xGetSystemCall(usual, name);
}
static const char *vfs_next_system_call(sqlite3_vfs *vfs, const char *name) {
  (void)vfs;
  return usual->xNextSystemCall(usual, name);
}

static sqlite3_vfs in_place_vfs = {
    .zName = "cellar-in-place", .xOpen = vfs_open, .xDelete = vfs_delete, .xAccess = vfs_access,
    .xFullPathname = vfs_full_pathname, .xDlOpen = vfs_dl_open, .xDlError = vfs_dl_error,
    .xDlSym = vfs_dl_sym, .xDlClose = vfs_dl_close, .xRandomness = vfs_randomness,
    .xSleep = vfs_sleep, .xCurrentTime = vfs_current_time, .xGetLastError = vfs_last_error,
    .xCurrentTimeInt64 = vfs_current_time_int64, .xSetSystemCall = vfs_set_system_call,
    .xGetSystemCall = vfs_system_call, .xNextSystemCall = vfs_next_system_call};

static int registration = SQLITE_ERROR;

static void register_once(void) {
  usual = sqlite3_vfs_find(0);
  if (!usual) return;
  in_place_vfs.iVersion = usual->iVersion < 3 ? usual->iVersion : 3;
  in_place_vfs.szOsFile = (int)own_size() + usual->szOsFile;
  // Names have the prefix and a number before their path.
  in_place_vfs.mxPathname = usual->mxPathname + (int)sizeof CELLAR_IN_PLACE_PREFIX + 24;
  registration = sqlite3_vfs_register(&in_place_vfs, 1);
}

int cellar_in_place_register(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_once);
  return registration;
}

int cellar_is_in_place(struct sqlite3 *connection) {
  sqlite3_int64 log_bytes;
  return path_behind(sqlite3_db_filename(connection, "main"), &log_bytes) != NULL;
}
