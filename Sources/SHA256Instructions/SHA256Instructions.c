#include "SHA256Instructions.h"

/// The 64 round constants of FIPS 180-4, 4.2.2.
static const uint32_t k[64] __attribute__((unused, aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

int cellar_sha256_is_available(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
}

__attribute__((target("sha,ssse3,sse4.1"))) void cellar_sha256_add(
    uint32_t hash[8], const uint8_t *bytes, size_t count) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  // The instructions want the words as (a, b, e, f) and (c, d, g, h), the first one highest.
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)hash), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(hash + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8);
  __m128i cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; count > 0; count--, bytes += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; i++)
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * i)), big_endian);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      __m128i words = w[i % 4];
      if (i >= 4) {
        // The next four words of the schedule, from the last sixteen.
        words = _mm_add_epi32(
            _mm_sha256msg1_epu32(words, w[(i + 1) % 4]),
            _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
        words = w[i % 4] = _mm_sha256msg2_epu32(words, w[(i + 3) % 4]);
      }
      words = _mm_add_epi32(words, _mm_load_si128((const __m128i *)(k + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, words);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(words, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  low = _mm_shuffle_epi32(abef, 0x1b);
  high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)hash, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)(hash + 4), _mm_alignr_epi8(high, low, 8));
}

#elif defined(__aarch64__) && defined(__linux__)

#include <arm_neon.h>
#include <sys/auxv.h>

int cellar_sha256_is_available(void) { return (getauxval(AT_HWCAP) & (1 << 6)) != 0; }

__attribute__((target("sha2"))) void cellar_sha256_add(
    uint32_t hash[8], const uint8_t *bytes, size_t count) {
  uint32x4_t abcd = vld1q_u32(hash), efgh = vld1q_u32(hash + 4);
  for (; count > 0; count--, bytes += 64) {
    const uint32x4_t abcd_before = abcd, efgh_before = efgh;
    uint32x4_t w[4];
    for (int i = 0; i < 4; i++)
      w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16 * i)));
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      if (i >= 4)
        w[i % 4] = vsha256su1q_u32(
            vsha256su0q_u32(w[i % 4], w[(i + 1) % 4]), w[(i + 2) % 4], w[(i + 3) % 4]);
      const uint32x4_t words = vaddq_u32(w[i % 4], vld1q_u32(k + 4 * i)), before = abcd;
      abcd = vsha256hq_u32(abcd, efgh, words);
      efgh = vsha256h2q_u32(efgh, before, words);
    }
    abcd = vaddq_u32(abcd, abcd_before);
    efgh = vaddq_u32(efgh, efgh_before);
  }
  vst1q_u32(hash, abcd);
  vst1q_u32(hash + 4, efgh);
}

#else

int cellar_sha256_is_available(void) { return 0; }

void cellar_sha256_add(uint32_t hash[8], const uint8_t *bytes, size_t count) {
  (void)hash;
  (void)bytes;
  (void)count;
}

#endif
