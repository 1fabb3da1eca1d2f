// The column cache. Its key and checksums are made to match the bytes, because a fuzzer cannot
// guess them: this tests that lengths and numbers are validated.

#include <cstring>
#include <string>

#include "profiler/formats/cache_bytes.h"
#include "profiler/formats/column_cache.h"
#include "tests/fuzz/fuzz.h"

namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kKeyPlace = 32;
constexpr std::size_t kTablesPlace = 56;
/// Sizes of the values of the columns behind the tables, in their order.
constexpr std::size_t kValueBytes[] = {1, 8, 8, 4, 4, 4, 2, 2, 1, 1, 8, 16, 8, 4};

void fixChecksums(std::string& bytes) {
  std::size_t place = kTablesPlace;
  for (const std::size_t valueBytes : kValueBytes) {
    std::uint64_t count = 0;
    if (bytes.size() < place + 2 * kWord) return;
    std::memcpy(&count, bytes.data() + place, kWord);
    const std::size_t values = place + 2 * kWord;
    if (count > (bytes.size() - values) / valueBytes) return;
    const std::size_t length = static_cast<std::size_t>(count) * valueBytes;
    const std::uint64_t sum = stagelane::formats::detail::checksum({bytes.data() + values, length});
    std::memcpy(bytes.data() + place + kWord, &sum, kWord);
    place = values + length;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(stagelane::fuzz::view(data, size));
  stagelane::formats::CacheKey key;
  static_assert(sizeof key == kTablesPlace - kKeyPlace);
  if (bytes.size() >= kTablesPlace) std::memcpy(&key, bytes.data() + kKeyPlace, sizeof key);
  fixChecksums(bytes);
  if (const auto read = stagelane::formats::parseCache(bytes, key)) {
    if (!stagelane::trace::isConsistent(read->trace->data())) std::abort();
  }
  return 0;
}
