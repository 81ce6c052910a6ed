// Work that is added to dispatch queues: it runs in its queue, but on the main thread.
//
// Jobs of Swift's tasks are such work: the runtime's executors are the main queue and the global ones.

#define _GNU_SOURCE
#include "Next.h"
#include "System.h"

#include <string.h>

struct dispatch_queue_s {
  int opaque;
};
typedef void *Queue;
typedef void *Block;

extern struct dispatch_queue_s _dispatch_main_q;
extern Block _Block_copy(const void *block);
extern void _Block_release(const void *block);
extern void dispatch_retain(void *object);
extern void dispatch_release(void *object);
extern void dispatch_sync(Queue queue, Block block);
extern void dispatch_barrier_sync(Queue queue, Block block);
extern const char *dispatch_queue_get_label(Queue queue);

static void run(void *block, void *queue) {
  dispatch_sync(queue, block);
  _Block_release(block);
  dispatch_release(queue);
}

static void runAlone(void *block, void *queue) {
  dispatch_barrier_sync(queue, block);
  _Block_release(block);
  dispatch_release(queue);
}

/// A queue runs its blocks in their order, unless it is one of the system's.
static const void *laneOf(Queue queue) {
  const char *label = dispatch_queue_get_label(queue);
  return label && strncmp(label, "com.apple.root", 14) == 0 ? NULL : queue;
}

static void add(WorkFunction function, Queue queue, Block block, int64_t due) {
  dispatch_retain(queue);
  work_add(function, _Block_copy(block), queue, laneOf(queue), due, 'q');
}

void dispatch_async(Queue queue, Block block);
void dispatch_async(Queue queue, Block block) {
  if (!is_simulated()) return NEXT(void (*)(Queue, Block), "dispatch_async", queue, block);
  add(run, queue, block, simulation_now());
}

void dispatch_barrier_async(Queue queue, Block block);
void dispatch_barrier_async(Queue queue, Block block) {
  if (!is_simulated()) {
    return NEXT(void (*)(Queue, Block), "dispatch_barrier_async", queue, block);
  }
  add(runAlone, queue, block, simulation_now());
}

/// When a time of dispatch's comes: it is of the time of day, or of a clock that begins with the system.
static int64_t due(uint64_t when) {
  if ((int64_t)when >= 0) return (int64_t)when;
  const uint64_t isOfDay = 1ULL << 62;
  if (when == UINT64_MAX) return INT64_MAX / 2;
  if (when & isOfDay) return clock_due(-(int64_t)when);
  return (int64_t)(when & ~(1ULL << 63));
}

void dispatch_after(uint64_t when, Queue queue, Block block);
void dispatch_after(uint64_t when, Queue queue, Block block) {
  if (!is_simulated()) {
    return NEXT(void (*)(uint64_t, Queue, Block), "dispatch_after", when, queue, block);
  }
  add(run, queue, block, due(when));
}

typedef void (*Function)(void *context);

/// A job of a task. The main actor's run in their order, all others in any.
static void addJob(Queue queue, void *context, Function function, int64_t due) {
  bool isMain = queue == (Queue)&_dispatch_main_q;
  work_add((WorkFunction)function, context, NULL, isMain ? queue : NULL, due, isMain ? 'm' : 'g');
}

void dispatch_async_f(Queue queue, void *context, Function function);
void dispatch_async_f(Queue queue, void *context, Function function) {
  if (!is_simulated()) {
    return NEXT(
        void (*)(Queue, void *, Function), "dispatch_async_f", queue, context, function);
  }
  addJob(queue, context, function, simulation_now());
}

void dispatch_after_f(uint64_t when, Queue queue, void *context, Function function);
void dispatch_after_f(uint64_t when, Queue queue, void *context, Function function) {
  if (!is_simulated()) {
    return NEXT(
        void (*)(uint64_t, Queue, void *, Function), "dispatch_after_f", when, queue, context,
        function);
  }
  addJob(queue, context, function, due(when));
}

/// All iterations, one after another.
void dispatch_apply(size_t iterations, Queue queue, Block block);
void dispatch_apply(size_t iterations, Queue queue, Block block) {
  if (!is_simulated()) {
    return NEXT(void (*)(size_t, Queue, Block), "dispatch_apply", iterations, queue, block);
  }
  for (size_t i = 0; i < iterations; i++) ((void (*)(Block, size_t))((void **)block)[2])(block, i);
}

uint64_t dispatch_time(uint64_t when, int64_t delta);
uint64_t dispatch_time(uint64_t when, int64_t delta) {
  if (!is_simulated()) return NEXT(uint64_t(*)(uint64_t, int64_t), "dispatch_time", when, delta);
  // 0 is now; a time of 0 can't be told from it, and the clock begins later than that.
  int64_t base = when == 0 ? simulation_now() + 1 : (int64_t)when;
  return (uint64_t)(base + delta);
}
