#include "tests/support/async_device/cpu_operator.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/record_function.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <mutex>
#include <unordered_map>

namespace stagelane::async_device {
namespace {

struct KnownShapes {
  std::mutex mutex;  ///< guards `shapes`
  std::unordered_map<std::string, OutputShapes> shapes;
};

KnownShapes& known() {
  static auto* const kKnown = new KnownShapes();
  return *kKnown;
}

OutputShape shapeOf(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  return {true, tensor.sizes().vec(), tensor.strides().vec(), tensor.scalar_type()};
}

OutputShapes shapesOf(const torch::jit::Stack& results) {
  OutputShapes shapes;
  for (const c10::IValue& result : results) {
    std::vector<OutputShape>& output = shapes.emplace_back();
    if (result.isTensor()) output.push_back(shapeOf(result.toTensor()));
    if (!result.isTensorList()) continue;
    for (const at::Tensor& each : result.toTensorVector()) output.push_back(shapeOf(each));
  }
  return shapes;
}

/// Puts the CPU's generator back: what the program draws must not depend on rehearsals.
class KeptGenerator {
 public:
  KeptGenerator() : m_state(generator().get_state()) {}
  ~KeptGenerator() { generator().set_state(m_state); }
  KeptGenerator(const KeptGenerator&) = delete;
  KeptGenerator& operator=(const KeptGenerator&) = delete;

 private:
  static at::Generator generator() { return at::detail::getDefaultCPUGenerator(); }
  at::Tensor m_state;
};

OutputShapes rehearse(bool draws, const CpuOperator& cpu, const std::vector<Argument>& arguments) {
  const at::DisableRecordFunctionGuard unseen;
  std::vector<Argument> zeros;
  zeros.reserve(arguments.size());
  for (const Argument& each : arguments) zeros.push_back(each.rehearsal());
  std::optional<KeptGenerator> kept;
  if (draws) kept.emplace();
  return shapesOf(runOnCpu(cpu, zeros));
}

}  // namespace

torch::jit::Stack runOnCpu(const CpuOperator& cpu, const std::vector<Argument>& arguments) {
  const at::AutoDispatchBelowADInplaceOrView below;
  const c10::impl::ExcludeDispatchKeyGuard noAutocast(c10::autocast_dispatch_keyset);
  torch::jit::Stack stack;
  pushOnCpu(arguments, stack);
  const torch::jit::Stack given = stack;
  cpu(&stack);
  for (std::size_t i = 0; i < given.size(); ++i) {
    TORCH_CHECK(arguments[i].keepsSize(given[i]),
                "an output tensor of the wrong size: the async device cannot resize it");
  }
  return stack;
}

OutputShapes outputShapes(const std::string& key, bool draws, const CpuOperator& cpu,
                          const std::vector<Argument>& arguments) {
  {
    const std::lock_guard<std::mutex> lock(known().mutex);
    const auto found = known().shapes.find(key);
    if (found != known().shapes.end()) return found->second;
  }
  OutputShapes shapes = rehearse(draws, cpu, arguments);
  const std::lock_guard<std::mutex> lock(known().mutex);
  return known().shapes[key] = std::move(shapes);
}

}  // namespace stagelane::async_device
