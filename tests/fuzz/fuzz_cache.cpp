// The column cache. Its key is taken from the bytes, since no fuzzer guesses one; its checksums are
// left as they are, so most of what lies behind them is met through the seeds.

#include <cstring>

#include "profiler/formats/column_cache.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kKeyPlace = 32;
  stagelane::formats::CacheKey key;
  static_assert(sizeof key == 24);
  if (size >= kKeyPlace + sizeof key) {
    std::memcpy(&key, data + kKeyPlace, sizeof key);
  }
  if (const auto read = stagelane::formats::parseCache(stagelane::fuzz::view(data, size), key)) {
    stagelane::fuzz::check(*read);
  }
  return 0;
}
