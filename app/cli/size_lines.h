#pragma once

/// What `stagelane run` prints of an experiment with `print_sizes`: the sizes of each batch and of
/// the parts that its replicas compute, in the words of PyTorch's DataParallel tutorial. Pure.

#include <string>

#include "engine/base/json.h"

namespace stagelane::app {

/// The lines of an event `sizes`, each with its line break; before those of the first batch a line
/// with the number of devices. Empty if the event is not complete.
[[nodiscard]] std::string sizeLines(const Json& event);

}  // namespace stagelane::app
