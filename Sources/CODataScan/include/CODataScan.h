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

#define ODATA_INLINE static inline __attribute__((always_inline))

#if defined(__SSE2__)
/// A bit for each quotation mark, backslash and control character.
ODATA_INLINE uint32_t odata_string_stops(__m128i chunk) {
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(chunk, _mm_set1_epi8(0x1f)), chunk);
  const __m128i quote = _mm_cmpeq_epi8(chunk, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(chunk, _mm_set1_epi8('\\'));
  return (uint32_t)_mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash)));
}
#endif

/// As `odata_scan_string` from `at` on.
static inline size_t odata_scan_long_string(
    const uint8_t *_Nonnull bytes, size_t at, size_t count, uint32_t *_Nonnull high) {
#if defined(__SSE2__)
  while (count - at >= 32) {
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)(bytes + at));
    const __m128i up = _mm_loadu_si128((const __m128i *)(const void *)(bytes + at + 16));
    const uint32_t stops = odata_string_stops(low) | odata_string_stops(up) << 16;
    const uint32_t highs =
        (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(up) << 16;
    if (stops != 0) {
      const uint32_t length = (uint32_t)__builtin_ctz(stops);
      *high |= highs & ((1u << length) - 1u);
      return at + length;
    }
    *high |= highs;
    at += 32;
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

/// Counts the bytes before the first quotation mark, backslash or control character (below 0x20).
///
/// Returns `count` when there is none. `*high` becomes non-zero when a byte before that place is not ASCII.
ODATA_INLINE size_t odata_scan_string(
    const uint8_t *_Nonnull bytes, size_t count, uint32_t *_Nonnull high) {
#if defined(__SSE2__)
  // Names and most values end in the first 16 bytes; longer ones go on with 32 at a time.
  if (count >= 16) {
    const __m128i chunk = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    const uint32_t stops = odata_string_stops(chunk);
    const uint32_t highs = (uint32_t)_mm_movemask_epi8(chunk);
    if (stops != 0) {
      *high |= highs & (stops - 1u) & ~stops;
      return (size_t)__builtin_ctz(stops);
    }
    *high |= highs;
    return odata_scan_long_string(bytes, 16, count, high);
  }
#endif
  return odata_scan_long_string(bytes, 0, count, high);
}

/// Whether the bytes are well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF).
static inline bool odata_is_utf8(const uint8_t *_Nonnull bytes, size_t count) {
  size_t at = 0;
  while (at < count) {
    if (count - at >= 8) {
      uint64_t word;
      memcpy(&word, bytes + at, 8);
      const uint64_t highs = word & 0x8080808080808080u;
      if (highs == 0) {
        at += 8;
        continue;
      }
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
      at += (size_t)__builtin_ctzll(highs) / 8;
#endif
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

/// How many digits stand at `at`, of which there is at least one more byte.
static inline size_t odata_digits(const uint8_t *_Nonnull bytes, size_t at, size_t count) {
  const size_t start = at;
  while (at < count && (uint8_t)(bytes[at] - '0') < 10) at += 1;
  return at - start;
}

/// As `odata_number_length`, byte by byte.
static inline size_t odata_long_number_length(const uint8_t *_Nonnull bytes, size_t count) {
  size_t at = 0;
  if (at < count && bytes[at] == '-') at += 1;
  size_t digits = odata_digits(bytes, at, count);
  if (digits == 0 || (digits > 1 && bytes[at] == '0')) return 0;
  at += digits;
  if (at < count && bytes[at] == '.') {
    digits = odata_digits(bytes, at + 1, count);
    if (digits == 0) return 0;
    at += 1 + digits;
  }
  if (at < count && (bytes[at] | 0x20) == 'e') {
    size_t exponent = at + 1;
    if (exponent < count && (bytes[exponent] == '+' || bytes[exponent] == '-')) exponent += 1;
    digits = odata_digits(bytes, exponent, count);
    if (digits == 0) return 0;
    at = exponent + digits;
  }
  return at;
}

/// The length of the longest number of RFC 8259 at the start of the bytes; 0 when there is none.
ODATA_INLINE size_t odata_number_length(const uint8_t *_Nonnull bytes, size_t count) {
#if defined(__SSE2__)
  if (count >= 16) {
    // A bit for each byte that is no digit; those of a number without exponent tell its length.
    const __m128i chunk = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    const __m128i value = _mm_sub_epi8(chunk, _mm_set1_epi8('0'));
    const __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
    const uint32_t others = ~(uint32_t)_mm_movemask_epi8(digit);
    const uint32_t sign = bytes[0] == '-';
    const uint32_t whole = (uint32_t)__builtin_ctz(others >> sign);
    uint32_t stop = sign + whole;
    if (whole == 0 || (whole > 1 && bytes[sign] == '0')) return 0;
    if (stop < 15 && bytes[stop] == '.') {
      const uint32_t fraction = (uint32_t)__builtin_ctz(others >> (stop + 1));
      if (fraction == 0) return 0;
      stop += 1 + fraction;
    }
    if (stop < 16 && (bytes[stop] | 0x20) != 'e' && bytes[stop] != '.') return stop;
  }
#endif
  return odata_long_number_length(bytes, count);
}

/// The length of the member name that comes next with nothing but ASCII in it, no escape and no white space around it:
/// a comma where `comma` is 1, then `"name":`. -1 for everything else, and for names beyond 15 bytes.
ODATA_INLINE ptrdiff_t odata_plain_name(
    const uint8_t *_Nonnull bytes, ptrdiff_t count, ptrdiff_t comma) {
#if defined(__SSE2__)
  if (count < 20 || bytes[0] != (comma ? ',' : '"') || bytes[comma] != '"') return -1;
  const uint8_t *name = bytes + comma + 1;
  const __m128i chunk = _mm_loadu_si128((const __m128i *)(const void *)name);
  // A byte that is not ASCII stops as well.
  const uint32_t stops = odata_string_stops(chunk) | (uint32_t)_mm_movemask_epi8(chunk);
  if (stops == 0) return -1;
  const ptrdiff_t length = __builtin_ctz(stops);
  return name[length] == '"' && name[length + 1] == ':' ? length : -1;
#else
  (void)bytes;
  (void)count;
  (void)comma;
  return -1;
#endif
}

/// Counts the bytes before the first `byte`; `count` when there is none.
static inline size_t odata_find_byte(
    const uint8_t *_Nonnull bytes, size_t count, uint8_t byte) {
  const uint8_t *found = (const uint8_t *)memchr(bytes, byte, count);
  return found ? (size_t)(found - bytes) : count;
}

/// Whether the first `count` bytes of both are the same.
static inline bool odata_same_bytes(
    const uint8_t *_Nonnull left, const uint8_t *_Nonnull right, size_t count) {
  return memcmp(left, right, count) == 0;
}

#endif
