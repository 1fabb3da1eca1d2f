#pragma once

/// JSON with errors that name the place. `ObjectReader` reads one object key by key and reports
/// every key that was not read as unknown, so that a misspelled key is never silently ignored. Not
/// a schema validator.

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace stagelane {

using Json = nlohmann::ordered_json;

/// Parses text. An error names `source` (a path or "command line") and the byte offset. Duplicate
/// keys in an object are an error. @errors Invalid
[[nodiscard]] Result<Json> parseJson(std::string_view text, std::string_view source);

/// Reads and parses a file. @errors Invalid (absent, unreadable, malformed)
[[nodiscard]] Result<Json> readJsonFile(const std::string& path);

/// `pointer` + "/" + key with `~` and `/` escaped (RFC 6901).
[[nodiscard]] std::string childPointer(std::string_view pointer, std::string_view key);
[[nodiscard]] std::string childPointer(std::string_view pointer, std::size_t index);

/// Sets the value at an existing JSON pointer (`--set`). The new value is parsed as JSON, or taken
/// as a string if it is not valid JSON. @errors Usage (malformed pointer), Invalid (not found)
[[nodiscard]] Status setAtPointer(Json& document, std::string_view pointer,
                                  std::string_view valueText);

/// Reads the members of one object. `error()` keeps the first problem, after which all calls return
/// their defaults, so a reader checks once at the end with `finish()`.
class ObjectReader {
 public:
  /// `pointer` is the path of `object` in its document, "" for the root.
  ObjectReader(const Json& object, std::string pointer);

  [[nodiscard]] bool has(const std::string& key);
  /// The raw member, null when absent. Marks the key as known.
  [[nodiscard]] const Json* raw(const std::string& key);

  [[nodiscard]] std::string text(const std::string& key, std::optional<std::string> fallback = {});
  [[nodiscard]] std::int64_t integer(const std::string& key,
                                     std::optional<std::int64_t> fallback = {});
  [[nodiscard]] double number(const std::string& key, std::optional<double> fallback = {});
  [[nodiscard]] bool boolean(const std::string& key, std::optional<bool> fallback = {});
  [[nodiscard]] std::vector<std::int64_t> integers(
      const std::string& key, std::optional<std::vector<std::int64_t>> fallback = {});
  /// One of the words, else an error that lists them all.
  [[nodiscard]] std::string oneOf(const std::string& key,
                                  std::initializer_list<std::string_view> words,
                                  std::optional<std::string> fallback = {});

  /// Records a problem at `key` of this object (or at the object itself for "").
  void problem(const std::string& key, std::string message, std::string hint = {});
  [[nodiscard]] std::string pointerOf(const std::string& key) const;

  /// The first problem, or else the first unknown key (with the nearest known one as a hint).
  [[nodiscard]] Status finish();

 private:
  const Json& m_object;
  std::string m_pointer;
  std::set<std::string> m_known;
  std::optional<Error> m_error;
};

}  // namespace stagelane
