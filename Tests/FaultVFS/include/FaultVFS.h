#ifndef CELLAR_FAULT_VFS_H
#define CELLAR_FAULT_VFS_H

#include <stdbool.h>
#include <stdint.h>

/// Kinds of calls that SQLite makes to its file system, to be added up.
enum {
  /// Opens a file that is there.
  FAULT_OPEN = 1 << 0,
  /// Opens a file that is not there yet, and makes it.
  FAULT_CREATE = 1 << 1,
  FAULT_READ = 1 << 2,
  FAULT_WRITE = 1 << 3,
  FAULT_SYNC = 1 << 4,
  FAULT_TRUNCATE = 1 << 5,
  FAULT_DELETE = 1 << 6,
  /// Asks whether a file is there.
  FAULT_ACCESS = 1 << 7,
  /// Asks how large a file is.
  FAULT_SIZE = 1 << 8,
  FAULT_LOCK = 1 << 9,
  /// Maps the index of a write-ahead log, or makes it larger.
  FAULT_MAP = 1 << 10,
  /// Takes a lock on that index.
  FAULT_INDEX_LOCK = 1 << 11,

  FAULT_KIND_COUNT = 12,
};

/// Which calls fail, and how.
typedef struct FaultPlan {
  /// The kinds of calls that are counted.
  uint32_t kinds;
  /// The number of the first one that fails, from 1.
  int64_t first;
  /// Whether all calls of these kinds fail from then on; else that one alone.
  bool lasts;
  /// Whether a failing write writes the first half before.
  bool isShort;
  /// What `errno` is then: EIO, ENOSPC.
  int systemError;
  /// SQLite's code; 0: what its own file system says for that kind of call and that `errno`.
  int result;
} FaultPlan;

/// Files whose path begins with a prefix, and what is to happen to them.
typedef struct FaultScope FaultScope;

/// Begins a scope. The first one makes this file system SQLite's default, for connections opened
/// from then on; files in no scope go to the system's, which serves them as ever.
///
/// - Parameters:
///   - prefix: What the paths begin with.
///   - isOfThread: Whether only those files count that this thread opens.
/// - Returns: NULL if SQLite has no file system.
FaultScope *fault_scope_begin(const char *prefix, bool isOfThread);

/// Ends a scope: its files, those that are open still too, are served as ever.
void fault_scope_end(FaultScope *scope);

/// Counts calls anew, and lets some fail.
void fault_scope_arm(FaultScope *scope, FaultPlan plan);

/// Lets nothing fail any more; the numbers stay.
void fault_scope_disarm(FaultScope *scope);

/// How many calls of some kinds there were since the plan began.
int64_t fault_scope_calls(FaultScope *scope, uint32_t kinds);

/// How many calls failed by the plan.
int64_t fault_scope_failures(FaultScope *scope);

/// Remembers from now on what was written and not synced, file by file, and now and then writes what
/// a power failure at that moment leaves into a folder of its own: `FOLDER/0`, `FOLDER/1`, …
///
/// What was synced is kept. Of the rest, any part may be: none, all, the first writes, any of them,
/// each torn between sectors of 512 bytes; a file may have grown without its bytes. Files that were
/// made or deleted are so in their order, from some moment on not at all, unless their folder was
/// synced.
///
/// Files of the scope that are open already are not remembered.
///
/// - Parameters:
///   - folder: Must exist.
///   - interval: After about how many calls that write, sync, truncate, make or delete; 0: only when
///     ``fault_scope_cut`` is called.
void fault_scope_record(FaultScope *scope, const char *folder, int interval, uint64_t seed);

/// Has the power fail now.
///
/// - Returns: The number of the power failure, and so the name of its folder; -1 if nothing is
///   remembered.
int fault_scope_cut(FaultScope *scope);

/// Sets a number that is kept with each later power failure, such as the last acknowledged revision.
void fault_scope_note(FaultScope *scope, int64_t note);

/// How many power failures there are in the folder.
int fault_scope_cuts(FaultScope *scope);

/// The number that was set when a power failure came.
int64_t fault_scope_cut_note(FaultScope *scope, int cut);

#endif
