#pragma once

/// Reads the JSON of a safetensors header event by event, and stops at the first one that the
/// format does not allow. No document is built, so a hostile header costs no more memory than the
/// tensors that it describes.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/base/json.h"
#include "engine/checkpoint/safetensors_header.h"

namespace stagelane::checkpoint {

class HeaderReader {
 public:
  /// The data has `dataBytes` and begins at `dataStart`.
  HeaderReader(Bytes dataStart, Bytes dataBytes, std::string_view source)
      : m_dataStart(dataStart), m_dataBytes(dataBytes), m_source(source) {}

  /// The tensors in the order of the header. Call once. @errors Invalid with the byte or the tensor
  [[nodiscard]] Result<std::vector<HeaderTensor>> read(std::string_view header);

  // The library calls these functions, by these names.
  // NOLINTBEGIN(readability-identifier-naming)
  bool null() { return unexpected("null"); }
  bool boolean(bool value) { return unexpected(value ? "true" : "false"); }
  bool number_integer(Json::number_integer_t value) { return unexpected(std::to_string(value)); }
  bool number_unsigned(Json::number_unsigned_t value);
  bool number_float(Json::number_float_t, const std::string& text) { return unexpected(text); }
  bool string(std::string& value);
  bool binary(Json::binary_t&) { return false; }  // not in text
  bool start_object(std::size_t);
  bool key(std::string& key);
  bool end_object();
  bool start_array(std::size_t);
  bool end_array();
  bool parse_error(std::size_t place, const std::string&, const Json::exception& problem);
  // NOLINTEND(readability-identifier-naming)

 private:
  /// What the next event belongs to.
  enum class Place {
    Header,       ///< the value of the whole header
    Names,        ///< the header's members
    Metadata,     ///< the value of __metadata__
    Texts,        ///< the members of __metadata__
    Tensor,       ///< the value of a tensor's name
    Members,      ///< the members of a tensor
    Type,         ///< the value of dtype
    ShapeList,    ///< the value of shape
    Shape,        ///< its numbers
    OffsetsList,  ///< the value of data_offsets
    Offsets,      ///< its numbers
    End,
  };

  bool refuse(std::string message);
  [[nodiscard]] std::string_view expected() const;
  bool unexpected(std::string_view found);
  bool nameKey(std::string& key);
  bool memberKey(std::string_view key);
  bool endTensor();

  Bytes m_dataStart;
  Bytes m_dataBytes;
  std::string m_source;
  Place m_place = Place::Header;
  std::vector<HeaderTensor> m_tensors;
  std::vector<Bytes> m_offsets;  ///< data_offsets of the current tensor
  std::unordered_set<std::string> m_names;
  std::unordered_set<std::string> m_keys;  ///< of the current tensor, or of __metadata__
  std::optional<Error> m_error;
};

}  // namespace stagelane::checkpoint
