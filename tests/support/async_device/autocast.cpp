// Autocast and the choice of an attention kernel: LibTorch has lists and kernels, a device only
// registers them.

#include <ATen/autocast_mode.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/transformers/attention.h>
#include <torch/library.h>

namespace stagelane::async_device {

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFallthrough());
}

// The macros of LibTorch's registration expect that name.
TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
#define STAGELANE_LOWER(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define STAGELANE_WIDE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define STAGELANE_WIDE_BY_TYPE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define STAGELANE_PROMOTED(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)
  AT_FORALL_LOWER_PRECISION_FP(STAGELANE_LOWER)
  AT_FORALL_FP32(STAGELANE_WIDE)
  AT_FORALL_FP32_SET_OPT_DTYPE(STAGELANE_WIDE_BY_TYPE)
  AT_FORALL_PROMOTE(STAGELANE_PROMOTED)
#undef STAGELANE_LOWER
#undef STAGELANE_WIDE
#undef STAGELANE_WIDE_BY_TYPE
#undef STAGELANE_PROMOTED
}

}  // namespace stagelane::async_device

// The macro specializes a template of this namespace.
namespace at::native {
namespace {

/// On any device but CUDA "flash attention" is the operator of the CPU's kernel, which comes to
/// the fallback and has the CPU's bits.
std::int64_t chooseFlash(const at::Tensor& /*query*/, const at::Tensor& /*key*/,
                         const at::Tensor& /*value*/, const std::optional<at::Tensor>& /*mask*/,
                         double /*dropout*/, bool /*causal*/, std::optional<double> /*scale*/,
                         bool /*grouped*/) {
  constexpr std::int64_t kFlash = 1;
  return kFlash;
}

}  // namespace

REGISTER_PRIVATEUSE1_DISPATCH(_fused_sdp_choice_stub, &chooseFlash)

}  // namespace at::native
