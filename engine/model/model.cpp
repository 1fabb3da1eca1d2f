#include "engine/model/model.h"

#include <algorithm>
#include <filesystem>

#include "engine/model/layer_list.h"
#include "engine/model/zoo.h"

namespace stagelane::model {
namespace {

constexpr const char* kFormHint =
    R"(Write {"zoo": "resnet50"}, {"file": "model.json"} or {"layers": [...]})";

/// Which form a definition has. @errors Invalid if it has none or several
Result<std::string> formOf(const Json& definition, const std::string& pointer) {
  const std::string place = pointer.empty() ? "/" : pointer;
  if (!definition.is_object()) {
    return fail(ErrorCode::Invalid, "a model must be an object", place, kFormHint);
  }
  std::string form;
  for (const char* key : {"zoo", "file", "layers"}) {
    if (!definition.contains(key)) continue;
    // In a zoo model, "layers" may be a size.
    if (form == "zoo" && !definition.at(key).is_array() && std::string(key) == "layers") continue;
    if (!form.empty()) {
      return fail(ErrorCode::Invalid, "a model has both \"" + form + "\" and \"" + key + "\"",
                  place, "Keep one of them");
    }
    form = key;
  }
  if (form.empty()) {
    return fail(ErrorCode::Invalid, "a model needs \"zoo\", \"file\" or \"layers\"", place,
                kFormHint);
  }
  if (definition.contains("weights")) {
    return fail(ErrorCode::Invalid, "reading weights is not available in this version",
                childPointer(pointer, "weights"), "Remove the key");
  }
  return form;
}

/// Reads a model file; places inside it read `PATH#/layers/0`.
Result<ModelPtr> modelFromFile(const std::filesystem::path& path) {
  STAGELANE_TRY(document, readJsonFile(path.string()));
  const std::string pointer = path.string() + "#";
  STAGELANE_TRY(form, formOf(*document, pointer));
  if (*form == "zoo") return detail::buildFromZoo(*document, pointer);
  if (*form == "layers") return detail::buildFromLayers(*document, pointer, path.stem().string());
  return fail(ErrorCode::Invalid, "a model file cannot name another file",
              childPointer(pointer, "file"), "Use \"layers\" in the model file");
}

}  // namespace

std::optional<BlockId> Model::blockNamed(const std::string& wanted) const {
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [&wanted](const Block& block) { return block.name == wanted; });
  if (found == blocks.end()) return std::nullopt;
  return BlockId{static_cast<std::int32_t>(found - blocks.begin())};
}

const std::string& Model::ownerOf(const std::string& tensor) const {
  const auto tied = ties.find(tensor);
  return tied == ties.end() ? tensor : tied->second;
}

Result<ModelPtr> buildModel(const Json& definition, const std::string& pointer,
                            const std::string& baseFolder) {
  STAGELANE_TRY(form, formOf(definition, pointer));
  if (*form == "zoo") return detail::buildFromZoo(definition, pointer);
  if (*form == "layers") return detail::buildFromLayers(definition, pointer, detail::kUnnamed);
  ObjectReader reader(definition, pointer);
  const std::filesystem::path file = reader.text("file");
  if (file.empty()) reader.problem("file", "must not be empty");
  STAGELANE_CHECK(reader.finish());
  return modelFromFile(file.is_absolute() ? file : std::filesystem::path(baseFolder) / file);
}

Result<ModelPtr> modelFromArgument(const std::string& nameOrPath) {
  const auto& entries = zoo();
  const bool isName =
      std::any_of(entries.begin(), entries.end(),
                  [&nameOrPath](const ZooEntry& entry) { return entry.name == nameOrPath; });
  if (isName) return detail::buildFromZoo(Json{{"zoo", nameOrPath}}, "");
  std::error_code ignored;
  if (std::filesystem::exists(nameOrPath, ignored)) return modelFromFile(nameOrPath);
  std::string list;
  for (const ZooEntry& entry : entries) list += (list.empty() ? "" : ", ") + entry.name;
  return fail(ErrorCode::Invalid, "\"" + nameOrPath + "\" is neither a known model nor a file", "",
              "Use the path of a JSON file or one of: " + list);
}

}  // namespace stagelane::model
