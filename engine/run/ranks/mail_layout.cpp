#include "engine/run/ranks/mail_layout.h"

#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>

#include <string>
#include <vector>

namespace stagelane::run {
namespace {

/// With the values that a tensor repeats in memory (stride 0) only once.
at::Tensor withoutRepeats(at::Tensor tensor) {
  for (std::int64_t dimension = 0; dimension < tensor.dim(); ++dimension) {
    if (tensor.stride(dimension) == 0 && tensor.size(dimension) > 1) {
      tensor = tensor.narrow(dimension, 0, 1);
    }
  }
  return tensor;
}

/// Elements from the first to the last one in memory.
std::int64_t spanOf(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return 0;
  std::int64_t span = 1;
  for (std::int64_t dimension = 0; dimension < tensor.dim(); ++dimension) {
    span += (tensor.size(dimension) - 1) * tensor.stride(dimension);
  }
  return span;
}

std::vector<std::int64_t> sizesOf(const MailHeader& header) {
  return {header.sizes.begin(), header.sizes.begin() + header.dimensions};
}

std::vector<std::int64_t> stridesOf(const MailHeader& header) {
  return {header.strides.begin(), header.strides.begin() + header.dimensions};
}

}  // namespace

Result<PackedTensor> packTensor(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.device().is_cpu() || tensor.layout() != at::kStrided ||
      tensor.is_quantized()) {
    return fail(ErrorCode::Invalid, "only dense tensors of the host can be sent to another rank");
  }
  if (tensor.dim() > static_cast<std::int64_t>(MailHeader::kMaxDimensions)) {
    return fail(ErrorCode::Invalid, "a tensor of " + std::to_string(tensor.dim()) +
                                        " dimensions cannot be sent to another rank");
  }
  const at::Tensor plain = tensor.detach().resolve_conj().resolve_neg();
  const at::Tensor once = withoutRepeats(plain);
  PackedTensor packed;
  packed.header.scalarType = static_cast<std::int64_t>(plain.scalar_type());
  packed.header.dimensions = plain.dim();
  for (std::int64_t dimension = 0; dimension < plain.dim(); ++dimension) {
    const auto index = static_cast<std::size_t>(dimension);
    packed.header.sizes[index] = plain.size(dimension);
    packed.header.strides[index] = plain.stride(dimension);
  }
  packed.header.span = spanOf(once);
  // Gaps between the values travel too, unless they are most of it: then a copy costs less.
  const bool withGaps = packed.header.span <= 2 * once.numel();
  packed.values = withGaps ? once.as_strided({packed.header.span}, {1}, once.storage_offset())
                           : once.contiguous().view({-1});
  packed.header.elements = packed.values.numel();
  return packed;
}

bool isSound(const MailHeader& header) {
  constexpr auto kMost = static_cast<std::int64_t>(MailHeader::kMaxDimensions);
  return header.magic == MailHeader::kMagic && header.dimensions >= 0 &&
         header.dimensions <= kMost && header.elements >= 0 && header.span >= header.elements &&
         header.scalarType >= 0 &&
         header.scalarType < static_cast<std::int64_t>(at::ScalarType::NumOptions);
}

at::Tensor emptyValues(const MailHeader& header) {
  return at::empty({header.elements},
                   at::TensorOptions().dtype(static_cast<at::ScalarType>(header.scalarType)));
}

at::Tensor unpackTensor(const MailHeader& header, const at::Tensor& values) {
  const std::vector<std::int64_t> sizes = sizesOf(header);
  const std::vector<std::int64_t> strides = stridesOf(header);
  if (header.elements == header.span) return values.as_strided(sizes, strides, 0);
  std::vector<std::int64_t> once = sizes;
  for (std::size_t dimension = 0; dimension < once.size(); ++dimension) {
    if (strides[dimension] == 0 && once[dimension] > 1) once[dimension] = 1;
  }
  const at::Tensor memory = at::empty({header.span}, values.options());
  memory.as_strided(once, strides, 0).copy_(values.view(once));
  return memory.as_strided(sizes, strides, 0);
}

}  // namespace stagelane::run
