// Every readable format of the table: the first byte selects it, the others are its file.

#include <algorithm>
#include <iterator>

#include "profiler/formats/trace_formats.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace formats = stagelane::formats;
  static const std::vector<formats::TraceFormat> read = [] {
    std::vector<formats::TraceFormat> all;
    std::copy_if(formats::traceFormats().begin(), formats::traceFormats().end(),
                 std::back_inserter(all),
                 [](const formats::TraceFormat& format) { return format.parse != nullptr; });
    return all;
  }();
  if (size == 0) return 0;
  const formats::TraceFormat& format = read[data[0] % read.size()];
  stagelane::fuzz::check(format.parse(stagelane::fuzz::view(data + 1, size - 1), "fuzz",
                                      stagelane::fuzz::keepFor(size)));
  return 0;
}
