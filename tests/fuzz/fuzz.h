#pragma once

/// What all fuzz targets check of what an importer makes of arbitrary bytes.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/base/result.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::fuzz {

inline std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};  // NOLINT
}

/// A trace that is consistent, or an error that says something.
inline void check(const Result<formats::ReadTrace>& read) {
  const bool good = read ? trace::isConsistent(read->trace->data()) &&
                               (read->report.lost == 0) == read->report.firstProblem.empty()
                         : !read.error().message.empty();
  if (!good) {
    std::abort();
  }
}

}  // namespace stagelane::fuzz
