#pragma once

/// Checks that all fuzz targets make on the result of an importer for arbitrary bytes.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::fuzz {

inline std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};  // NOLINT
}

/// A consistent trace, or an error with a message.
inline void check(const Result<formats::ReadTrace>& read) {
  const bool good = read ? trace::isConsistent(read->trace->data()) &&
                               (read->report.lost == 0) == read->report.firstProblem.empty()
                         : !read.error().message.empty();
  if (!good) std::abort();
}

/// Every other input is read as for a conversion.
inline formats::Keep keepFor(std::size_t size) {
  return size % 2 == 0 ? formats::Keep::Trace : formats::Keep::Details;
}

/// Arguments that are kept can be written again as JSON.
inline void checkDetails(const formats::ReadTrace& read) {
  if (!read.details) return;
  for (std::size_t event = 0; event < read.trace->size(); ++event) {
    if (!Json::accept('{' + std::string(read.details->at(event).arguments) + '}')) std::abort();
  }
}

}  // namespace stagelane::fuzz
