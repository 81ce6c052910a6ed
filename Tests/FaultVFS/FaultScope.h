#ifndef CELLAR_FAULT_SCOPE_H
#define CELLAR_FAULT_SCOPE_H

#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>

#include "FaultVFS.h"

typedef struct Recorder Recorder;
typedef struct RecordedFile RecordedFile;

struct FaultScope {
  char *prefix;
  bool isOfThread;
  pthread_t thread;
  /// The test's, and one of each open file. Under the lock of all scopes.
  int references;
  bool isEnded;
  FaultScope *next;

  /// Of what follows.
  pthread_mutex_t lock;
  FaultPlan plan;
  bool isArmed;
  /// By kind.
  int64_t calls[FAULT_KIND_COUNT];
  /// Of the plan's kinds.
  int64_t plannedCalls;
  int64_t failures;
  Recorder *recorder;
};

/// Makes the file system SQLite's default; once.
bool fault_vfs_register(void);

/// The scope that a path is in; NULL if none. The caller owns a reference.
FaultScope *fault_scope_find(const char *path);
void fault_scope_release(FaultScope *scope);

/// Counts a call.
///
/// - Returns: SQLITE_OK if it is to be made, else what it fails with; `errno` is set then.
int fault_scope_check(FaultScope *scope, uint32_t kind, bool *isShort);

// What was not synced. All but the last under the scope's lock.

Recorder *recorder_make(const char *folder, int interval, uint64_t seed);
int recorder_cut(Recorder *recorder);
void recorder_note(Recorder *recorder, int64_t note);
int recorder_cuts(const Recorder *recorder);
int64_t recorder_cut_note(const Recorder *recorder, int cut);
RecordedFile *recorder_open(Recorder *recorder, const char *path, bool isNew);
void recorder_write(
    Recorder *recorder, RecordedFile *file, const void *bytes, int count, int64_t offset);
void recorder_truncate(Recorder *recorder, RecordedFile *file, int64_t size);
void recorder_sync(Recorder *recorder, RecordedFile *file, bool syncsFolder);
void recorder_delete(Recorder *recorder, const char *path, bool syncsFolder);
void recorder_free(Recorder *recorder);

#endif
