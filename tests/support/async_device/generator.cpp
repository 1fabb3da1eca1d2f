#include "tests/support/async_device/generator.h"

#include <ATen/ops/empty.h>
#include <c10/core/TensorImpl.h>

#include <array>
#include <cstring>
#include <mutex>
#include <vector>

#include "tests/support/async_device/streams.h"

namespace stagelane::async_device {
namespace {

using State = std::array<std::uint64_t, 2>;

}  // namespace

DeviceGenerator::DeviceGenerator(c10::DeviceIndex device)
    : GeneratorImpl(deviceAt(device), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)) {}

void DeviceGenerator::set_current_seed(std::uint64_t seed) {
  m_seed = seed;
  m_drawn = 0;
}

std::uint64_t DeviceGenerator::seed() {
  // Not random, because tests must be repeatable.
  set_current_seed(m_seed + 1);
  return m_seed;
}

void DeviceGenerator::set_state(const c10::TensorImpl& state) {
  State values{};
  TORCH_CHECK(
      state.numel() == sizeof(values) && state.dtype() == caffe2::TypeMeta::Make<std::uint8_t>(),
      "not the state of an async device's generator");
  std::memcpy(values.data(), state.data(), sizeof(values));
  m_seed = values[0];
  m_drawn = values[1];
}

c10::intrusive_ptr<c10::TensorImpl> DeviceGenerator::get_state() const {
  const State values{m_seed, m_drawn};
  const at::Tensor state = at::empty({sizeof(values)}, at::TensorOptions(at::kByte));
  std::memcpy(state.data_ptr(), values.data(), sizeof(values));
  return state.getIntrusivePtr();
}

std::uint64_t DeviceGenerator::draw() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return (m_seed << 20U) + ++m_drawn;
}

DeviceGenerator* DeviceGenerator::clone_impl() const {
  auto* const copy = new DeviceGenerator(device_.index());
  copy->m_seed = m_seed;
  copy->m_drawn = m_drawn;
  return copy;
}

const at::Generator& defaultGenerator(int device) {
  static const auto* const kGenerators = [] {
    auto* const made = new std::vector<at::Generator>();
    for (int each = 0; each < kDevices; ++each) {
      made->push_back(at::make_generator<DeviceGenerator>(static_cast<c10::DeviceIndex>(each)));
    }
    return made;
  }();
  return kGenerators->at(static_cast<std::size_t>(device < 0 ? currentDevice() : device));
}

std::uint64_t drawSeed(const std::optional<at::Generator>& generator, int device) {
  const bool given = generator.has_value() && generator->defined();
  const at::Generator& from = given ? *generator : defaultGenerator(device);
  auto* const ours = dynamic_cast<DeviceGenerator*>(from.unsafeGetGeneratorImpl());
  TORCH_CHECK(ours != nullptr, "the generator is not of an async device");
  return ours->draw();
}

}  // namespace stagelane::async_device
