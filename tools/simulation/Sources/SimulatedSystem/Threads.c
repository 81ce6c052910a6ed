// Threads that the simulated processes begin. One thread at a time runs, this one or the main one: it
// goes on when it waits for a time or a descriptor, and gets its turn again by thread_run.

#define _GNU_SOURCE
#include "Next.h"
#include "System.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  void *(*start)(void *);
  void *argument;
  sem_t turn;
  int process;
  bool hasEnded;
  /// What it waits for; a new thread for nothing.
  int64_t due;
  struct pollfd descriptors[8];
  int descriptorCount;
} Thread;

enum { THREAD_LIMIT = 4096, DESCRIPTOR_LIMIT = 4096 };

static Thread *threads[THREAD_LIMIT];
static int threadCount;
static sem_t mainTurn;
static __thread Thread *own;
/// The process of each descriptor that a simulated process has made.
static int owners[DESCRIPTOR_LIMIT];
/// Whether threads are told nothing of their descriptors: no file that others change.
static bool holdsDescriptors;

static pthread_t mainThread;

void threads_begin(void) {
  static bool hasTurn;
  if (!hasTurn) sem_init(&mainTurn, 0, 0);
  hasTurn = true;
  mainThread = pthread_self();
}

bool is_simulated(void) {
  return simulation_is_on && (own || pthread_equal(pthread_self(), mainThread));
}

static int systemPoll(struct pollfd *descriptors, nfds_t count, int timeout) {
  return NEXT(int (*)(struct pollfd *, nfds_t, int), "poll", descriptors, count, timeout);
}

// MARK: Turns

static void giveTurn(void) {
  sem_post(&mainTurn);
  while (sem_wait(&own->turn) != 0) {
  }
}

static void *runThread(void *argument) {
  own = argument;
  while (sem_wait(&own->turn) != 0) {
  }
  void *result = own->start(own->argument);
  own->hasEnded = true;
  sem_post(&mainTurn);
  // Foundation's thread has ended; what its thread-specific values release must not run beside others.
  pthread_exit(result);
}

void thread_run(int index) {
  sem_post(&threads[index]->turn);
  while (sem_wait(&mainTurn) != 0) {
  }
}

void simulation_hold_descriptors(bool holds) { holdsDescriptors = holds; }

int thread_process(int index) { return threads[index]->process; }

static bool isReady(Thread *thread) {
  if (thread->hasEnded || process_is_suspended(thread->process)) return false;
  if (thread->due <= simulation_now()) return true;
  return thread->descriptorCount > 0 && !holdsDescriptors
         && systemPoll(thread->descriptors, (nfds_t)thread->descriptorCount, 0) > 0;
}

int threads_ready(int *ready, int limit) {
  int count = 0;
  for (int i = 0; i < threadCount && count < limit; i++) {
    if (isReady(threads[i])) ready[count++] = i;
  }
  return count;
}

int64_t threads_next_time(void) {
  int64_t next = -1;
  for (int i = 0; i < threadCount; i++) {
    if (threads[i]->hasEnded || process_is_suspended(threads[i]->process)) continue;
    if (next < 0 || threads[i]->due < next) next = threads[i]->due;
  }
  return next;
}

int threads_count(int process) {
  int count = 0;
  for (int i = 0; i < threadCount; i++) {
    count += threads[i]->process == process && !threads[i]->hasEnded;
  }
  return count;
}

/// They stay where they wait, for ever.
void threads_end(int process) {
  int kept = 0;
  for (int i = 0; i < threadCount; i++) {
    if (threads[i]->process != process) threads[kept++] = threads[i];
  }
  threadCount = kept;
  for (int i = 0; i < DESCRIPTOR_LIMIT; i++) {
    if (owners[i] == process) {
      owners[i] = 0;
      NEXT(int (*)(int), "close", i);
    }
  }
}

void threads_forget(void) {
  threadCount = 0;
  memset(owners, 0, sizeof owners);
}

// MARK: What the system has

/// Whether a function is of the library of dispatch queues.
static bool isOfQueues(void *function) {
  Dl_info info;
  return dladdr(function, &info) && info.dli_fname && strstr(info.dli_fname, "libdispatch");
}

int pthread_create(
    pthread_t *restrict result, const pthread_attr_t *restrict attributes,
    void *(*start)(void *), void *restrict argument) {
  typedef int (*Create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (is_simulated() && isOfQueues((void *)start)) {
    // What would run there are no blocks: queues are freed that nobody has any more. When it does that
    // depends on the machine, and with it where memory is and the order of what is hashed by its address.
    *result = mainThread;
    return 0;
  }
  if (!is_simulated() || current_process() == 0 || threadCount == THREAD_LIMIT) {
    return NEXT(Create, "pthread_create", result, attributes, start, argument);
  }
  Thread *thread = calloc(1, sizeof *thread);
  thread->start = start;
  thread->argument = argument;
  thread->process = current_process();
  sem_init(&thread->turn, 0, 0);
  threads[threadCount++] = thread;
  return NEXT(Create, "pthread_create", result, attributes, runThread, thread);
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  int found = systemPoll(descriptors, count, is_simulated() ? 0 : timeout);
  if (!is_simulated() || !own || found != 0 || timeout == 0) return found;
  own->due = timeout < 0 ? INT64_MAX / 2 : simulation_now() + (int64_t)timeout * 1000000;
  own->descriptorCount = count < 8 ? (int)count : 8;
  memcpy(own->descriptors, descriptors, (size_t)own->descriptorCount * sizeof *descriptors);
  giveTurn();
  own->descriptorCount = 0;
  return systemPoll(descriptors, count, 0);
}

/// Waits a virtual time: a thread of a process lets others go on, the main one only lets it pass.
static void sleepFor(int64_t nanoseconds) {
  // Foundation sleeps on for the rest, which may be less than a nanosecond.
  if (nanoseconds < 1000) nanoseconds = 1000;
  if (!own) return simulation_advance(nanoseconds);
  own->due = simulation_now() + nanoseconds;
  giveTurn();
}

int nanosleep(const struct timespec *duration, struct timespec *rest) {
  if (!is_simulated()) {
    return NEXT(
        int (*)(const struct timespec *, struct timespec *), "nanosleep", duration, rest);
  }
  sleepFor((int64_t)duration->tv_sec * 1000000000 + duration->tv_nsec);
  return 0;
}

int usleep(useconds_t microseconds) {
  if (!is_simulated()) return NEXT(int (*)(useconds_t), "usleep", microseconds);
  sleepFor((int64_t)microseconds * 1000);
  return 0;
}

// MARK: Descriptors

static void take(int descriptor) {
  if (is_simulated() && descriptor >= 0 && descriptor < DESCRIPTOR_LIMIT) {
    owners[descriptor] = current_process();
  }
}

int pipe(int ends[2]) {
  int result = NEXT(int (*)(int *), "pipe", ends);
  if (result == 0) {
    take(ends[0]);
    take(ends[1]);
  }
  return result;
}

int inotify_init1(int flags) {
  int descriptor = NEXT(int (*)(int), "inotify_init1", flags);
  take(descriptor);
  return descriptor;
}

int close(int descriptor) {
  randomness_close(descriptor);
  if (descriptor >= 0 && descriptor < DESCRIPTOR_LIMIT) owners[descriptor] = 0;
  return NEXT(int (*)(int), "close", descriptor);
}
