// Decimals in the form that most files use: a sign, few digits, a point, no exponent. Eight digits are read at a time.
// The digits form an integer below 2^53, which is divided by a power of ten below 10^23. Both are exact as doubles, so
// the one rounding gives the double nearest to the decimal (Clinger, PLDI 1990).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace medlar {

// A run of digits as a number; of eight, more may follow.
struct Digits {
  int count = 0;
  std::uint64_t value = 0;
};

// Reads 8 bytes from `at`.
inline Digits leading_digits(const char* at) {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, 8);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  bytes ^= 0x3030303030303030;  // a digit is now a byte of 0..9, and the first byte the lowest
  const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
  const int count = others == 0 ? 8 : std::countr_zero(others) >> 3;
  if (count == 0) return {};
  bytes <<= 64 - 8 * count;           // zeros go before the digits
  bytes = bytes * 10 + (bytes >> 8);  // pairs of digits, in every other byte
  constexpr std::uint64_t mask = 0x000000ff000000ff;
  bytes = ((bytes & mask) * 0x000f424000000064 + ((bytes >> 16) & mask) * 0x0000271000000001) >> 32;
  return {count, bytes};
}

// The end of the unsigned decimal at `at`, or null if it is not of the common form or has too many digits. The caller
// checks what follows. Reads up to 25 bytes from `at`, whatever they are.
inline const char* unsigned_decimal(const char* at, double& value) {
  static constexpr std::array<double, 16> power{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  static constexpr std::array<std::uint64_t, 9> scale{1,       10,        100,        1'000,      10'000,
                                                      100'000, 1'000'000, 10'000'000, 100'000'000};
  std::uint64_t mantissa = static_cast<unsigned char>(*at) - std::uint64_t{'0'};
  int whole = 1;
  if (mantissa > 9 || at[1] != '.') {  // otherwise one digit stands before the point, which needs no counting
    const Digits digits = leading_digits(at);
    if (digits.count == 8) return nullptr;
    mantissa = digits.value;
    whole = digits.count;
  }
  at += whole;
  int decimals = 0;
  if (*at == '.') {
    const Digits first = leading_digits(++at);
    mantissa = mantissa * scale[static_cast<std::size_t>(first.count)] + first.value;
    at += first.count;
    decimals = first.count;
    if (first.count == 8) {
      const Digits second = leading_digits(at);
      if (second.count == 8 || (second.count > 0 && mantissa >= 900'000'000)) return nullptr;
      mantissa = mantissa * scale[static_cast<std::size_t>(second.count)] + second.value;
      at += second.count;
      decimals += second.count;
    }
  }
  if (whole + decimals == 0) return nullptr;
  value = static_cast<double>(static_cast<std::int64_t>(mantissa)) / power[static_cast<std::size_t>(decimals)];
  return at;
}

}  // namespace medlar
