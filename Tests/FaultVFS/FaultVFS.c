// The file system itself: SQLite's own, with a question before each call.

#include "FaultScope.h"

#include <string.h>
#include <unistd.h>

static sqlite3_vfs *usual;

/// A file of a scope; the usual file system's own follows it in memory.
typedef struct {
  sqlite3_file base;
  FaultScope *scope;
  RecordedFile *recorded;
  /// As SQLite's own file system does: a new journal's first sync syncs its folder too.
  bool syncsFolder;
  sqlite3_file *real;
} FaultFile;

static size_t sizeOfFaultFile(void) { return (sizeof(FaultFile) + 15) & ~(size_t)15; }

#define FILE_OF(file) ((FaultFile *)(file))
#define REAL(file) (((FaultFile *)(file))->real)
#define CALL(file, method, ...) (REAL(file)->pMethods->method(REAL(file), __VA_ARGS__))
#define FAIL_IF(scope, kind)                                 \
  do {                                                       \
    int failure = fault_scope_check((scope), (kind), NULL);  \
    if (failure != SQLITE_OK) return failure;                \
  } while (0)

static int fileClose(sqlite3_file *file) {
  int result = REAL(file)->pMethods->xClose(REAL(file));
  fault_scope_release(FILE_OF(file)->scope);
  return result;
}

static int fileRead(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  FAIL_IF(FILE_OF(file)->scope, FAULT_READ);
  return CALL(file, xRead, buffer, count, offset);
}

static int writeAndRecord(
    sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  FaultFile *own = FILE_OF(file);
  if (!own->recorded) return CALL(file, xWrite, bytes, count, offset);
  pthread_mutex_lock(&own->scope->lock);
  recorder_write(own->scope->recorder, own->recorded, bytes, count, offset);
  int result = CALL(file, xWrite, bytes, count, offset);
  pthread_mutex_unlock(&own->scope->lock);
  return result;
}

static int fileWrite(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  bool isShort = false;
  int failure = fault_scope_check(FILE_OF(file)->scope, FAULT_WRITE, &isShort);
  if (failure == SQLITE_OK) return writeAndRecord(file, bytes, count, offset);
  if (isShort && count > 1) (void)writeAndRecord(file, bytes, count / 2, offset);
  return failure;
}

static int fileTruncate(sqlite3_file *file, sqlite3_int64 size) {
  FaultFile *own = FILE_OF(file);
  FAIL_IF(own->scope, FAULT_TRUNCATE);
  if (!own->recorded) return CALL(file, xTruncate, size);
  pthread_mutex_lock(&own->scope->lock);
  recorder_truncate(own->scope->recorder, own->recorded, size);
  int result = CALL(file, xTruncate, size);
  pthread_mutex_unlock(&own->scope->lock);
  return result;
}

static int fileSync(sqlite3_file *file, int flags) {
  FaultFile *own = FILE_OF(file);
  FAIL_IF(own->scope, FAULT_SYNC);
  // What is remembered stands for the disk: syncing that as well would only take time.
  if (!own->recorded) return CALL(file, xSync, flags);
  pthread_mutex_lock(&own->scope->lock);
  recorder_sync(own->scope->recorder, own->recorded, own->syncsFolder);
  pthread_mutex_unlock(&own->scope->lock);
  own->syncsFolder = false;
  return SQLITE_OK;
}

static int fileSize(sqlite3_file *file, sqlite3_int64 *size) {
  FAIL_IF(FILE_OF(file)->scope, FAULT_SIZE);
  return CALL(file, xFileSize, size);
}

static int fileLock(sqlite3_file *file, int level) {
  FAIL_IF(FILE_OF(file)->scope, FAULT_LOCK);
  return CALL(file, xLock, level);
}

// Giving a lock back does not fail: a system that did that would keep it until the file is closed.
static int fileUnlock(sqlite3_file *file, int level) { return CALL(file, xUnlock, level); }

static int fileCheckReservedLock(sqlite3_file *file, int *result) {
  return CALL(file, xCheckReservedLock, result);
}

static int fileControl(sqlite3_file *file, int operation, void *argument) {
  return CALL(file, xFileControl, operation, argument);
}

static int fileSectorSize(sqlite3_file *file) {
  return REAL(file)->pMethods->xSectorSize(REAL(file));
}

static int fileDeviceCharacteristics(sqlite3_file *file) {
  return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file));
}

static int fileShmMap(
    sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
  FAIL_IF(FILE_OF(file)->scope, FAULT_MAP);
  return CALL(file, xShmMap, page, size, extends, memory);
}

static int fileShmLock(sqlite3_file *file, int offset, int count, int flags) {
  if (flags & SQLITE_SHM_LOCK) FAIL_IF(FILE_OF(file)->scope, FAULT_INDEX_LOCK);
  return CALL(file, xShmLock, offset, count, flags);
}

static void fileShmBarrier(sqlite3_file *file) {
  REAL(file)->pMethods->xShmBarrier(REAL(file));
}

static int fileShmUnmap(sqlite3_file *file, int deletes) {
  return CALL(file, xShmUnmap, deletes);
}

/// No memory for any page: SQLite then reads, which can fail.
static int fileFetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **memory) {
  (void)file, (void)offset, (void)count;
  *memory = NULL;
  return SQLITE_OK;
}

static int fileUnfetch(sqlite3_file *file, sqlite3_int64 offset, void *memory) {
  (void)file, (void)offset, (void)memory;
  return SQLITE_OK;
}

#define METHODS_OF_VERSION_1(version)                                                            \
  .iVersion = (version), .xClose = fileClose, .xRead = fileRead, .xWrite = fileWrite,            \
  .xTruncate = fileTruncate, .xSync = fileSync, .xFileSize = fileSize, .xLock = fileLock,        \
  .xUnlock = fileUnlock, .xCheckReservedLock = fileCheckReservedLock,                            \
  .xFileControl = fileControl, .xSectorSize = fileSectorSize,                                    \
  .xDeviceCharacteristics = fileDeviceCharacteristics

/// By the version of the usual file's methods: a file of version 1 has no index of a log.
static const sqlite3_io_methods methodsWithoutIndex = {METHODS_OF_VERSION_1(1)};
static const sqlite3_io_methods methods = {
    METHODS_OF_VERSION_1(3), .xShmMap = fileShmMap, .xShmLock = fileShmLock,
    .xShmBarrier = fileShmBarrier, .xShmUnmap = fileShmUnmap, .xFetch = fileFetch,
    .xUnfetch = fileUnfetch};

/// Also without a byte, where SQLite's own question says no: a log that was truncated is no new one.
static bool exists(const char *path) { return path && access(path, F_OK) == 0; }

static int vfsOpen(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outFlags) {
  (void)vfs;
  FaultScope *scope = fault_scope_find(path);
  // As if this file system were not there.
  if (!scope) return usual->xOpen(usual, path, file, flags, outFlags);

  FaultFile *own = FILE_OF(file);
  memset(own, 0, sizeof *own);
  own->scope = scope;
  own->real = (sqlite3_file *)((char *)file + sizeOfFaultFile());
  bool isNew = (flags & SQLITE_OPEN_CREATE) && !exists(path);
  int result = fault_scope_check(scope, isNew ? FAULT_CREATE : FAULT_OPEN, NULL);
  if (result == SQLITE_OK) {
    result = usual->xOpen(usual, path, own->real, flags, outFlags);
    if (result != SQLITE_OK && own->real->pMethods) own->real->pMethods->xClose(own->real);
  }
  if (result != SQLITE_OK) {
    fault_scope_release(scope);
    own->base.pMethods = NULL;
    return result;
  }
  own->syncsFolder =
      (flags & SQLITE_OPEN_CREATE)
      && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL));
  pthread_mutex_lock(&scope->lock);
  if (scope->recorder) own->recorded = recorder_open(scope->recorder, path, isNew);
  pthread_mutex_unlock(&scope->lock);
  own->base.pMethods = own->real->pMethods->iVersion >= 2 ? &methods : &methodsWithoutIndex;
  return SQLITE_OK;
}

static int vfsDelete(sqlite3_vfs *vfs, const char *path, int syncsFolder) {
  (void)vfs;
  FaultScope *scope = fault_scope_find(path);
  if (!scope) return usual->xDelete(usual, path, syncsFolder);
  int result = fault_scope_check(scope, FAULT_DELETE, NULL);
  if (result == SQLITE_OK) {
    pthread_mutex_lock(&scope->lock);
    if (scope->recorder) recorder_delete(scope->recorder, path, syncsFolder != 0);
    result = usual->xDelete(usual, path, scope->recorder ? 0 : syncsFolder);
    pthread_mutex_unlock(&scope->lock);
  }
  fault_scope_release(scope);
  return result;
}

static int vfsAccess(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  (void)vfs;
  FaultScope *scope = fault_scope_find(path);
  if (scope) {
    int failure = fault_scope_check(scope, FAULT_ACCESS, NULL);
    fault_scope_release(scope);
    if (failure != SQLITE_OK) return failure;
  }
  return usual->xAccess(usual, path, flags, result);
}

// What has no file: handed on, because the usual file system expects itself.

static int vfsFullPathname(sqlite3_vfs *vfs, const char *path, int count, char *result) {
  (void)vfs;
  return usual->xFullPathname(usual, path, count, result);
}
static void *vfsDlOpen(sqlite3_vfs *vfs, const char *path) {
  (void)vfs;
  return usual->xDlOpen(usual, path);
}
static void vfsDlError(sqlite3_vfs *vfs, int count, char *message) {
  (void)vfs;
  usual->xDlError(usual, count, message);
}
static void (*vfsDlSym(sqlite3_vfs *vfs, void *library, const char *symbol))(void) {
  (void)vfs;
  return usual->xDlSym(usual, library, symbol);
}
static void vfsDlClose(sqlite3_vfs *vfs, void *library) {
  (void)vfs;
  usual->xDlClose(usual, library);
}
static int vfsRandomness(sqlite3_vfs *vfs, int count, char *bytes) {
  (void)vfs;
  return usual->xRandomness(usual, count, bytes);
}
static int vfsSleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return usual->xSleep(usual, microseconds);
}
static int vfsCurrentTime(sqlite3_vfs *vfs, double *time) {
  (void)vfs;
  return usual->xCurrentTime(usual, time);
}
/// `errno`, where the usual file system looks as well.
static int vfsGetLastError(sqlite3_vfs *vfs, int count, char *message) {
  (void)vfs;
  return usual->xGetLastError(usual, count, message);
}
static int vfsCurrentTimeInt64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  (void)vfs;
  return usual->xCurrentTimeInt64(usual, time);
}

static sqlite3_vfs faultVFS = {
    .zName = "cellar-faults",
    .xOpen = vfsOpen,
    .xDelete = vfsDelete,
    .xAccess = vfsAccess,
    .xFullPathname = vfsFullPathname,
    .xDlOpen = vfsDlOpen,
    .xDlError = vfsDlError,
    .xDlSym = vfsDlSym,
    .xDlClose = vfsDlClose,
    .xRandomness = vfsRandomness,
    .xSleep = vfsSleep,
    .xCurrentTime = vfsCurrentTime,
    .xGetLastError = vfsGetLastError,
    .xCurrentTimeInt64 = vfsCurrentTimeInt64,
};

static void registerOnce(void) {
  usual = sqlite3_vfs_find(NULL);
  if (!usual) return;
  faultVFS.iVersion = usual->iVersion >= 2 ? 2 : 1;
  faultVFS.szOsFile = (int)sizeOfFaultFile() + usual->szOsFile;
  faultVFS.mxPathname = usual->mxPathname;
  if (sqlite3_vfs_register(&faultVFS, 1) != SQLITE_OK) usual = NULL;
}

bool fault_vfs_register(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, registerOnce);
  return usual != NULL;
}
