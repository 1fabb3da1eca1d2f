#pragma once

/// Sees CPU operators that use pinned memory: a stream may still be writing what they read. They
/// pass through no other part of a device, so LibTorch's observers of operators are used. Reads
/// without an operator (memcpy) are not seen.

namespace stagelane::async_device {

/// Observes the operators of all threads from now on. @pre no other thread uses LibTorch
void observePinnedReads();

}  // namespace stagelane::async_device
