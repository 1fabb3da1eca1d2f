#pragma once

/// Random numbers of a device. The host draws a seed for each operator at its call, as CUDA counts
/// its offset: what a task draws does not depend on the order in which threads run.

#include <ATen/core/Generator.h>
#include <c10/core/GeneratorImpl.h>

#include <cstdint>
#include <optional>

namespace stagelane::async_device {

class DeviceGenerator final : public c10::GeneratorImpl {
 public:
  explicit DeviceGenerator(c10::DeviceIndex device);

  void set_current_seed(std::uint64_t seed) override;
  std::uint64_t current_seed() const override { return m_seed; }
  std::uint64_t seed() override;
  /// Number of seeds drawn.
  void set_offset(std::uint64_t offset) override { m_drawn = offset; }
  std::uint64_t get_offset() const override { return m_drawn; }
  void set_state(const c10::TensorImpl& state) override;
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override;

  /// The seed of the next operator. @thread any
  [[nodiscard]] std::uint64_t draw();

 private:
  DeviceGenerator* clone_impl() const override;

  std::uint64_t m_seed = 1;
  std::uint64_t m_drawn = 0;
};

/// The device's default generator. A negative device: the current one's.
[[nodiscard]] const at::Generator& defaultGenerator(int device);
/// A seed from `generator`, or from the device's default one.
[[nodiscard]] std::uint64_t drawSeed(const std::optional<at::Generator>& generator, int device);

}  // namespace stagelane::async_device
