#pragma once

/// A trace of any program, opened beside the experiment; and one that is being read.

#include <QString>
#include <cstdint>
#include <memory>

#include "engine/trace/trace.h"

namespace stagelane::ui {

struct OpenedTrace {
  QString path;
  QString name;  ///< file name
  trace::TracePtr trace;
  std::uint64_t lost = 0;  ///< records that could not be read
  QString problem;         ///< the first of them, with its place; "" for none
};
using OpenedTracePtr = std::shared_ptr<const OpenedTrace>;

struct TraceLoading {
  QString name;
  std::uint64_t doneBytes = 0;
  std::uint64_t totalBytes = 0;  ///< 0: unknown
};

}  // namespace stagelane::ui
