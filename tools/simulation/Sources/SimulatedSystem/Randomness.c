// Randomness out of a seed.

#define _GNU_SOURCE
#include "Next.h"
#include "System.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static uint64_t state;

void randomness_begin(uint64_t seed) { state = seed; }

/// SplitMix64.
uint64_t simulation_random(void) {
  uint64_t mixed = state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

static void fill(void *bytes, size_t count) {
  for (size_t i = 0; i < count; i += 8) {
    uint64_t number = simulation_random();
    memcpy((char *)bytes + i, &number, count - i < 8 ? count - i : 8);
  }
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  if (!is_simulated()) {
    return NEXT(ssize_t(*)(void *, size_t, unsigned), "getrandom", bytes, count, flags);
  }
  fill(bytes, count);
  return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) {
  if (!is_simulated()) return NEXT(int (*)(void *, size_t), "getentropy", bytes, count);
  fill(bytes, count);
  return 0;
}

/// Swift's library asks the kernel itself.
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
  va_end(list);
  if (is_simulated() && number == SYS_getrandom) {
    fill((void *)arguments[0], (size_t)arguments[1]);
    return arguments[1];
  }
  return NEXT(
      long (*)(long, ...), "syscall", number, arguments[0], arguments[1], arguments[2],
      arguments[3], arguments[4], arguments[5]);
}

/// The descriptor of the kernel's randomness, which Foundation reads for a UUID.
static int randomDescriptor = -1;

void randomness_close(int descriptor) {
  if (descriptor == randomDescriptor) randomDescriptor = -1;
}

static int noteOpened(const char *path, int descriptor) {
  if (descriptor >= 0 && strcmp(path, "/dev/urandom") == 0) randomDescriptor = descriptor;
  return descriptor;
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = va_arg(list, int);
  va_end(list);
  return noteOpened(path, NEXT(int (*)(const char *, int, ...), "open", path, flags, mode));
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = va_arg(list, int);
  va_end(list);
  return noteOpened(path, NEXT(int (*)(const char *, int, ...), "open64", path, flags, mode));
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  if (is_simulated() && descriptor == randomDescriptor) {
    fill(bytes, count);
    return (ssize_t)count;
  }
  return NEXT(ssize_t(*)(int, void *, size_t), "read", descriptor, bytes, count);
}
