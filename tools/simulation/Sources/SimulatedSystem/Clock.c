// The virtual clock.

#define _GNU_SOURCE
#include "Next.h"
#include "System.h"

#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int64_t clock_offset(void);

static const int64_t second = 1000000000;
/// The time of day at which a simulation begins: 2026-03-01.
static const int64_t beginning = 1772323200LL * 1000000000LL;

static int64_t timeOfDay(void) { return beginning + simulation_now() + clock_offset(); }

int64_t clock_due(int64_t time) { return time - beginning - clock_offset(); }

int clock_gettime(clockid_t clock, struct timespec *result) {
  if (!is_simulated()) {
    return NEXT(int (*)(clockid_t, struct timespec *), "clock_gettime", clock, result);
  }
  bool isOfDay = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  int64_t time = isOfDay ? timeOfDay() : simulation_now();
  *result = (struct timespec){.tv_sec = time / second, .tv_nsec = time % second};
  return 0;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  if (!is_simulated()) {
    return NEXT(int (*)(struct timeval *, void *), "gettimeofday", result, zone);
  }
  int64_t time = timeOfDay();
  *result = (struct timeval){.tv_sec = time / second, .tv_usec = time % second / 1000};
  return 0;
}

time_t time(time_t *result) {
  if (!is_simulated()) return NEXT(time_t(*)(time_t *), "time", result);
  time_t seconds = (time_t)(timeOfDay() / second);
  if (result) *result = seconds;
  return seconds;
}
