#include "engine/checkpoint/checkpoint.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/checkpoint/json_object_file.h"
#include "engine/checkpoint/quoted_name.h"
#include "engine/checkpoint/safetensors.h"

namespace stagelane::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhole = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr Bytes kLargestIndex = 64 << 20;

/// Tensor name → file name of its shard.
using WeightMap = std::map<std::string, std::string>;

/// Also of a broken link, so that its error names it.
bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool isPlainFileName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
}

/// The place of a tensor in the index.
std::string entry(const fs::path& folder, const std::string& tensor) {
  return (folder / kIndex).string() + ", " + childPointer("/weight_map", tensor);
}

tl::unexpected<Error> noWeights(const fs::path& folder) {
  const bool pickled =
      isThere(folder / "pytorch_model.bin") || isThere(folder / "pytorch_model.bin.index.json");
  return fail(ErrorCode::Invalid,
              std::string("the folder has no weights: neither ") + kWhole + " nor " + kIndex,
              folder.string(),
              pickled ? "Convert pytorch_model.bin to safetensors; pickled weights are not read"
                      : "Download the model's safetensors files");
}

Result<WeightMap> readIndex(const fs::path& folder) {
  const std::string source = (folder / kIndex).string();
  STAGELANE_TRY(text, readSmallFile(folder / kIndex, kLargestIndex));
  STAGELANE_TRY(document, parseObject(*text, source));
  const auto map = document->find("weight_map");
  if (map == document->end() || !map->is_object()) {
    return fail(ErrorCode::Invalid, "expected an object that maps tensors to files",
                source + ", /weight_map");
  }
  WeightMap shards;
  for (const auto& [tensor, shard] : map->items()) {
    if (!shard.is_string()) {
      return fail(ErrorCode::Invalid, "expected a file name", entry(folder, tensor));
    }
    const auto& file = shard.get_ref<const std::string&>();
    if (!isPlainFileName(file)) {
      return fail(ErrorCode::Invalid,
                  "a shard must be a file of the folder, not " + quotedName(file),
                  entry(folder, tensor), "Use file names without a path");
    }
    shards.emplace(tensor, file);
  }
  return shards;
}

/// The index and the shard agree on the tensor.
Status checkIndexed(const StoredTensor& tensor, const std::string& shard, const WeightMap& index,
                    const fs::path& folder) {
  const auto listed = index.find(tensor.name);
  if (listed == index.end()) {
    return fail(ErrorCode::Invalid,
                "the index does not list tensor " + quotedName(tensor.name) + " of " + shard,
                (folder / kIndex).string(), "Download the index and the shards again");
  }
  if (listed->second != shard) {
    return fail(ErrorCode::Invalid,
                "the index says that tensor " + quotedName(tensor.name) + " is in " +
                    quotedName(listed->second) + ", but it is in " + shard,
                entry(folder, tensor.name), "Download the index and the shards again");
  }
  return {};
}

Result<std::vector<StoredTensor>> openShards(const fs::path& folder, const WeightMap& index) {
  std::set<std::string> shards;
  for (const auto& [tensor, shard] : index) shards.insert(shard);
  std::vector<StoredTensor> tensors;
  for (const std::string& shard : shards) {
    STAGELANE_TRY(opened, openSafetensors(folder / shard));
    for (const StoredTensor& tensor : *opened) {
      STAGELANE_CHECK(checkIndexed(tensor, shard, index, folder));
    }
    std::move(opened->begin(), opened->end(), std::back_inserter(tensors));
  }
  return tensors;
}

/// Every tensor of the index is in its shard.
Status checkComplete(const Checkpoint& checkpoint, const WeightMap& index) {
  for (const auto& [tensor, shard] : index) {
    if (checkpoint.find(tensor) != nullptr) continue;
    return fail(
        ErrorCode::Invalid,
        "the index lists tensor " + quotedName(tensor) + ", but " + shard + " does not have it",
        entry(checkpoint.folder, tensor), "Download the index and the shards again");
  }
  return {};
}

Checkpoint checkpointOf(const fs::path& folder, std::vector<StoredTensor> tensors) {
  std::sort(tensors.begin(), tensors.end(), [](const StoredTensor& one, const StoredTensor& other) {
    return one.name < other.name;
  });
  return {folder, std::move(tensors)};
}

}  // namespace

const StoredTensor* Checkpoint::find(std::string_view name) const {
  const auto found = std::lower_bound(
      tensors.begin(), tensors.end(), name,
      [](const StoredTensor& tensor, std::string_view wanted) { return tensor.name < wanted; });
  return found != tensors.end() && found->name == name ? &*found : nullptr;
}

Result<Checkpoint> openCheckpoint(const fs::path& folder) {
  if (isThere(folder / kWhole)) {
    STAGELANE_TRY(tensors, openSafetensors(folder / kWhole));
    return checkpointOf(folder, std::move(*tensors));
  }
  if (!isThere(folder / kIndex)) return noWeights(folder);
  STAGELANE_TRY(index, readIndex(folder));
  STAGELANE_TRY(tensors, openShards(folder, *index));
  Checkpoint checkpoint = checkpointOf(folder, std::move(*tensors));
  STAGELANE_CHECK(checkComplete(checkpoint, *index));
  return checkpoint;
}

}  // namespace stagelane::checkpoint
