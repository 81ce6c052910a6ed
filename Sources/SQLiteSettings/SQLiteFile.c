// For the locks that belong to a descriptor, and for holes.
#define _GNU_SOURCE

#include "SQLiteFile.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#if !defined(F_OFD_SETLK) && defined(__APPLE__)
// The system has them; not all of its headers name them.
#define F_OFD_SETLK 90
#define F_OFD_GETLK 92
#endif

struct cellar_file {
  // The layer keeps a pointer to the name, and may look for what SQLite puts around the name of a
  // database: four zeros before it, and an empty list of parameters after it.
  char *name;
  sqlite3_file *file;
};

_Static_assert(CELLAR_FILE_BUSY == SQLITE_BUSY, "the header has SQLite's code");
_Static_assert(CELLAR_FILE_SHORT_READ == SQLITE_IOERR_SHORT_READ, "the header has SQLite's code");

const char *cellar_file_error_text(int code) { return sqlite3_errstr(code); }

static void cellar_file_free(struct cellar_file *file) {
  sqlite3_free(file->file);
  sqlite3_free(file->name);
  sqlite3_free(file);
}

int cellar_file_open(const char *path, int is_writable, struct cellar_file **result) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(0);
  if (!vfs) return SQLITE_ERROR;
  struct cellar_file *file = sqlite3_malloc64(sizeof *file);
  if (!file) return SQLITE_NOMEM;
  memset(file, 0, sizeof *file);
  size_t length = strlen(path);
  file->name = sqlite3_malloc64(length + 8);
  file->file = sqlite3_malloc64((sqlite3_uint64)vfs->szOsFile);
  if (!file->name || !file->file) {
    cellar_file_free(file);
    return SQLITE_NOMEM;
  }
  memset(file->name, 0, length + 8);
  memcpy(file->name + 4, path, length);
  memset(file->file, 0, (size_t)vfs->szOsFile);
  int flags = 0;
  int mode = is_writable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  int code = vfs->xOpen(vfs, file->name + 4, file->file, SQLITE_OPEN_MAIN_DB | mode, &flags);
  if (code != SQLITE_OK) {
    if (file->file->pMethods) file->file->pMethods->xClose(file->file);
    cellar_file_free(file);
    return code;
  }
  *result = file;
  return SQLITE_OK;
}

void cellar_file_close(struct cellar_file *file) {
  file->file->pMethods->xClose(file->file);
  cellar_file_free(file);
}

int cellar_file_size(struct cellar_file *file, int64_t *size) {
  sqlite3_int64 count = 0;
  int code = file->file->pMethods->xFileSize(file->file, &count);
  *size = count;
  return code;
}

int cellar_file_read(struct cellar_file *file, void *bytes, int count, int64_t offset) {
  return file->file->pMethods->xRead(file->file, bytes, count, offset);
}

int cellar_file_lock_shared(struct cellar_file *file) {
  return file->file->pMethods->xLock(file->file, SQLITE_LOCK_SHARED);
}

int cellar_file_lock_exclusive(struct cellar_file *file) {
  int code = cellar_file_lock_shared(file);
  // SQLite's layer wants the locks one after another.
  if (code == SQLITE_OK) code = file->file->pMethods->xLock(file->file, SQLITE_LOCK_RESERVED);
  if (code == SQLITE_OK) code = file->file->pMethods->xLock(file->file, SQLITE_LOCK_EXCLUSIVE);
  if (code != SQLITE_OK) cellar_file_unlock(file);
  return code;
}

void cellar_file_unlock(struct cellar_file *file) {
  file->file->pMethods->xUnlock(file->file, SQLITE_LOCK_NONE);
}

int cellar_file_is_reserved(struct cellar_file *file, int *is_reserved) {
  return file->file->pMethods->xCheckReservedLock(file->file, is_reserved);
}

int cellar_lock_byte(int descriptor, int64_t offset, int is_locked) {
#ifdef F_OFD_SETLK
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = is_locked ? F_RDLCK : F_UNLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = (off_t)offset;
  lock.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
#else
  return ENOTSUP;
#endif
}

int cellar_is_byte_locked(int descriptor, int64_t offset) {
#ifdef F_OFD_SETLK
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = (off_t)offset;
  lock.l_len = 1;
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
#else
  return 0;
#endif
}

int64_t cellar_seek(int descriptor, int64_t offset, int is_hole) {
#ifdef SEEK_HOLE
  return (int64_t)lseek(descriptor, (off_t)offset, is_hole ? SEEK_HOLE : SEEK_DATA);
#else
  errno = EINVAL;
  return -1;
#endif
}
