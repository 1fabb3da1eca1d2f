#include "profiler/formats/cache_bytes.h"

#include <array>
#include <bit>

namespace stagelane::formats::detail {

std::uint64_t checksum(std::string_view bytes) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
  constexpr std::size_t kLanes = 4;
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::array<std::uint64_t, kLanes> lanes = {1, 2, 3, 4};
  std::size_t place = 0;
  const auto mix = [&lanes](std::size_t lane, const char* from, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, size);
    lanes[lane] = std::rotl(lanes[lane] ^ word, 29) * kFactor;
  };
  for (; place + kLanes * kWord <= bytes.size(); place += kLanes * kWord) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      mix(lane, bytes.data() + place + lane * kWord, kWord);
    }
  }
  for (; place < bytes.size(); place += kWord) {
    mix(0, bytes.data() + place, std::min(kWord, bytes.size() - place));
  }
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t lane : lanes) {
    sum = std::rotl(sum ^ lane, 31) * kFactor;
    sum ^= sum >> 32U;
  }
  return sum;
}

std::string CacheReader::text() {
  const auto size = value<std::uint64_t>();
  std::string text;
  if (fits(size, 1)) {
    text.resize(static_cast<std::size_t>(size));
    take(text.data(), text.size());
  }
  return text;
}

std::uint64_t CacheReader::count(std::uint64_t bytes) {
  const auto count = value<std::uint64_t>();
  return fits(count, bytes) ? count : 0;
}

void CacheReader::take(char* bytes, std::size_t size) {
  if (!m_good || size > m_left) {
    m_good = false;
    return;
  }
  std::size_t taken = 0;
  while (taken < size) {
    const std::size_t got = m_source.read(bytes + taken, size - taken);
    if (got == 0) {
      m_good = false;
      return;
    }
    taken += got;
  }
  m_left -= size;
}

}  // namespace stagelane::formats::detail
