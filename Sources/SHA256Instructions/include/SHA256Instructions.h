#ifndef CELLAR_SHA256_INSTRUCTIONS_H
#define CELLAR_SHA256_INSTRUCTIONS_H

#include <stddef.h>
#include <stdint.h>

/// Whether this processor has instructions for SHA-256, which Swift can't name.
int cellar_sha256_is_available(void);

/// Adds blocks of 64 bytes to a hash, by the processor's instructions.
///
/// Call it only where they are available.
///
/// - Parameters:
///   - hash: The eight words of FIPS 180-4, 6.2; changed.
///   - bytes: The blocks, at any address.
///   - count: How many blocks.
void cellar_sha256_add(uint32_t hash[8], const uint8_t *bytes, size_t count);

#endif
