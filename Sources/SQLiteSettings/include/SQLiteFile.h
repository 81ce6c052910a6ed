#ifndef CELLAR_SQLITE_FILE_H
#define CELLAR_SQLITE_FILE_H

#include <stdint.h>

/// A database file that is open to be read through SQLite's own file layer.
///
/// The system drops all of a process's locks of a file as soon as the process closes any descriptor of
/// it. SQLite knows which of its connections hold locks, and closes later: what opens a database file in
/// a process that may have the database open must go this way.
struct cellar_file;

/// `SQLITE_BUSY`: another connection has a lock.
#define CELLAR_FILE_BUSY 5
/// `SQLITE_IOERR_SHORT_READ`: some of the bytes are not there.
#define CELLAR_FILE_SHORT_READ 522

/// SQLite's words for a result code, such as "disk I/O error".
const char *cellar_file_error_text(int code);

/// Opens a database file to read it. Nothing is locked.
///
/// - Parameters:
///   - path: An absolute path without links.
///   - is_writable: Whether the file can be locked for writing; nothing is written.
///   - file: Receives the file if the result is 0.
/// - Returns: SQLite's result code.
int cellar_file_open(const char *path, int is_writable, struct cellar_file **file);

/// Closes a file, and gives back its lock.
void cellar_file_close(struct cellar_file *file);

/// The size of a file in bytes.
///
/// - Returns: SQLite's result code.
int cellar_file_size(struct cellar_file *file, int64_t *size);

/// Reads bytes; those that are not there are zero.
///
/// - Returns: SQLite's result code; `SQLITE_IOERR_SHORT_READ` if some are not there.
int cellar_file_read(struct cellar_file *file, void *bytes, int count, int64_t offset);

/// Takes the lock that readers of a database have: nobody writes the file outside of WAL mode, or
/// deletes its log, until it is given back.
///
/// - Returns: SQLite's result code; `SQLITE_BUSY` if another has the file for itself.
int cellar_file_lock_shared(struct cellar_file *file);

/// Takes the lock that a writer has outside of WAL mode: nobody else has the file open in WAL mode, and
/// nobody reads or writes it. The file must be open for that.
///
/// - Returns: SQLite's result code; `SQLITE_BUSY` if another has any lock.
int cellar_file_lock_exclusive(struct cellar_file *file);

/// Gives back the lock.
void cellar_file_unlock(struct cellar_file *file);

/// Whether anybody is about to write, outside of WAL mode.
///
/// - Returns: SQLite's result code.
int cellar_file_is_reserved(struct cellar_file *file, int *is_reserved);

/// Takes or gives back a lock to read one byte, which belongs to the descriptor and not to the process.
///
/// - Returns: 0, or an error number; `ENOTSUP` where the system has no such locks.
int cellar_lock_byte(int descriptor, int64_t offset, int is_locked);

/// Whether any lock on one byte keeps others from writing: another process's, or one of this process
/// that does not belong to the descriptor. 0 where the system does not say.
int cellar_is_byte_locked(int descriptor, int64_t offset);

/// Where a file has data next, or a hole, from an offset on; its end counts as a hole.
///
/// - Returns: The offset; -1 with `errno`, which is `ENXIO` where nothing but a hole follows.
int64_t cellar_seek(int descriptor, int64_t offset, int is_hole);

#endif
