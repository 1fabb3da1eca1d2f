#include "engine/checkpoint/safetensors.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/checkpoint/safetensors_header.h"

namespace stagelane::checkpoint {
namespace {

Result<std::string> readText(const WeightFile& file, Bytes offset, Bytes bytes) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  STAGELANE_CHECK(file.read(offset, std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace

Result<std::vector<StoredTensor>> openSafetensors(const std::filesystem::path& path) {
  STAGELANE_TRY(opened, WeightFile::open(path));
  const WeightFilePtr file = std::move(*opened);
  const std::string source = path.string();
  STAGELANE_TRY(start, readText(*file, 0, std::min(file->size(), kHeaderLengthBytes)));
  STAGELANE_TRY(length, safetensorsHeaderBytes(*start, file->size(), source));
  STAGELANE_TRY(header, readText(*file, kHeaderLengthBytes, *length));
  STAGELANE_TRY(described, parseSafetensorsHeader(*header, file->size(), source));
  std::vector<StoredTensor> tensors;
  tensors.reserve(described->size());
  for (HeaderTensor& each : *described) {
    tensors.push_back(
        {std::move(each.name), each.type, std::move(each.shape), file, each.offset, each.bytes});
  }
  return tensors;
}

}  // namespace stagelane::checkpoint
