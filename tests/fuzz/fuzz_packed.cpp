// gzip and zstd, with a size limit that is small enough to be reached.

#include "profiler/formats/byte_source.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace detail = stagelane::formats::detail;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 22;
  const auto source =
      detail::unpacking(detail::memorySource(stagelane::fuzz::view(data, size)), kMost);
  if (detail::readAll(*source, 2 * kMost).size() > kMost) std::abort();
  return 0;
}
