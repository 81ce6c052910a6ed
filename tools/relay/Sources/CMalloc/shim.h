#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Has all threads take memory from at most so many places; does nothing where malloc is not glibc's.
static inline void limit_arenas(int count) {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, count);
#endif
}
