#include "engine/checkpoint/safetensors_header.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/checkpoint/header_reader.h"
#include "engine/checkpoint/quoted_name.h"

namespace stagelane::checkpoint {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

constexpr std::uint64_t kLongestHeader = 100'000'000;

std::string atByte(std::string_view source, Bytes byte) {
  return std::string(source) + ", byte " + std::to_string(byte);
}

/// The tensors' data follow each other from `dataStart` to the end of the file.
Status checkCoverage(const std::vector<HeaderTensor>& tensors, Bytes dataStart, Bytes fileBytes,
                     std::string_view source) {
  Bytes end = dataStart;
  const HeaderTensor* before = nullptr;
  for (const HeaderTensor& tensor : tensors) {
    if (tensor.offset < end) {
      return fail(ErrorCode::Invalid,
                  "the data of tensor " + quotedName(tensor.name) +
                      " overlaps the data of tensor " + quotedName(before->name),
                  atByte(source, tensor.offset));
    }
    if (tensor.offset > end) {
      return fail(ErrorCode::Invalid,
                  std::to_string(tensor.offset - end) + " bytes in front of the data of tensor " +
                      quotedName(tensor.name) + " belong to no tensor",
                  atByte(source, end));
    }
    end += tensor.bytes;
    before = &tensor;
  }
  if (end != fileBytes) {
    return fail(
        ErrorCode::Invalid,
        std::to_string(fileBytes - end) + " bytes at the end of the file belong to no tensor",
        atByte(source, end));
  }
  return {};
}

}  // namespace

Result<Bytes> safetensorsHeaderBytes(std::string_view start, Bytes fileBytes,
                                     std::string_view source) {
  std::uint64_t length = 0;
  if (start.size() < sizeof length) {
    return fail(ErrorCode::Invalid,
                "the file has " + std::to_string(fileBytes) +
                    " bytes; a safetensors file begins with 8 bytes that hold its header's length",
                std::string(source), "Download or copy the file again");
  }
  if (start.substr(0, sizeof length) == "version ") {
    return fail(ErrorCode::Invalid, "is a pointer of Git LFS, not the file itself",
                std::string(source), "Run \"git lfs pull\" in its folder");
  }
  std::memcpy(&length, start.data(), sizeof length);
  if (length > kLongestHeader) {
    return fail(ErrorCode::Invalid,
                "the header's length is " + std::to_string(length) +
                    " bytes; the format allows at most " + std::to_string(kLongestHeader),
                atByte(source, 0), "Check that it is a safetensors file");
  }
  if (static_cast<Bytes>(length) > fileBytes - kHeaderLengthBytes) {
    return fail(ErrorCode::Invalid,
                "the header's length is " + std::to_string(length) +
                    " bytes, but the file has only " + std::to_string(fileBytes),
                atByte(source, 0), "Download or copy the file again");
  }
  return static_cast<Bytes>(length);
}

Result<std::vector<HeaderTensor>> parseSafetensorsHeader(std::string_view header, Bytes fileBytes,
                                                         std::string_view source) {
  if (header.empty() || header.front() != '{') {
    return fail(ErrorCode::Invalid, "the header does not begin with \"{\"",
                atByte(source, kHeaderLengthBytes), "Check that it is a safetensors file");
  }
  // The JSON library would take a zero byte as the end of the text.
  if (const std::size_t zero = header.find('\0'); zero != std::string_view::npos) {
    return fail(ErrorCode::Invalid, "the header has a zero byte",
                atByte(source, kHeaderLengthBytes + static_cast<Bytes>(zero)));
  }
  const Bytes dataStart = kHeaderLengthBytes + static_cast<Bytes>(header.size());
  HeaderReader reader(dataStart, fileBytes - dataStart, source);
  STAGELANE_TRY(tensors, reader.read(header));
  std::stable_sort(tensors->begin(), tensors->end(),
                   [](const HeaderTensor& one, const HeaderTensor& other) {
                     return std::tie(one.offset, one.bytes) < std::tie(other.offset, other.bytes);
                   });
  STAGELANE_CHECK(checkCoverage(*tensors, dataStart, fileBytes, source));
  return tensors;
}

}  // namespace stagelane::checkpoint
