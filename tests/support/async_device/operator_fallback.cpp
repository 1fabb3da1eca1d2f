#include "tests/support/async_device/operator_fallback.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/DeviceGuard.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "tests/support/async_device/generator.h"
#include "tests/support/async_device/scheduler.h"
#include "tests/support/async_device/streams.h"
#include "tests/support/async_device/usage.h"

namespace stagelane::async_device {
namespace {

/// Arguments that an operator writes although its schema does not say so.
const std::vector<std::size_t>& unlistedWrites(const std::string& name) {
  static const std::unordered_map<std::string, std::vector<std::size_t>> kWrites{
      {"aten::native_batch_norm", {3, 4}}, {"aten::_batch_norm_impl_index", {3, 4}}};
  static const std::vector<std::size_t> kNone;
  const auto found = kWrites.find(name);
  return found == kWrites.end() ? kNone : found->second;
}

bool isWritten(const c10::FunctionSchema& schema, std::size_t argument) {
  const auto* const alias = schema.arguments()[argument].alias_info();
  if (alias != nullptr && alias->isWrite()) return true;
  const std::vector<std::size_t>& unlisted = unlistedWrites(schema.name());
  return std::find(unlisted.begin(), unlisted.end(), argument) != unlisted.end();
}

bool isGenerator(const c10::Argument& argument) {
  return argument.type()->str().find("Generator") != std::string::npos;
}

bool dependsOnData(const c10::OperatorHandle& op) {
  for (const c10::Argument& output : op.schema().returns()) {
    const auto kind = output.type()->kind();
    if (kind != c10::TypeKind::TensorType && kind != c10::TypeKind::ListType) return true;
  }
  return op.hasTag(at::Tag::dynamic_output_shape);
}

/// One call of an operator on a device.
class Call {
 public:
  Call(const c10::OperatorHandle& op, const CpuOperator& cpu, torch::jit::Stack* stack)
      : m_op(op), m_schema(op.schema()), m_cpu(cpu) {
    const std::size_t count = m_schema.arguments().size();
    m_given.assign(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end());
    torch::jit::drop(*stack, count);
    for (std::size_t i = 0; i < count; ++i) see(i);
    if (!m_device) m_device = deviceAt(currentDevice());
    for (std::size_t i = 0; i < count; ++i) take(i);
  }

  void perform(torch::jit::Stack* stack) {
    const c10::DeviceGuard onDevice(*m_device);
    if (dependsOnData(m_op)) {
      performAndWait(stack);
    } else {
      queue(stack);
    }
  }

 private:
  /// Finds the device, and the accesses to its memory.
  void see(std::size_t i) {
    const c10::IValue& value = m_given[i];
    const AccessKind kind = isWritten(m_schema, i) ? AccessKind::Write : AccessKind::Read;
    if (value.isTensor()) {
      const at::Tensor& tensor = value.toTensor();
      TORCH_CHECK(kind == AccessKind::Read || !tensor.defined() || isOurs(tensor), name(),
                  ": writes a CPU tensor");
      see(tensor, kind);
    } else if (value.isTensorList()) {
      for (const at::Tensor& each : value.toTensorVector()) see(each, kind);
    } else if (value.isOptionalTensorList()) {
      for (const auto& each : value.toOptionalTensorVector())
        see(each.value_or(at::Tensor()), kind);
    } else if (value.isDevice() && value.toDevice().is_privateuseone() && !m_device) {
      m_device = value.toDevice().has_index() ? value.toDevice() : deviceAt(currentDevice());
    }
  }

  void see(const at::Tensor& tensor, AccessKind kind) {
    if (!isOurs(tensor)) return;
    TORCH_CHECK(!m_device || *m_device == tensor.device(), name(), ": tensors on ", *m_device,
                " and ", tensor.device());
    m_device = tensor.device();
    m_accesses.push_back(accessOf(tensor, kind));
  }

  void take(std::size_t i) {
    if (!isGenerator(m_schema.arguments()[i])) {
      m_arguments.emplace_back(m_given[i]);
      return;
    }
    const std::uint64_t seed = drawSeed(m_given[i].toOptional<at::Generator>(), m_device->index());
    m_arguments.push_back(Argument::random(seed));
  }

  void performAndWait(torch::jit::Stack* stack) {
    noteFallback(name() + " (waits)", false);
    const auto results = std::make_shared<torch::jit::Stack>();
    const c10::Stream stream = currentStream(*m_device);
    push(stream,
         [cpu = m_cpu, arguments = m_arguments, results] { *results = runOnCpu(cpu, arguments); });
    synchronize(stream);
    for (const c10::IValue& result : *results) {
      stack->push_back(result.isTensor() ? c10::IValue(result.toTensor().to(*m_device)) : result);
    }
  }

  void queue(torch::jit::Stack* stack) {
    const bool fresh = findOutputs();
    noteFallback(name() + (fresh ? " (new output)" : ""), fresh);
    OutputShapes shapes;
    if (fresh) {
      shapes = outputShapes(signature(), m_op.hasTag(at::Tag::nondeterministic_seeded), m_cpu,
                            m_arguments);
    }
    m_targets.resize(m_outputs.size());
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
      if (m_outputs[i] && isOut(*m_outputs[i])) giveSize(i, shapes.at(i).at(0));
      stack->push_back(m_outputs[i] ? m_given[*m_outputs[i]] : makeOutput(i, shapes[i]));
    }
    push(currentStream(*m_device),
         [cpu = m_cpu, arguments = m_arguments, targets = std::move(m_targets)] {
           const torch::jit::Stack results = runOnCpu(cpu, arguments);
           copyResults(results, targets);
         });
  }

  /// Which output is which argument. Returns whether the shape of any has to be found.
  bool findOutputs() {
    bool fresh = false;
    for (const c10::Argument& output : m_schema.returns()) {
      std::optional<std::size_t>& argument = m_outputs.emplace_back();
      if (const auto* const alias = output.alias_info()) {
        TORCH_CHECK(alias->isWrite(), name(), " makes a view: it needs a kernel of its own");
        argument = argumentOf(*alias);
      }
      fresh = fresh || !argument || isOut(*argument);
    }
    return fresh;
  }

  [[nodiscard]] std::optional<std::size_t> argumentOf(const c10::AliasInfo& alias) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < m_schema.arguments().size(); ++i) {
      const auto* const other = m_schema.arguments()[i].alias_info();
      if (other != nullptr && other->beforeSets() == alias.beforeSets()) found = i;
    }
    return found;
  }

  /// An `out` tensor, which may get its size here.
  [[nodiscard]] bool isOut(std::size_t argument) const {
    return m_schema.arguments()[argument].kwarg_only() && m_given[argument].isTensor() &&
           isOurs(m_given[argument].toTensor());
  }

  /// The CPU's operator gets an empty tensor of its own: some resize it more than once.
  void giveSize(std::size_t output, const OutputShape& shape) {
    const std::size_t argument = *m_outputs[output];
    const at::Tensor& tensor = m_given[argument].toTensor();
    if (tensor.sizes() != c10::IntArrayRef(shape.sizes)) {
      tensor.resize_(shape.sizes);
      tensor.unsafeGetTensorImpl()->set_sizes_and_strides(shape.sizes, shape.strides);
    }
    m_arguments[argument] = Argument(at::empty({0}, tensor.options().device(at::kCPU)));
    m_targets[output].emplace_back(TensorView(tensor));
    m_accesses.push_back(accessOf(tensor, AccessKind::Write));
  }

  [[nodiscard]] std::string signature() const {
    std::ostringstream key;
    key << name() << '.' << m_schema.overload_name() << ':';
    for (const Argument& each : m_arguments) each.describe(key);
    return key.str();
  }

  /// A new output that the task fills.
  c10::IValue makeOutput(std::size_t i, const std::vector<OutputShape>& shapes) {
    c10::List<at::Tensor> list;
    for (const OutputShape& shape : shapes) {
      at::Tensor output;
      if (shape.defined) {
        output = at::empty_strided(shape.sizes, shape.strides,
                                   at::TensorOptions(shape.type).device(*m_device));
        m_accesses.push_back(accessOf(output, AccessKind::Write));
      }
      m_targets[i].push_back(shape.defined ? std::optional<TensorView>(output) : std::nullopt);
      list.push_back(output);
    }
    const bool isList = m_schema.returns()[i].type()->kind() == c10::TypeKind::ListType;
    return isList ? c10::IValue(list) : c10::IValue(list.get(0));
  }

  using Targets = std::vector<std::vector<std::optional<TensorView>>>;

  static void copyResults(const torch::jit::Stack& results, const Targets& targets) {
    const at::AutoDispatchBelowADInplaceOrView below;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i].empty()) continue;
      const std::vector<at::Tensor> made = results[i].isTensor()
                                               ? std::vector<at::Tensor>{results[i].toTensor()}
                                               : results[i].toTensorVector();
      for (std::size_t k = 0; k < targets[i].size(); ++k) {
        if (targets[i][k]) targets[i][k]->onCpu().copy_(made[k]);
      }
    }
  }

  void push(const c10::Stream& stream, std::function<void()> body) {
    const Scheduler::Lock lock = scheduler().lock();
    scheduler().push(lock, stream, {name(), TaskKind::Compute, std::move(body)}, m_accesses);
  }

  [[nodiscard]] const std::string& name() const { return m_schema.name(); }

  const c10::OperatorHandle& m_op;
  const c10::FunctionSchema& m_schema;
  const CpuOperator& m_cpu;
  std::vector<c10::IValue> m_given;
  std::optional<c10::Device> m_device;
  std::vector<Argument> m_arguments;
  std::vector<Access> m_accesses;
  std::vector<std::optional<std::size_t>> m_outputs;  ///< an argument, or a new tensor
  Targets m_targets;                                  ///< of the new tensors
};

}  // namespace

void callAsynchronously(const c10::OperatorHandle& op, const CpuOperator& cpu,
                        torch::jit::Stack* stack) {
  Call(op, cpu, stack).perform(stack);
}

void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  callAsynchronously(
      op, [op](torch::jit::Stack* arguments) { op.callBoxed(arguments); }, stack);
}

}  // namespace stagelane::async_device
