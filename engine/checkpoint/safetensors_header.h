#pragma once

/// The header of a safetensors file: 8 bytes with its length, then a JSON object that says where in
/// the file each tensor is. Checks everything that the format demands before any tensor is read, in
/// memory proportional to the header. Works on text; see safetensors.h for files.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/checkpoint/element_type.h"

namespace stagelane::checkpoint {

/// A tensor as the header describes it.
struct HeaderTensor {
  std::string name;
  ElementType type = ElementType::F32;
  std::vector<std::int64_t> shape;
  Bytes offset = 0;  ///< from the start of the file; nothing aligns it
  Bytes bytes = 0;
};

/// Bytes in front of the header, which hold its length.
inline constexpr Bytes kHeaderLengthBytes = 8;

/// Length of the header. `start` has the first 8 bytes of a file of `fileBytes`, or all of them if
/// there are fewer; `source` is the file's path, for errors.
/// @errors Invalid: longer than the file or than the format allows, or a pointer of Git LFS
/// @source https://github.com/huggingface/safetensors, "Format"
[[nodiscard]] Result<Bytes> safetensorsHeaderBytes(std::string_view start, Bytes fileBytes,
                                                   std::string_view source);

/// The tensors of a header, in the order of their data. Together they cover the data exactly:
/// without overlap, without holes, up to the end of the file.
/// @errors Invalid with the byte or the tensor
[[nodiscard]] Result<std::vector<HeaderTensor>> parseSafetensorsHeader(std::string_view header,
                                                                       Bytes fileBytes,
                                                                       std::string_view source);

}  // namespace stagelane::checkpoint
