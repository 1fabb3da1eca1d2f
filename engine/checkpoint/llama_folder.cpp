#include "engine/checkpoint/llama_folder.h"

#include <set>
#include <string_view>
#include <utility>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/json_object_file.h"
#include "engine/checkpoint/quoted_name.h"

namespace stagelane::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr Bytes kLargestConfig = 4 << 20;

std::string inBrackets(const std::vector<std::int64_t>& shape) { return Json(shape).dump(); }

Result<std::string> readConfigText(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    return fail(ErrorCode::Invalid, "the folder has no config.json", path.parent_path().string(),
                "Use a Hugging Face folder: config.json and the model's safetensors files");
  }
  return readSmallFile(path, kLargestConfig);
}

/// What generation_config.json states, if the folder has one.
Result<GenerationDefaults> readGeneration(const fs::path& folder, const std::string& config) {
  STAGELANE_TRY(document, parseObject(config, (folder / "config.json").string()));
  STAGELANE_TRY(general, readGenerationDefaults(*document, (folder / "config.json").string()));
  const fs::path path = folder / "generation_config.json";
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return general;
  STAGELANE_TRY(text, readSmallFile(path, kLargestConfig));
  STAGELANE_TRY(own, parseObject(*text, path.string()));
  STAGELANE_TRY(special, readGenerationDefaults(*own, path.string()));
  return combined(std::move(*special), *general);
}

tl::unexpected<Error> missing(const std::string& name, std::size_t count, const fs::path& folder) {
  const std::string more = count > 1 ? " and " + std::to_string(count - 1) + " more" : "";
  return fail(
      ErrorCode::Invalid,
      "the files have no tensor " + quotedName(name) + more + ", which config.json asks for",
      folder.string(), "Download the model again; weights are never filled in");
}

/// The stored tensor can be the weight.
Status checkWeight(const StoredTensor& tensor, const LlamaTensor& wanted) {
  const auto context = [&] {
    return tensor.file->path().string() + ", tensor " + quotedName(tensor.name);
  };
  if (tensor.shape != wanted.shape) {
    return fail(ErrorCode::Invalid,
                "the shape is " + inBrackets(tensor.shape) + ", but config.json asks for " +
                    inBrackets(wanted.shape),
                context());
  }
  if (!holdsWeights(tensor.type)) {
    return fail(ErrorCode::Invalid,
                "a weight cannot have the type " + std::string(word(tensor.type)), context(),
                "Use weights in F32, BF16, F16 or F64");
  }
  return {};
}

Result<std::vector<StoredTensor>> findWeights(const Checkpoint& checkpoint,
                                              const std::vector<LlamaTensor>& wanted) {
  std::vector<StoredTensor> weights;
  std::string firstMissing;
  std::size_t missingCount = 0;
  for (const LlamaTensor& each : wanted) {
    const StoredTensor* found = checkpoint.find(each.name);
    if (found == nullptr) {
      if (missingCount++ == 0) firstMissing = each.name;
      continue;
    }
    STAGELANE_CHECK(checkWeight(*found, each));
    weights.push_back(*found);
  }
  if (missingCount > 0) return missing(firstMissing, missingCount, checkpoint.folder);
  return weights;
}

bool isKnownUseless(std::string_view name, const LlamaConfig& config) {
  return name.ends_with(".rotary_emb.inv_freq") || (config.tiedHead && name == "lm_head.weight");
}

/// The names of tensors that the model does not use. Not using a bias of one of its layers would
/// change the results.
Result<std::vector<std::string>> findUnused(const Checkpoint& checkpoint,
                                            const std::vector<LlamaTensor>& wanted,
                                            const LlamaConfig& config) {
  std::set<std::string_view> used;
  for (const LlamaTensor& each : wanted) used.insert(each.name);
  std::vector<std::string> unused;
  for (const StoredTensor& tensor : checkpoint.tensors) {
    const std::string_view name = tensor.name;
    if (used.count(name) != 0 || isKnownUseless(name, config)) continue;
    if (name.ends_with(".bias") &&
        used.count(std::string(name.substr(0, name.rfind('.'))) + ".weight") != 0) {
      return fail(ErrorCode::Invalid, "the layer has a bias, but config.json says that it has none",
                  tensor.file->path().string() + ", tensor " + quotedName(name),
                  "Check attention_bias and mlp_bias in config.json");
    }
    unused.emplace_back(name);
  }
  return unused;
}

}  // namespace

Result<LlamaConfig> readLlamaConfig(const fs::path& folder) {
  const fs::path path = folder / "config.json";
  STAGELANE_TRY(text, readConfigText(path));
  return parseLlamaConfig(*text, path.string());
}

Result<LlamaFolder> openLlamaFolder(const fs::path& folder) {
  const fs::path path = folder / "config.json";
  STAGELANE_TRY(text, readConfigText(path));
  STAGELANE_TRY(config, parseLlamaConfig(*text, path.string()));
  STAGELANE_TRY(generation, readGeneration(folder, *text));
  STAGELANE_TRY(checkpoint, openCheckpoint(folder));
  const std::vector<LlamaTensor> wanted = llamaTensors(*config);
  STAGELANE_TRY(weights, findWeights(*checkpoint, wanted));
  STAGELANE_TRY(unused, findUnused(*checkpoint, wanted, *config));
  return LlamaFolder{folder, std::move(*config), std::move(*generation), std::move(*weights),
                     std::move(*unused)};
}

}  // namespace stagelane::checkpoint
