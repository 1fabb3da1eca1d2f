#pragma once

/// The small JSON files of a Hugging Face folder, which anybody may have written.

#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::checkpoint {

/// The text of a file of at most `mostBytes`. @errors Invalid
[[nodiscard]] Result<std::string> readSmallFile(const std::filesystem::path& path, Bytes mostBytes);

/// Parses an object. @errors Invalid with the byte: no object, malformed, or a key twice
[[nodiscard]] Result<Json> parseObject(std::string_view text, std::string_view source);

/// The members of these keys. Python's None, written as null, means absent.
[[nodiscard]] Json present(const Json& object, std::initializer_list<const char*> keys);

/// The error with the file in front of its JSON pointer.
[[nodiscard]] tl::unexpected<Error> inFile(Error error, std::string_view source);

}  // namespace stagelane::checkpoint
