#ifndef LIB_FUZZER_H
#define LIB_FUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with the arguments of a program.
///
/// `callback` gets each input, and returns 0 for one that may enter the corpus, -1 for another.
int LLVMFuzzerRunDriver(
    int *argument_count, char ***arguments, int (*callback)(const uint8_t *bytes, size_t count));

#endif
