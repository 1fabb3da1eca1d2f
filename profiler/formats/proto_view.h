#pragma once

/// protozero's reader, made safe for untrusted bytes: fields are read only by their wire type, and
/// others count as absent. Internal to profiler/formats.

#include <bit>
#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string_view>

namespace stagelane::formats::detail {

class ProtoView {
 public:
  explicit ProtoView(std::string_view bytes) : m_reader(bytes.data(), bytes.size()) {}

  /// @throws protozero::exception on malformed bytes
  [[nodiscard]] bool next() {
    if (m_pending) m_reader.skip();
    m_pending = m_reader.next();
    return m_pending;
  }
  [[nodiscard]] std::uint32_t field() const { return m_reader.tag(); }

  /// A number of any wire type; 0 for a text.
  [[nodiscard]] std::uint64_t number() {
    switch (m_reader.wire_type()) {
      case protozero::pbf_wire_type::varint: m_pending = false; return m_reader.get_uint64();
      case protozero::pbf_wire_type::fixed64: m_pending = false; return m_reader.get_fixed64();
      case protozero::pbf_wire_type::fixed32: m_pending = false; return m_reader.get_fixed32();
      default: return 0;
    }
  }
  [[nodiscard]] std::int64_t integer() { return static_cast<std::int64_t>(number()); }
  [[nodiscard]] double real() {
    return m_reader.wire_type() == protozero::pbf_wire_type::fixed64
               ? std::bit_cast<double>(number())
               : static_cast<double>(integer());
  }
  /// A text or message; empty for a number.
  [[nodiscard]] std::string_view bytes() {
    if (m_reader.wire_type() != protozero::pbf_wire_type::length_delimited) return {};
    m_pending = false;
    const protozero::data_view view = m_reader.get_view();
    return {view.data(), view.size()};
  }

 private:
  protozero::pbf_reader m_reader;
  bool m_pending = false;
};

}  // namespace stagelane::formats::detail
