#pragma once

/// Tensors that must outlive work on a stream that the caching allocator cannot be told about.

#include <ATen/core/Tensor.h>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/run/device/backend.h"

namespace stagelane::run {

class HeldTensors {
 public:
  /// Keeps `tensor` until `done` is reached and releaseReached() is called. @thread any
  void hold(at::Tensor tensor, std::shared_ptr<Marker> done);
  /// Never blocks. @thread any
  void releaseReached();

 private:
  std::mutex m_mutex;  ///< guards m_held
  std::vector<std::pair<at::Tensor, std::shared_ptr<Marker>>> m_held;
};

}  // namespace stagelane::run
