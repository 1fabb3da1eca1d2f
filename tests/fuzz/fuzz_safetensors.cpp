// Bytes of a safetensors file: tensors that cover its data exactly, or an error with a place.

#include <algorithm>
#include <span>

#include "engine/checkpoint/safetensors_header.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace stagelane;

std::int64_t bitsOf(const checkpoint::HeaderTensor& tensor) {
  std::int64_t bits = checkpoint::bitsOf(tensor.type);
  for (const std::int64_t size : tensor.shape) bits *= size;
  return bits;
}

/// Each tensor begins where the one before it ends.
bool covers(const std::vector<checkpoint::HeaderTensor>& tensors, Bytes begin, Bytes end) {
  for (const checkpoint::HeaderTensor& tensor : tensors) {
    if (tensor.offset != begin || tensor.bytes * 8 != bitsOf(tensor)) return false;
    begin += tensor.bytes;
  }
  return begin == end;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file = fuzz::view(data, size);
  const auto fileBytes = static_cast<Bytes>(size);
  const auto length = checkpoint::safetensorsHeaderBytes(file, fileBytes, "fuzz");
  if (!length) return 0;
  const Bytes dataStart = checkpoint::kHeaderLengthBytes + *length;
  const std::string_view header =
      file.substr(checkpoint::kHeaderLengthBytes, static_cast<std::size_t>(*length));
  const auto tensors = checkpoint::parseSafetensorsHeader(header, fileBytes, "fuzz");
  const bool good =
      tensors ? covers(*tensors, dataStart, fileBytes)
              : !tensors.error().message.empty() && tensors.error().context.starts_with("fuzz");
  if (!good) std::abort();
  return 0;
}
