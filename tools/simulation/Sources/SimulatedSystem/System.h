#ifndef CELLAR_SYSTEM_H
#define CELLAR_SYSTEM_H

#include "SimulatedSystem.h"

/// Whether a simulation runs. All that follows is used by one thread at a time: see Threads.c.
extern bool simulation_is_on;

/// The most processes of one simulation.
enum { PROCESS_LIMIT = 1024 };

/// Whether this thread is part of it: the main one, or one of a process. Dispatch has threads of its own,
/// which free queues.
bool is_simulated(void);

int current_process(void);
bool process_is_ended(int process);
bool process_is_suspended(int process);

/// What runs a piece of work; it gets the work's pointer.
typedef void (*WorkFunction)(void *pointer, void *other);

/// Adds work of the current process.
///
/// - Parameters:
///   - lane: Work of one lane runs in its order; NULL: in any order.
///   - due: When it may run.
///   - kind: For the trace.
void work_add(WorkFunction run, void *pointer, void *other, const void *lane, int64_t due, char kind);

// Clock.c

/// When a time of day comes, in nanoseconds since 1970.
int64_t clock_due(int64_t time);

// Threads.c

/// Makes the calling thread the main one.
void threads_begin(void);

/// Threads that can go on now; fills `ready` with their indexes.
int threads_ready(int *ready, int limit);
void thread_run(int index);
int64_t threads_next_time(void);
int threads_count(int process);
int thread_process(int index);
void threads_end(int process);
void threads_forget(void);

// Disk.c
void disk_end(int process);
void disk_forget(void);

// Randomness.c
void randomness_begin(uint64_t seed);
/// Forgets a descriptor that is closed.
void randomness_close(int descriptor);

#endif
