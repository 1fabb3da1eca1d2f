#pragma once

/// Converts values and columns to bytes and back, with a checksum per column. Does not trust the
/// file: checks lengths against its size before allocating. Internal to profiler/formats.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "profiler/formats/byte_source.h"

namespace stagelane::formats::detail {

/// Not cryptographic; only detects damage.
[[nodiscard]] std::uint64_t checksum(std::string_view bytes);

class CacheWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit CacheWriter(Sink sink) : m_sink(std::move(sink)) {}

  template <class T>
  void value(const T& value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, double>);
    m_sink({reinterpret_cast<const char*>(&value), sizeof value});  // NOLINT
  }
  template <class T>
  void column(const std::vector<T>& column) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, double>);
    const std::string_view bytes(reinterpret_cast<const char*>(column.data()),  // NOLINT
                                 column.size() * sizeof(T));
    value<std::uint64_t>(column.size());
    value(checksum(bytes));
    m_sink(bytes);
  }
  void text(std::string_view text) {
    value<std::uint64_t>(text.size());
    m_sink(text);
  }

 private:
  Sink m_sink;
};

class CacheReader {
 public:
  CacheReader(ByteSource& source, std::uint64_t bytes) : m_source(source), m_left(bytes) {}

  /// False after the first value that did not fit.
  [[nodiscard]] bool good() const { return m_good; }
  [[nodiscard]] bool atEnd() const { return m_good && m_left == 0; }

  template <class T>
  [[nodiscard]] T value() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    take(reinterpret_cast<char*>(&value), sizeof value);  // NOLINT
    return value;
  }
  template <class T>
  void column(std::vector<T>& column) {
    const auto count = value<std::uint64_t>();
    const auto expected = value<std::uint64_t>();
    if (!fits(count, sizeof(T))) return;
    column.resize(static_cast<std::size_t>(count));
    char* const bytes = reinterpret_cast<char*>(column.data());  // NOLINT
    take(bytes, column.size() * sizeof(T));
    m_good = m_good && checksum({bytes, column.size() * sizeof(T)}) == expected;
  }
  [[nodiscard]] std::string text();
  /// Reads a count of items of at least `bytes` each; 0 if they do not fit the rest of the file.
  [[nodiscard]] std::uint64_t count(std::uint64_t bytes);

 private:
  bool fits(std::uint64_t count, std::uint64_t bytes) {
    m_good = m_good && count <= m_left / bytes;
    return m_good;
  }
  void take(char* bytes, std::size_t size);

  ByteSource& m_source;
  std::uint64_t m_left;
  bool m_good = true;
};

}  // namespace stagelane::formats::detail
