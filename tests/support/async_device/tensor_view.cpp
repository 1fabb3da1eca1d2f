#include "tests/support/async_device/tensor_view.h"

#include <ATen/ops/empty_strided.h>
#include <ATen/ops/from_blob.h>

namespace stagelane::async_device {
namespace {

/// Null for a tensor without memory, also one that has never been allocated.
void* dataOf(const at::Tensor& tensor) {
  const bool initialized = tensor.unsafeGetTensorImpl()->storage_initialized();
  if (!initialized || tensor.storage().data() == nullptr) return nullptr;
  return const_cast<void*>(tensor.const_data_ptr());
}

}  // namespace

bool isOurs(const at::Tensor& tensor) { return tensor.defined() && tensor.is_privateuseone(); }

TensorView::TensorView(const at::Tensor& tensor)
    : data(dataOf(tensor)),
      sizes(tensor.sizes().vec()),
      strides(tensor.strides().vec()),
      type(tensor.scalar_type()) {}

at::Tensor TensorView::onCpu() const {
  const at::TensorOptions options(type);
  if (data == nullptr) return at::empty_strided(sizes, strides, options);
  return at::from_blob(data, sizes, strides, options);
}

Access accessOf(const at::Tensor& tensor, AccessKind kind) {
  if (tensor.numel() == 0) return {};
  std::int64_t last = 0;
  for (std::int64_t i = 0; i < tensor.dim(); ++i) last += (tensor.size(i) - 1) * tensor.stride(i);
  return {dataOf(tensor), static_cast<std::size_t>(last + 1) * tensor.itemsize(), kind};
}

}  // namespace stagelane::async_device
