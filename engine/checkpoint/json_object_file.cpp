#include "engine/checkpoint/json_object_file.h"

#include <string>
#include <utility>

#include "engine/base/files.h"
#include "engine/base/text.h"

namespace stagelane::checkpoint {

Result<std::string> readSmallFile(const std::filesystem::path& path, Bytes mostBytes) {
  std::error_code ignored;
  const auto bytes = std::filesystem::file_size(path, ignored);
  if (!ignored && bytes > static_cast<std::uintmax_t>(mostBytes)) {
    return fail(ErrorCode::Invalid,
                "the file has " + humanBytes(static_cast<Bytes>(bytes)) +
                    ", which is too large for such a file; expected at most " +
                    humanBytes(mostBytes),
                path.string());
  }
  return readFile(path);
}

Result<Json> parseObject(std::string_view text, std::string_view source) {
  STAGELANE_TRY(document, parseJson(text, source));
  if (!document->is_object()) {
    return fail(ErrorCode::Invalid, "expected a JSON object", std::string(source));
  }
  return document;
}

Json present(const Json& object, std::initializer_list<const char*> keys) {
  Json members = Json::object();
  for (const char* key : keys) {
    const auto found = object.find(key);
    if (found != object.end() && !found->is_null()) members[key] = *found;
  }
  return members;
}

tl::unexpected<Error> inFile(Error error, std::string_view source) {
  error.context = std::string(source) + (error.context.empty() ? "" : ", ") + error.context;
  return tl::make_unexpected(std::move(error));
}

}  // namespace stagelane::checkpoint
