#ifndef CELLAR_SIMULATED_SYSTEM_H
#define CELLAR_SIMULATED_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

// One machine with its processes, inside of this process and on its main thread.
//
// The functions of the system that Cellar, GRDB, SQLite, Foundation and Swift's tasks use are defined
// here too: clock_gettime, nanosleep, poll, pthread_create, dispatch_async, getrandom and some more.
// The program exports them, so the system's libraries call these instead of their own. Outside of a
// simulation they hand on.
//
// What is simulated as a process is a number from 1. Whatever is begun while the number is the current
// one belongs to it: tasks, blocks of queues, threads, files of SQLite.

/// Begins a simulation at virtual time 0, in which all randomness comes from a seed.
void simulation_begin(uint64_t seed);

/// Ends it; what has not run yet never does.
void simulation_end(void);

/// The nanoseconds since it began.
int64_t simulation_now(void);

/// Sets the time of day this much before or after what the virtual clock says.
void simulation_set_clock(int64_t nanoseconds);

/// A number of the simulation's randomness.
uint64_t simulation_random(void);

// MARK: Work

/// What works from now on works for this process, 0 for none.
///
/// - Returns: The process before.
int simulation_enter(int process);

/// The process that works now.
int simulation_process(void);

/// Runs one piece of work that is ready: a job of a task, a block of a queue, or a thread until it
/// waits.
///
/// The order among several is random, but that of the main actor and of each serial queue.
///
/// - Returns: `false` if nothing is ready.
bool simulation_run_one(void);

/// When the next work becomes ready that waits for a time; -1 for none.
int64_t simulation_next_time(void);

/// Lets time pass. Work that becomes ready meanwhile is not run.
void simulation_advance(int64_t nanoseconds);

/// Holds the work of a process back, as a system does with an app in the background, or lets it go on.
void simulation_suspend(int process, bool is_suspended);

/// Ends a process as `kill -9` does: none of its work runs any more, and its files are closed as they
/// are.
void simulation_kill(int process);

/// Threads of a process that have not ended.
int simulation_thread_count(int process);

/// How many pieces of work have run.
int64_t simulation_run_count(void);

// MARK: Trace

/// Adds something that happened to what identifies a run.
void simulation_note(char kind, const void *bytes, int count);

/// Prints each thing that happens to the standard error too: its kind, its bytes.
void simulation_print_trace(bool prints);

/// A hash of all that has happened.
uint64_t simulation_trace(void);

/// Whether threads that wait for descriptors are told only when their time is over: the system is late with
/// what has become of files.
void simulation_hold_descriptors(bool holds);

// MARK: Children

/// Makes a child of this process, which goes on from here; both of its outputs go to a file.
///
/// Each run has a child of its own: it begins with the same memory each time, what it crashes ends
/// nothing else, and what a killed process had is released at its end.
///
/// - Returns: 0 in the child, its number in the parent; less than 0 if there is none.
int simulation_fork(const char *output);

/// Has the programs that this process becomes find their memory at the same addresses each time.
void simulation_keep_addresses(void);

/// Ends a child at once.
void simulation_exit(int status);

// MARK: Disk

/// Puts the layer that knows processes on top of SQLite's default file system; once.
///
/// - Returns: `false` if SQLite refuses it.
bool simulated_disk_register(void);

/// Ends a process at the call with a number, from 1, of those that change its files: that call and all
/// later ones fail, and change nothing. -1: at none.
///
/// The caller ends the rest of it when ``simulated_disk_is_gone`` says so.
void simulated_disk_end_at(int process, int64_t call);

/// Whether the disk has ended a process.
bool simulated_disk_is_gone(int process);

/// How often anything has changed a file of SQLite.
int64_t simulated_disk_change_count(void);

/// Files of SQLite that a process has open.
int simulated_disk_open_files(int process);

#endif
