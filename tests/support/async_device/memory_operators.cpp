// Operators that LibTorch has no general form of: memory, views, copies, and those whose general
// form would give other bits than the CPU's.

#include <ATen/EmptyTensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/Allocator.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "tests/support/async_device/copies.h"
#include "tests/support/async_device/memory.h"
#include "tests/support/async_device/operator_fallback.h"
#include "tests/support/async_device/sites.h"
#include "tests/support/async_device/tensor_view.h"
#include "tests/support/async_device/usage.h"

namespace stagelane::async_device {
namespace {

using Sizes = c10::SymIntArrayRef;

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

at::Tensor emptyMemoryFormat(Sizes size, std::optional<at::ScalarType> type,
                             std::optional<at::Layout> /*layout*/, std::optional<at::Device> device,
                             std::optional<bool> /*pinned*/,
                             std::optional<at::MemoryFormat> format) {
  noteKernel("empty.memory_format");
  const c10::OptionalDeviceGuard onDevice(device);
  return at::detail::empty_generic(C10_AS_INTARRAYREF_SLOW(size),
                                   c10::GetAllocator(c10::kPrivateUse1), kKeys,
                                   c10::dtype_or_default(type), format);
}

at::Tensor emptyStrided(Sizes size, Sizes stride, std::optional<at::ScalarType> type,
                        std::optional<at::Layout> /*layout*/, std::optional<at::Device> device,
                        std::optional<bool> /*pinned*/) {
  noteKernel("empty_strided");
  const c10::OptionalDeviceGuard onDevice(device);
  return at::detail::empty_strided_generic(
      C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride),
      c10::GetAllocator(c10::kPrivateUse1), kKeys, c10::dtype_or_default(type));
}

/// What the tensor held is lost if it grows, which no `out` operator minds.
const at::Tensor& resize(const at::Tensor& self, Sizes size,
                         std::optional<at::MemoryFormat> format) {
  noteKernel("resize_");
  const c10::IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(size);
  const auto elements = static_cast<std::size_t>(c10::multiply_integers(sizes));
  const std::size_t bytes =
      (elements + static_cast<std::size_t>(self.storage_offset())) * self.itemsize();
  if (bytes > self.storage().nbytes()) {
    const c10::DeviceGuard onDevice(self.device());
    self.storage().set_data_ptr_noswap(c10::GetAllocator(c10::kPrivateUse1)->allocate(bytes));
    self.storage().set_nbytes(bytes);
  }
  self.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  if (format && *format != at::MemoryFormat::Preserve) {
    self.unsafeGetTensorImpl()->empty_tensor_restride(*format);
  }
  return self;
}

at::Tensor asStrided(const at::Tensor& self, Sizes size, Sizes stride,
                     std::optional<c10::SymInt> offset) {
  noteKernel("as_strided");
  std::optional<std::int64_t> plain;
  if (offset) plain = offset->expect_int();
  return at::native::as_strided_tensorimpl(self, C10_AS_INTARRAYREF_SLOW(size),
                                           C10_AS_INTARRAYREF_SLOW(stride), plain);
}

at::Tensor view(const at::Tensor& self, Sizes size) {
  noteKernel("view");
  return at::native::view(self, C10_AS_INTARRAYREF_SLOW(size));
}

at::Tensor reshapeAlias(const at::Tensor& self, Sizes size, Sizes stride) {
  noteKernel("_reshape_alias");
  return at::native::_reshape_alias(self, C10_AS_INTARRAYREF_SLOW(size),
                                    C10_AS_INTARRAYREF_SLOW(stride));
}

at::Tensor copyFromAndResize(const at::Tensor& self, const at::Tensor& target) {
  at::native::resize_output(target, self.sizes());
  return copyFrom(self, target, false);
}

at::Scalar localScalarDense(const at::Tensor& self) {
  noteKernel("_local_scalar_dense");
  const at::Tensor host = at::empty({}, at::TensorOptions(self.scalar_type()));
  copyFrom(self, host, false);
  return host.item();
}

void recordStream(at::Tensor& self, c10::Stream stream) {
  noteKernel("record_stream");
  if (isLeftOut(SiteKind::RecordStream, Through::LibTorch)) return;
  recordUse(accessOf(self, AccessKind::Read).data, stream);
}

/// The fused form draws without a generator among its arguments, so it is taken apart.
std::tuple<at::Tensor, at::Tensor> nativeDropout(const at::Tensor& input, double p,
                                                 std::optional<bool> train) {
  noteKernel("native_dropout");
  if (!train.value_or(true)) return {input.clone(), at::ones_like(input, at::kBool)};
  const at::Tensor mask = at::empty_like(input).bernoulli_(1.0 - p);
  return {input.mul(mask).mul_(1.0 / (1.0 - p)), mask.to(at::kBool)};
}

const c10::OperatorHandle& operatorNamed(const char* name) {
  static auto* const kFound = new std::map<std::string, c10::OperatorHandle>();
  static auto* const kMutex = new std::mutex();  // guards kFound
  const std::lock_guard<std::mutex> lock(*kMutex);
  const auto found = kFound->find(name);
  if (found != kFound->end()) return found->second;
  return kFound->emplace(name, c10::Dispatcher::singleton().findSchemaOrThrow(name, ""))
      .first->second;
}

/// Convolutions of devices that ATen does not know come in under names of their own.
void convolution(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  callAsynchronously(
      op,
      [](torch::jit::Stack* arguments) { operatorNamed("aten::convolution").callBoxed(arguments); },
      stack);
}

void convolutionBackward(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  callAsynchronously(
      op,
      [](torch::jit::Stack* arguments) {
        // This name's schema lacks the sizes of the bias: the channels of the output's gradient.
        const std::int64_t channels = (*arguments)[0].toTensor().size(1);
        arguments->insert(arguments->begin() + 3, c10::IValue(c10::List<std::int64_t>({channels})));
        operatorNamed("aten::convolution_backward").callBoxed(arguments);
      },
      stack);
}

}  // namespace

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("empty.memory_format", &emptyMemoryFormat);
  library.impl("empty_strided", &emptyStrided);
  library.impl("_copy_from", &copyFrom);
  library.impl("_copy_from_and_resize", &copyFromAndResize);
  library.impl("_local_scalar_dense", &localScalarDense);
  library.impl("record_stream", &recordStream);
  library.impl("resize_", &resize);
  library.impl("as_strided", &asStrided);
  library.impl("view", &view);
  library.impl("_reshape_alias", &reshapeAlias);
  library.impl("unfold", &at::native::unfold);
  library.impl("native_dropout", &nativeDropout);
  // These have a general form, which LibTorch would prefer to a fallback, and a kernel of the
  // CPU's own with other bits.
  for (const char* name : {"native_layer_norm", "embedding", "batch_norm_backward"}) {
    library.impl(name, torch::CppFunction::makeFromBoxedFunction<&fallback>());
  }
  library.impl("convolution_overrideable",
               torch::CppFunction::makeFromBoxedFunction<&convolution>());
  library.impl("convolution_backward_overrideable",
               torch::CppFunction::makeFromBoxedFunction<&convolutionBackward>());
}

}  // namespace stagelane::async_device
