#include "engine/checkpoint/header_reader.h"

#include <limits>
#include <utility>

#include "engine/checkpoint/quoted_name.h"

namespace stagelane::checkpoint {
namespace {

constexpr std::size_t kMostDimensions = 64;  // of a tensor in PyTorch
constexpr std::string_view kMetadata = "__metadata__";

/// Bytes of a tensor, or nothing if they are not a whole number below 2^63.
std::optional<Bytes> bytesOf(const HeaderTensor& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.shape) {
    if (__builtin_mul_overflow(elements, size, &elements)) return std::nullopt;
  }
  const int bits = bitsOf(tensor.type);
  std::int64_t product = 0;
  if (bits % 8 == 0) {
    if (__builtin_mul_overflow(elements, bits / 8, &product)) return std::nullopt;
    return product;
  }
  if (__builtin_mul_overflow(elements, bits, &product) || product % 8 != 0) return std::nullopt;
  return product / 8;
}

}  // namespace

Result<std::vector<HeaderTensor>> HeaderReader::read(std::string_view header) {
  try {
    Json::sax_parse(header.begin(), header.end(), this);
  } catch (const std::exception& problem) {
    refuse(std::string("the header is not valid JSON: ") + problem.what());
  }
  if (m_error) return tl::make_unexpected(std::move(*m_error));
  return std::move(m_tensors);
}

bool HeaderReader::refuse(std::string message) {
  if (m_error) return false;
  std::string context = m_source;
  const bool inTensor = m_place >= Place::Tensor && m_place <= Place::Offsets;
  if (inTensor) context += ", tensor " + quotedName(m_tensors.back().name);
  m_error = Error{ErrorCode::Invalid, std::move(message), std::move(context), {}, {}};
  return false;
}

std::string_view HeaderReader::expected() const {
  switch (m_place) {
    case Place::Metadata: return "__metadata__: expected an object";
    case Place::Texts: return "a value of __metadata__: expected a string";
    case Place::Type: return "dtype: expected a string";
    case Place::ShapeList: return "shape: expected a list";
    case Place::Shape: return "a size of shape: expected an integer from 0 to 2^63 - 1";
    case Place::OffsetsList: return "data_offsets: expected a list";
    case Place::Offsets: return "a number of data_offsets: expected an integer from 0 to 2^63 - 1";
    case Place::Header:
    case Place::Names:
    case Place::Tensor:
    case Place::Members:
    case Place::End: break;
  }
  return "expected an object";
}

bool HeaderReader::unexpected(std::string_view found) {
  return refuse(std::string(expected()) + ", found " + std::string(found));
}

bool HeaderReader::number_unsigned(Json::number_unsigned_t value) {
  const bool fits = value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto number = static_cast<std::int64_t>(value);
  if (fits && m_place == Place::Shape) {
    if (m_tensors.back().shape.size() == kMostDimensions) {
      return refuse("shape has more than " + std::to_string(kMostDimensions) + " sizes");
    }
    m_tensors.back().shape.push_back(number);
    return true;
  }
  if (fits && m_place == Place::Offsets) {
    if (m_offsets.size() == 2) return refuse("data_offsets has more than 2 numbers");
    m_offsets.push_back(number);
    return true;
  }
  return unexpected(std::to_string(value));
}

bool HeaderReader::string(std::string& value) {
  if (m_place == Place::Texts) return true;
  if (m_place != Place::Type) return unexpected("a string");
  const std::optional<ElementType> type = elementTypeFromWord(value);
  if (!type) return refuse("dtype " + quotedName(value) + " is not a type of the format");
  m_tensors.back().type = *type;
  m_place = Place::Members;
  return true;
}

bool HeaderReader::start_object(std::size_t) {
  if (m_place == Place::Header) {
    m_place = Place::Names;
  } else if (m_place == Place::Metadata) {
    m_place = Place::Texts;
  } else if (m_place == Place::Tensor) {
    m_place = Place::Members;
  } else {
    return unexpected("an object");
  }
  return true;
}

bool HeaderReader::key(std::string& key) {
  if (m_place == Place::Names) return nameKey(key);
  if (!m_keys.insert(key).second) return refuse(quotedName(key) + " appears twice");
  return m_place == Place::Texts || memberKey(key);
}

bool HeaderReader::nameKey(std::string& key) {
  if (!m_names.insert(key).second) return refuse("the name " + quotedName(key) + " appears twice");
  m_keys.clear();
  m_offsets.clear();
  m_place = Place::Metadata;
  if (key != kMetadata) {
    m_place = Place::Tensor;
    m_tensors.push_back({std::move(key), {}, {}, 0, 0});
  }
  return true;
}

bool HeaderReader::memberKey(std::string_view key) {
  if (key == "dtype") {
    m_place = Place::Type;
  } else if (key == "shape") {
    m_place = Place::ShapeList;
  } else if (key == "data_offsets") {
    m_place = Place::OffsetsList;
  } else {
    return refuse("unknown member " + quotedName(key));
  }
  return true;
}

bool HeaderReader::end_object() {
  if (m_place == Place::Members && !endTensor()) return false;
  m_place = m_place == Place::Names ? Place::End : Place::Names;
  return true;
}

bool HeaderReader::endTensor() {
  for (const char* member : {"dtype", "shape", "data_offsets"}) {
    if (m_keys.count(member) == 0) return refuse(std::string(member) + " is missing");
  }
  if (m_offsets.size() != 2) return refuse("data_offsets has fewer than 2 numbers");
  HeaderTensor& tensor = m_tensors.back();
  const Bytes begin = m_offsets[0], end = m_offsets[1];
  const std::string range = "[" + std::to_string(begin) + ", " + std::to_string(end) + "]";
  if (begin > end) return refuse("data_offsets " + range + " end before they begin");
  if (end > m_dataBytes) {
    return refuse("data_offsets " + range + " are beyond the end of the data, which has " +
                  std::to_string(m_dataBytes) + " bytes");
  }
  const std::optional<Bytes> bytes = bytesOf(tensor);
  if (!bytes) return refuse("shape and dtype do not give a valid number of bytes");
  if (*bytes != end - begin) {
    return refuse("shape and dtype need " + std::to_string(*bytes) + " bytes, but data_offsets " +
                  range + " have " + std::to_string(end - begin));
  }
  tensor.offset = m_dataStart + begin;
  tensor.bytes = *bytes;
  return true;
}

bool HeaderReader::start_array(std::size_t) {
  if (m_place == Place::ShapeList) {
    m_place = Place::Shape;
  } else if (m_place == Place::OffsetsList) {
    m_place = Place::Offsets;
  } else {
    return unexpected("a list");
  }
  return true;
}

bool HeaderReader::end_array() {
  m_place = Place::Members;
  return true;
}

bool HeaderReader::parse_error(std::size_t place, const std::string&,
                               const Json::exception& problem) {
  std::string why = problem.what();
  if (const auto bracket = why.find("] "); bracket != std::string::npos) why.erase(0, bracket + 2);
  // What follows is of the file, and may be long or not UTF-8.
  if (const auto token = why.find("; last read"); token != std::string::npos) why.erase(token);
  const Bytes byte = kHeaderLengthBytes + static_cast<Bytes>(place) - (place > 0 ? 1 : 0);
  m_error = Error{ErrorCode::Invalid,
                  "the header is not valid JSON: " + why,
                  m_source + ", byte " + std::to_string(byte),
                  {},
                  {}};
  return false;
}

}  // namespace stagelane::checkpoint
