#pragma once

/// Declarations of gloo that PyTorch's ProcessGroupGloo.hpp names. The wheel contains gloo's code
/// but not its headers. Only pointers to these types pass through Stagelane, so the types need no
/// members, except for those that the inline functions of ProcessGroupGloo.hpp call.

#include <chrono>

namespace gloo {

class Context {
 public:
  void setTimeout(std::chrono::milliseconds timeout);
};

}  // namespace gloo
