#pragma once

/// A small pseudo-random generator with the same sequence for every compiler and library, so that
/// searches are reproducible everywhere. Not for statistics.

#include <cstddef>
#include <cstdint>

namespace stagelane::search {

/// @source Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014
/// (SplitMix64)
class Random {
 public:
  explicit Random(std::uint64_t seed) : m_state(seed) {}

  [[nodiscard]] std::uint64_t next() {
    std::uint64_t z = (m_state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }
  /// From 0 to `count` − 1; 0 for a count of 0.
  [[nodiscard]] std::size_t below(std::size_t count) {
    return count == 0 ? 0 : static_cast<std::size_t>(next() % count);
  }
  /// From 0 to 1, 1 excluded.
  [[nodiscard]] double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

 private:
  std::uint64_t m_state;
};

}  // namespace stagelane::search
