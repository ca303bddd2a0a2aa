#ifndef CODATASCAN_H
#define CODATASCAN_H

// The byte scans beneath the JSON reader. Header-only, so that the Swift optimiser inlines them.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// Counts the bytes before the first quotation mark, backslash or control character (below 0x20).
///
/// Returns `count` when there is none. `*high` becomes non-zero when a byte before that place is not ASCII.
static inline size_t odata_scan_string(
    const uint8_t *_Nonnull bytes, size_t count, uint32_t *_Nonnull high) {
  size_t at = 0;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i lastControl = _mm_set1_epi8(0x1f);
  while (count - at >= 16) {
    const __m128i chunk = _mm_loadu_si128((const __m128i *)(const void *)(bytes + at));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(chunk, lastControl), chunk);
    const __m128i special = _mm_or_si128(
        control, _mm_or_si128(_mm_cmpeq_epi8(chunk, quote), _mm_cmpeq_epi8(chunk, backslash)));
    const uint32_t stops = (uint32_t)_mm_movemask_epi8(special);
    const uint32_t highs = (uint32_t)_mm_movemask_epi8(chunk);
    if (stops != 0) {
      const uint32_t length = (uint32_t)__builtin_ctz(stops);
      *high |= highs & ((1u << length) - 1u);
      return at + length;
    }
    *high |= highs;
    at += 16;
  }
#elif defined(__aarch64__) && defined(__ARM_NEON)
  const uint8x16_t quote = vdupq_n_u8('"');
  const uint8x16_t backslash = vdupq_n_u8('\\');
  const uint8x16_t firstPrintable = vdupq_n_u8(0x20);
  while (count - at >= 16) {
    const uint8x16_t chunk = vld1q_u8(bytes + at);
    const uint8x16_t special = vorrq_u8(
        vcltq_u8(chunk, firstPrintable),
        vorrq_u8(vceqq_u8(chunk, quote), vceqq_u8(chunk, backslash)));
    if (vmaxvq_u8(special) != 0) break;
    *high |= (uint32_t)(vmaxvq_u8(chunk) & 0x80);
    at += 16;
  }
#endif
  while (at < count) {
    const uint8_t byte = bytes[at];
    if (byte == '"' || byte == '\\' || byte < 0x20) return at;
    *high |= (uint32_t)(byte & 0x80);
    at += 1;
  }
  return at;
}

/// Whether the bytes are well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF).
static inline bool odata_is_utf8(const uint8_t *_Nonnull bytes, size_t count) {
  size_t at = 0;
  while (at < count) {
    if (count - at >= 8) {
      uint64_t word;
      memcpy(&word, bytes + at, 8);
      if ((word & 0x8080808080808080u) == 0) {
        at += 8;
        continue;
      }
    }
    const uint8_t lead = bytes[at];
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    size_t more;
    uint8_t lowest = 0x80, highest = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
      more = 1;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      more = 2;
      if (lead == 0xe0) lowest = 0xa0;
      if (lead == 0xed) highest = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3;
      if (lead == 0xf0) lowest = 0x90;
      if (lead == 0xf4) highest = 0x8f;
    } else {
      return false;
    }
    if (count - at <= more) return false;
    if (bytes[at + 1] < lowest || bytes[at + 1] > highest) return false;
    for (size_t index = 2; index <= more; index += 1) {
      if ((bytes[at + index] & 0xc0) != 0x80) return false;
    }
    at += more + 1;
  }
  return true;
}

/// Whether the first `count` bytes of both are the same.
static inline bool odata_same_bytes(
    const uint8_t *_Nonnull left, const uint8_t *_Nonnull right, size_t count) {
  return memcmp(left, right, count) == 0;
}

#endif
