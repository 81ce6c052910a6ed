// What is to run: jobs of tasks, blocks of queues, threads. One at a time, on the main thread.

#include "System.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool simulation_is_on;

typedef struct {
  WorkFunction run;
  void *pointer, *other;
  const void *lane;
  int64_t due;
  int64_t number;
  int process;
  char kind;
} Work;

static Work *works;
static int workCount, workCapacity;
static int64_t now, clockOffset, lastNumber, runCount;
static uint64_t trace, order;
static bool printsTrace;
static int process;
static bool isEnded[PROCESS_LIMIT], isSuspended[PROCESS_LIMIT];

int64_t simulation_now(void) { return now; }
int64_t simulation_run_count(void) { return runCount; }
int current_process(void) { return process; }
int simulation_process(void) { return process; }
bool process_is_ended(int number) { return isEnded[number % PROCESS_LIMIT]; }
bool process_is_suspended(int number) { return isSuspended[number % PROCESS_LIMIT]; }

int64_t clock_offset(void);
int64_t clock_offset(void) { return clockOffset; }
void simulation_set_clock(int64_t nanoseconds) { clockOffset = nanoseconds; }

void simulation_begin(uint64_t seed) {
  threads_begin();
  simulation_is_on = true;
  now = clockOffset = lastNumber = runCount = 0;
  trace = 0xcbf29ce484222325;
  order = seed ^ 0x5bd1e995;
  process = 0;
  memset(isEnded, 0, sizeof isEnded);
  memset(isSuspended, 0, sizeof isSuspended);
  workCount = 0;
  randomness_begin(seed);
  // SQLite's own generator takes its seed from the disk's layer anew.
  sqlite3_randomness(0, NULL);
}

void simulation_end(void) {
  workCount = 0;
  threads_forget();
  disk_forget();
  simulation_is_on = false;
}

int simulation_enter(int number) {
  int before = process;
  process = number;
  return before;
}

void work_add(
    WorkFunction run, void *pointer, void *other, const void *lane, int64_t due, char kind) {
  if (process_is_ended(process)) return;
  if (workCount == workCapacity) {
    workCapacity = workCapacity ? 2 * workCapacity : 64;
    works = realloc(works, (size_t)workCapacity * sizeof(Work));
  }
  works[workCount++] = (Work){run, pointer, other, lane, due, ++lastNumber, process, kind};
}

static uint64_t nextOrder(void) {
  uint64_t mixed = order += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

/// Whether work of the same lane comes first.
static bool isBehind(int index) {
  const Work *work = &works[index];
  if (!work->lane) return false;
  for (int i = 0; i < workCount; i++) {
    const Work *other = &works[i];
    if (other->lane != work->lane || other->process != work->process) continue;
    if (other->due < work->due || (other->due == work->due && other->number < work->number)) {
      return true;
    }
  }
  return false;
}

static bool canRun(const Work *work) {
  return work->due <= now && !process_is_suspended(work->process);
}

/// An index of `works`, or -1 - the index of a thread; `false` if nothing is ready.
static bool choose(int *chosen) {
  enum { LIMIT = 256 };
  int candidates[LIMIT], count = 0, oldest = -1;
  for (int i = 0; i < workCount && count < LIMIT; i++) {
    if (!canRun(&works[i]) || isBehind(i)) continue;
    candidates[count++] = i;
    if (oldest < 0 || works[i].number < works[oldest].number) oldest = i;
  }
  int threads[64];
  int threadCount = threads_ready(threads, 64);
  for (int i = 0; i < threadCount && count < LIMIT; i++) candidates[count++] = -1 - threads[i];
  if (count == 0) return false;
  // Mostly as a system would: the oldest first.
  uint64_t number = nextOrder();
  *chosen = oldest >= 0 && number % 4 != 0 ? oldest : candidates[(number >> 8) % (uint64_t)count];
  return true;
}

bool simulation_run_one(void) {
  int chosen;
  if (!choose(&chosen)) return false;
  int before = process;
  runCount += 1;
  if (chosen < 0) {
    process = thread_process(-1 - chosen);
    simulation_note('t', NULL, 0);
    thread_run(-1 - chosen);
  } else {
    Work work = works[chosen];
    memmove(&works[chosen], &works[chosen + 1], (size_t)(--workCount - chosen) * sizeof(Work));
    process = work.process;
    simulation_note(work.kind, NULL, 0);
    work.run(work.pointer, work.other);
  }
  process = before;
  return true;
}

int64_t simulation_next_time(void) {
  int64_t next = threads_next_time();
  for (int i = 0; i < workCount; i++) {
    if (process_is_suspended(works[i].process)) continue;
    if (next < 0 || works[i].due < next) next = works[i].due;
  }
  return next;
}

void simulation_advance(int64_t nanoseconds) { now += nanoseconds; }

void simulation_suspend(int number, bool is) { isSuspended[number % PROCESS_LIMIT] = is; }

void simulation_kill(int number) {
  isEnded[number % PROCESS_LIMIT] = true;
  int kept = 0;
  for (int i = 0; i < workCount; i++) {
    // What it holds is never released, as nothing of it runs any more.
    if (works[i].process != number) works[kept++] = works[i];
  }
  workCount = kept;
  threads_end(number);
  disk_end(number);
}

int simulation_thread_count(int number) { return threads_count(number); }

void simulation_print_trace(bool prints) { printsTrace = prints; }

static void mix(uint8_t byte) { trace = (trace ^ byte) * 0x100000001b3; }

void simulation_note(char kind, const void *bytes, int count) {
  const uint8_t *next = bytes;
  mix((uint8_t)kind);
  for (int i = 0; i < 8; i++) mix((uint8_t)(now >> (8 * i)));
  mix((uint8_t)process);
  for (int i = 0; i < count; i++) mix(next[i]);
  if (!printsTrace) return;
  fprintf(stderr, "%lld.%06lld %d %c ", (long long)now / 1000000, (long long)now % 1000000, process,
          kind);
  for (int i = 0; i < count; i++) fprintf(stderr, "%02x", next[i]);
  fprintf(stderr, "\n");
}

uint64_t simulation_trace(void) { return trace; }
