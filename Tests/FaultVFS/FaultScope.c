#include "FaultScope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t scopesLock = PTHREAD_MUTEX_INITIALIZER;
static FaultScope *scopes;

FaultScope *fault_scope_begin(const char *prefix, bool isOfThread) {
  if (!fault_vfs_register()) return NULL;
  FaultScope *scope = calloc(1, sizeof *scope);
  scope->prefix = strdup(prefix);
  scope->isOfThread = isOfThread;
  scope->thread = pthread_self();
  scope->references = 1;
  pthread_mutex_init(&scope->lock, NULL);
  pthread_mutex_lock(&scopesLock);
  scope->next = scopes;
  scopes = scope;
  pthread_mutex_unlock(&scopesLock);
  return scope;
}

void fault_scope_end(FaultScope *scope) {
  pthread_mutex_lock(&scopesLock);
  for (FaultScope **link = &scopes; *link; link = &(*link)->next) {
    if (*link == scope) {
      *link = scope->next;
      break;
    }
  }
  pthread_mutex_unlock(&scopesLock);
  fault_scope_disarm(scope);
  fault_scope_release(scope);
}

FaultScope *fault_scope_find(const char *path) {
  if (!path) return NULL;
  pthread_mutex_lock(&scopesLock);
  FaultScope *found = scopes;
  while (found
         && (strncmp(path, found->prefix, strlen(found->prefix)) != 0
             || (found->isOfThread && !pthread_equal(found->thread, pthread_self())))) {
    found = found->next;
  }
  if (found) found->references += 1;
  pthread_mutex_unlock(&scopesLock);
  return found;
}

void fault_scope_release(FaultScope *scope) {
  pthread_mutex_lock(&scopesLock);
  bool isLast = --scope->references == 0;
  pthread_mutex_unlock(&scopesLock);
  if (!isLast) return;
  if (scope->recorder) recorder_free(scope->recorder);
  pthread_mutex_destroy(&scope->lock);
  free(scope->prefix);
  free(scope);
}

void fault_scope_arm(FaultScope *scope, FaultPlan plan) {
  pthread_mutex_lock(&scope->lock);
  scope->plan = plan;
  scope->isArmed = true;
  memset(scope->calls, 0, sizeof scope->calls);
  scope->plannedCalls = 0;
  scope->failures = 0;
  pthread_mutex_unlock(&scope->lock);
}

void fault_scope_disarm(FaultScope *scope) {
  pthread_mutex_lock(&scope->lock);
  scope->isArmed = false;
  pthread_mutex_unlock(&scope->lock);
}

int64_t fault_scope_calls(FaultScope *scope, uint32_t kinds) {
  int64_t calls = 0;
  pthread_mutex_lock(&scope->lock);
  for (int kind = 0; kind < FAULT_KIND_COUNT; kind++) {
    if (kinds & (1u << kind)) calls += scope->calls[kind];
  }
  pthread_mutex_unlock(&scope->lock);
  return calls;
}

int64_t fault_scope_failures(FaultScope *scope) {
  pthread_mutex_lock(&scope->lock);
  int64_t failures = scope->failures;
  pthread_mutex_unlock(&scope->lock);
  return failures;
}

/// What SQLite's own file system returns where the system fails.
static int usualResult(uint32_t kind, int systemError, bool isShort) {
  switch (kind) {
  case FAULT_OPEN:
  case FAULT_CREATE: return SQLITE_CANTOPEN;
  case FAULT_READ: return SQLITE_IOERR_READ;
  // Fewer bytes than were asked for, without an error, is a full disk to it.
  case FAULT_WRITE:
    return systemError == ENOSPC || (isShort && systemError == 0) ? SQLITE_FULL
                                                                  : SQLITE_IOERR_WRITE;
  case FAULT_SYNC: return SQLITE_IOERR_FSYNC;
  case FAULT_TRUNCATE: return SQLITE_IOERR_TRUNCATE;
  case FAULT_DELETE: return SQLITE_IOERR_DELETE;
  case FAULT_ACCESS: return SQLITE_IOERR_ACCESS;
  case FAULT_SIZE: return SQLITE_IOERR_FSTAT;
  case FAULT_LOCK: return SQLITE_IOERR_LOCK;
  case FAULT_MAP: return systemError == ENOSPC ? SQLITE_IOERR_SHMSIZE : SQLITE_IOERR_SHMMAP;
  case FAULT_INDEX_LOCK: return SQLITE_IOERR_SHMLOCK;
  default: return SQLITE_IOERR;
  }
}

int fault_scope_check(FaultScope *scope, uint32_t kind, bool *isShort) {
  int result = SQLITE_OK;
  int systemError = 0;
  pthread_mutex_lock(&scope->lock);
  const FaultPlan plan = scope->plan;
  for (int i = 0; i < FAULT_KIND_COUNT; i++) {
    if (kind == 1u << i && scope->isArmed) scope->calls[i] += 1;
  }
  if (scope->isArmed && (plan.kinds & kind)) {
    int64_t call = ++scope->plannedCalls;
    if (plan.lasts ? call >= plan.first : call == plan.first) {
      scope->failures += 1;
      systemError = plan.systemError;
      result = plan.result ? plan.result : usualResult(kind, systemError, plan.isShort);
      if (isShort) *isShort = plan.isShort;
    }
  }
  pthread_mutex_unlock(&scope->lock);
  if (result != SQLITE_OK) errno = systemError;
  return result;
}

void fault_scope_record(FaultScope *scope, const char *folder, int interval, uint64_t seed) {
  pthread_mutex_lock(&scope->lock);
  if (!scope->recorder) scope->recorder = recorder_make(folder, interval, seed);
  pthread_mutex_unlock(&scope->lock);
}

int fault_scope_cut(FaultScope *scope) {
  pthread_mutex_lock(&scope->lock);
  int cut = scope->recorder ? recorder_cut(scope->recorder) : -1;
  pthread_mutex_unlock(&scope->lock);
  return cut;
}

void fault_scope_note(FaultScope *scope, int64_t note) {
  pthread_mutex_lock(&scope->lock);
  if (scope->recorder) recorder_note(scope->recorder, note);
  pthread_mutex_unlock(&scope->lock);
}

int fault_scope_cuts(FaultScope *scope) {
  pthread_mutex_lock(&scope->lock);
  int cuts = scope->recorder ? recorder_cuts(scope->recorder) : 0;
  pthread_mutex_unlock(&scope->lock);
  return cuts;
}

int64_t fault_scope_cut_note(FaultScope *scope, int cut) {
  pthread_mutex_lock(&scope->lock);
  int64_t note = scope->recorder ? recorder_cut_note(scope->recorder, cut) : 0;
  pthread_mutex_unlock(&scope->lock);
  return note;
}
