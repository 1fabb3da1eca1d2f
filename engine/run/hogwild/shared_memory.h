#pragma once

/// Memory that several processes share by a descriptor (memfd). It has no name, so nothing is left
/// behind: the kernel frees it with the last process that has it, whatever ended that process.

#include <cstddef>

#include "engine/base/result.h"

namespace stagelane::run {

class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  /// Zeros, of a fixed size, all pages present: writing to them never fails later. Closed on exec.
  /// @errors OutOfMemory, EngineFailure
  [[nodiscard]] static Result<SharedMemory> create(std::size_t bytes);
  /// Maps the memory of another process, and closes the descriptor at the end.
  /// @errors EngineFailure: not such a descriptor
  [[nodiscard]] static Result<SharedMemory> open(int descriptor);

  [[nodiscard]] std::byte* data() const { return m_data; }
  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] int descriptor() const { return m_descriptor; }

 private:
  [[nodiscard]] Status map();
  void swap(SharedMemory& other) noexcept;

  int m_descriptor = -1;
  std::byte* m_data = nullptr;
  std::size_t m_size = 0;
};

}  // namespace stagelane::run
