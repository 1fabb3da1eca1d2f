#pragma once

/// What the record of a transfer or a reduction says.

#include <memory>

#include "engine/run/device/backend.h"

namespace stagelane::run {

/// Properties of a transfer, for the record.
struct Moved {
  std::shared_ptr<Marker> start, end;
  Bytes bytes = 0;
};

}  // namespace stagelane::run
