// SQLite's files, each of the process that opened it: when a process ends, its files are closed as they
// are, and nothing of it writes any more.

#include "System.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static sqlite3_vfs *usual;

typedef struct DiskFile {
  sqlite3_file base;
  int process;
  bool isGone;
  struct DiskFile *next;
  sqlite3_file *real;
} DiskFile;

static DiskFile *files;
/// By process: how many calls until it ends; -1: it does not.
static int64_t rest[PROCESS_LIMIT];
static bool isGone[PROCESS_LIMIT];
static int64_t changeCount;

static size_t sizeOfDiskFile(void) { return (sizeof(DiskFile) + 15) & ~(size_t)15; }

void simulated_disk_end_at(int process, int64_t call) { rest[process % PROCESS_LIMIT] = call; }
bool simulated_disk_is_gone(int process) { return isGone[process % PROCESS_LIMIT]; }

int64_t simulated_disk_change_count(void) { return changeCount; }

int simulated_disk_open_files(int process) {
  int count = 0;
  for (DiskFile *file = files; file; file = file->next) {
    count += file->process == process && !file->isGone;
  }
  return count;
}

void disk_end(int process) {
  isGone[process % PROCESS_LIMIT] = true;
  for (DiskFile *file = files; file; file = file->next) {
    if (file->process != process || file->isGone) continue;
    file->isGone = true;
    if (file->real->pMethods->iVersion >= 2) file->real->pMethods->xShmUnmap(file->real, 0);
    file->real->pMethods->xUnlock(file->real, SQLITE_LOCK_NONE);
    file->real->pMethods->xClose(file->real);
  }
}

void disk_forget(void) {
  files = NULL;
  for (int i = 0; i < PROCESS_LIMIT; i++) rest[i] = -1;
  memset(isGone, 0, sizeof isGone);
}

/// Whether a process may still change files; counts the call.
static bool mayChange(int process) {
  process %= PROCESS_LIMIT;
  changeCount += 1;
  if (isGone[process]) return false;
  if (rest[process] > 0 && --rest[process] == 0) isGone[process] = true;
  return !isGone[process];
}

#define OWN(file) ((DiskFile *)(file))
#define CALL(file, method, ...) \
  (OWN(file)->real->pMethods->method(OWN(file)->real, __VA_ARGS__))
/// For calls that change nothing on the disk.
#define FAIL_IF_GONE(file) \
  if (OWN(file)->isGone || simulated_disk_is_gone(OWN(file)->process)) return SQLITE_IOERR
/// For calls that do.
#define FAIL_IF_ENDED(file) \
  if (OWN(file)->isGone || !mayChange(OWN(file)->process)) return SQLITE_IOERR

static int fileClose(sqlite3_file *file) {
  for (DiskFile **link = &files; *link; link = &(*link)->next) {
    if (*link == OWN(file)) {
      *link = OWN(file)->next;
      break;
    }
  }
  if (OWN(file)->isGone) return SQLITE_OK;
  OWN(file)->isGone = true;
  return OWN(file)->real->pMethods->xClose(OWN(file)->real);
}
static int fileRead(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  FAIL_IF_GONE(file);
  return CALL(file, xRead, buffer, count, offset);
}
static int fileWrite(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  FAIL_IF_ENDED(file);
  simulation_note('w', bytes, count);
  return CALL(file, xWrite, bytes, count, offset);
}
static int fileTruncate(sqlite3_file *file, sqlite3_int64 size) {
  FAIL_IF_ENDED(file);
  return CALL(file, xTruncate, size);
}
static int fileSync(sqlite3_file *file, int flags) {
  FAIL_IF_ENDED(file);
  return CALL(file, xSync, flags);
}
static int fileSize(sqlite3_file *file, sqlite3_int64 *size) {
  FAIL_IF_GONE(file);
  return CALL(file, xFileSize, size);
}
static int fileLock(sqlite3_file *file, int level) {
  FAIL_IF_GONE(file);
  return CALL(file, xLock, level);
}
static int fileUnlock(sqlite3_file *file, int level) {
  if (OWN(file)->isGone) return SQLITE_OK;
  return CALL(file, xUnlock, level);
}
static int fileCheckReservedLock(sqlite3_file *file, int *result) {
  FAIL_IF_GONE(file);
  return CALL(file, xCheckReservedLock, result);
}
static int fileControl(sqlite3_file *file, int operation, void *argument) {
  FAIL_IF_GONE(file);
  return CALL(file, xFileControl, operation, argument);
}
static int fileSectorSize(sqlite3_file *file) {
  return OWN(file)->isGone ? 512 : OWN(file)->real->pMethods->xSectorSize(OWN(file)->real);
}
static int fileDeviceCharacteristics(sqlite3_file *file) {
  return OWN(file)->isGone ? 0
                           : OWN(file)->real->pMethods->xDeviceCharacteristics(OWN(file)->real);
}
static int fileShmMap(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
  FAIL_IF_GONE(file);
  return CALL(file, xShmMap, page, size, extends, memory);
}
static int fileShmLock(sqlite3_file *file, int offset, int count, int flags) {
  if (OWN(file)->isGone) return flags & SQLITE_SHM_UNLOCK ? SQLITE_OK : SQLITE_IOERR;
  if (!(flags & SQLITE_SHM_UNLOCK)) FAIL_IF_GONE(file);
  return CALL(file, xShmLock, offset, count, flags);
}
static void fileShmBarrier(sqlite3_file *file) {
  if (!OWN(file)->isGone) OWN(file)->real->pMethods->xShmBarrier(OWN(file)->real);
}
static int fileShmUnmap(sqlite3_file *file, int deletes) {
  if (OWN(file)->isGone) return SQLITE_OK;
  return CALL(file, xShmUnmap, deletes);
}
static int fileFetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **memory) {
  (void)file, (void)offset, (void)count;
  *memory = NULL;
  return SQLITE_OK;
}
static int fileUnfetch(sqlite3_file *file, sqlite3_int64 offset, void *memory) {
  (void)file, (void)offset, (void)memory;
  return SQLITE_OK;
}

#define METHODS(version)                                                                         \
  .iVersion = (version), .xClose = fileClose, .xRead = fileRead, .xWrite = fileWrite,            \
  .xTruncate = fileTruncate, .xSync = fileSync, .xFileSize = fileSize, .xLock = fileLock,        \
  .xUnlock = fileUnlock, .xCheckReservedLock = fileCheckReservedLock,                            \
  .xFileControl = fileControl, .xSectorSize = fileSectorSize,                                    \
  .xDeviceCharacteristics = fileDeviceCharacteristics

static const sqlite3_io_methods methodsWithoutIndex = {METHODS(1)};
static const sqlite3_io_methods methods = {
    METHODS(3), .xShmMap = fileShmMap, .xShmLock = fileShmLock, .xShmBarrier = fileShmBarrier,
    .xShmUnmap = fileShmUnmap, .xFetch = fileFetch, .xUnfetch = fileUnfetch};

static int vfsOpen(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outFlags) {
  (void)vfs;
  if (!is_simulated() || current_process() == 0) {
    return usual->xOpen(usual, path, file, flags, outFlags);
  }
  DiskFile *own = OWN(file);
  memset(own, 0, sizeof *own);
  own->process = current_process();
  if (simulated_disk_is_gone(own->process)) return SQLITE_CANTOPEN;
  own->real = (sqlite3_file *)((char *)file + sizeOfDiskFile());
  int result = usual->xOpen(usual, path, own->real, flags, outFlags);
  if (result != SQLITE_OK) {
    if (own->real->pMethods) own->real->pMethods->xClose(own->real);
    return result;
  }
  own->base.pMethods = own->real->pMethods->iVersion >= 2 ? &methods : &methodsWithoutIndex;
  own->next = files;
  files = own;
  return SQLITE_OK;
}

static int vfsDelete(sqlite3_vfs *vfs, const char *path, int syncsFolder) {
  (void)vfs;
  if (current_process() != 0 && !mayChange(current_process())) return SQLITE_IOERR_DELETE;
  return usual->xDelete(usual, path, syncsFolder);
}

static int vfsRandomness(sqlite3_vfs *vfs, int count, char *bytes) {
  (void)vfs;
  if (!is_simulated()) return usual->xRandomness(usual, count, bytes);
  for (int i = 0; i < count; i++) bytes[i] = (char)simulation_random();
  return count;
}

static int vfsSleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  if (!is_simulated()) return usual->xSleep(usual, microseconds);
  // Nobody else works meanwhile: whoever waits for a lock of another process does not get it.
  simulation_advance((int64_t)microseconds * 1000);
  return microseconds;
}

// What has no file: handed on.
static int vfsAccess(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  (void)vfs;
  return usual->xAccess(usual, path, flags, result);
}
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
static int vfsCurrentTime(sqlite3_vfs *vfs, double *time) {
  (void)vfs;
  return usual->xCurrentTime(usual, time);
}
static int vfsCurrentTime64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  (void)vfs;
  return usual->xCurrentTimeInt64(usual, time);
}
static int vfsLastError(sqlite3_vfs *vfs, int count, char *message) {
  (void)vfs;
  return usual->xGetLastError(usual, count, message);
}

bool simulated_disk_register(void) {
  static sqlite3_vfs vfs;
  if (usual) return true;
  usual = sqlite3_vfs_find(NULL);
  if (!usual) return false;
  vfs = *usual;
  vfs.zName = "cellar-simulated";
  vfs.pNext = NULL;
  vfs.szOsFile = (int)sizeOfDiskFile() + usual->szOsFile;
  vfs.xOpen = vfsOpen;
  vfs.xDelete = vfsDelete;
  vfs.xAccess = vfsAccess;
  vfs.xFullPathname = vfsFullPathname;
  vfs.xDlOpen = vfsDlOpen;
  vfs.xDlError = vfsDlError;
  vfs.xDlSym = vfsDlSym;
  vfs.xDlClose = vfsDlClose;
  vfs.xRandomness = vfsRandomness;
  vfs.xSleep = vfsSleep;
  vfs.xCurrentTime = vfsCurrentTime;
  vfs.xCurrentTimeInt64 = vfsCurrentTime64;
  vfs.xGetLastError = vfsLastError;
  disk_forget();
  return sqlite3_vfs_register(&vfs, 1) == SQLITE_OK;
}
