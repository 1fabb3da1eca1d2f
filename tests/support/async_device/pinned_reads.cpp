#include "tests/support/async_device/pinned_reads.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/async_device/memory.h"
#include "tests/support/async_device/scheduler.h"
#include "tests/support/async_device/tensor_view.h"

namespace stagelane::async_device {
namespace {

/// A tensor among the inputs of an operator.
struct Input {
  at::Tensor tensor;
  std::size_t argument = 0;
};

std::vector<Input> tensorsOf(c10::ArrayRef<const c10::IValue> values) {
  std::vector<Input> inputs;
  const auto add = [&inputs](const at::Tensor& tensor, std::size_t argument) {
    if (tensor.defined()) inputs.push_back({tensor, argument});
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].isTensor()) {
      add(values[i].toTensor(), i);
    } else if (values[i].isTensorList()) {
      for (const at::Tensor& each : values[i].toTensorVector()) add(each, i);
    } else if (values[i].isOptionalTensorList()) {
      for (const auto& each : values[i].toOptionalTensorVector()) {
        add(each.value_or(at::Tensor()), i);
      }
    }
  }
  return inputs;
}

bool usesPinnedMemory(const Input& input) {
  return input.tensor.is_cpu() && input.tensor.layout() == at::kStrided &&
         input.tensor.has_storage() && input.tensor.numel() > 0 &&
         mayBePinned(input.tensor.storage().data());
}

bool makesView(const c10::FunctionSchema& schema) {
  return std::any_of(schema.returns().begin(), schema.returns().end(), [](const auto& output) {
    return output.alias_info() != nullptr && !output.alias_info()->isWrite();
  });
}

/// Whether the call itself computes on the CPU. Operators made of others are seen again as those;
/// views, and operators that only look at shapes, touch no data.
bool computesOnCpu(const c10::OperatorHandle& op) {
  static constexpr std::array<std::string_view, 6> kOnlyShapes{
      "aten::resize_",       "aten::resize_as_", "aten::set_",
      "aten::empty_strided", "aten::empty_like", "aten::_resize_output_"};
  const std::string& name = op.schema().name();
  if (makesView(op.schema())) return false;
  if (std::find(kOnlyShapes.begin(), kOnlyShapes.end(), name) != kOnlyShapes.end()) return false;
  return name == "aten::copy_" || op.hasKernelForDispatchKey(c10::DispatchKey::CPU);
}

bool isWritten(const c10::FunctionSchema& schema, std::size_t argument) {
  const auto* const alias = schema.arguments()[argument].alias_info();
  return alias != nullptr && alias->isWrite();
}

std::unique_ptr<at::ObserverContext> beforeOperator(const at::RecordFunction& call) {
  const std::vector<Input> inputs = tensorsOf(call.inputs());
  if (std::none_of(inputs.begin(), inputs.end(), usesPinnedMemory)) return nullptr;
  // With a device's tensor among them it is a device's operator, such as a copy.
  if (!std::all_of(inputs.begin(), inputs.end(),
                   [](const Input& input) { return input.tensor.is_cpu(); })) {
    return nullptr;
  }
  const std::optional<c10::OperatorName> name = call.operator_name();
  if (!name) return nullptr;
  const auto op = c10::Dispatcher::singleton().findOp(*name);
  if (!op || !op->hasSchema() || !computesOnCpu(*op)) return nullptr;
  for (const Input& input : inputs) {
    if (!usesPinnedMemory(input)) continue;
    const bool written = isWritten(op->schema(), input.argument);
    scheduler().hostUses(name->name,
                         accessOf(input.tensor, written ? AccessKind::Write : AccessKind::Read));
  }
  return nullptr;
}

}  // namespace

void observePinnedReads() {
  at::addGlobalCallback(at::RecordFunctionCallback(&beforeOperator)
                            .needsInputs(true)
                            .scopes({at::RecordScope::FUNCTION}));
}

}  // namespace stagelane::async_device
