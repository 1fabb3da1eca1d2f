#pragma once

/// How a tensor with any strides travels as one flat message and is put together again. Operators
/// choose their kernels by strides, so a tensor with other strides could change last bits.

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane::run {

/// What the receiver has to know before the values arrive; sent as it is.
struct MailHeader {
  static constexpr std::int64_t kMagic = 0x5354474c4d41494c;
  static constexpr std::size_t kMaxDimensions = 12;

  std::int64_t magic = kMagic;
  std::int64_t tag = 0;
  std::int64_t readyNs = 0;     ///< on the sender's clock
  std::int64_t scalarType = 0;  ///< at::ScalarType
  std::int64_t dimensions = 0;
  std::int64_t elements = 0;  ///< in the message
  std::int64_t span = 0;      ///< of the tensor in memory, in elements
  std::array<std::int64_t, kMaxDimensions> sizes{};
  std::array<std::int64_t, kMaxDimensions> strides{};
};

/// A tensor prepared for sending.
struct PackedTensor {
  MailHeader header;
  at::Tensor values;  ///< flat; the tensor's own memory where possible
};

/// @errors Invalid: not on the host, sparse or quantized, or too many dimensions
[[nodiscard]] Result<PackedTensor> packTensor(const at::Tensor& tensor);
/// Whether a header can be one of `packTensor`.
[[nodiscard]] bool isSound(const MailHeader& header);
/// The flat tensor into which the message is to be received. @pre the header is sound
[[nodiscard]] at::Tensor emptyValues(const MailHeader& header);
/// The tensor as it was on the sender. @pre `values` is from `emptyValues`
[[nodiscard]] at::Tensor unpackTensor(const MailHeader& header, const at::Tensor& values);

}  // namespace stagelane::run
