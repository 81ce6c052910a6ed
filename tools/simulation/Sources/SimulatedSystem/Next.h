#ifndef CELLAR_NEXT_H
#define CELLAR_NEXT_H

#include <dlfcn.h>
#include <stddef.h>

/// Calls the system's own function of a name that this program defines too.
#define NEXT(type, name, ...)                                  \
  ({                                                           \
    static __typeof__(type) next;                                       \
    if (!next) next = (__typeof__(type))dlsym(RTLD_NEXT, name);            \
    next(__VA_ARGS__);                                         \
  })

#endif
