#include "engine/checkpoint/hub_cache.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "engine/base/text.h"
#include "engine/checkpoint/json_object_file.h"

namespace stagelane::checkpoint {
namespace {

namespace fs = std::filesystem;

/// `~` and `~/x` are in the home folder.
fs::path expanded(const std::string& path, const Environment& environment) {
  if (path != "~" && path.substr(0, 2) != "~/") return path;
  return fs::path(environment("HOME")) / (path.size() > 2 ? path.substr(2) : "");
}

bool isFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool isPlainName(std::string_view name) {
  const auto isAllowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), isAllowed) && name.front() != '.' &&
         name.front() != '-';
}

/// `models--org--name`, or "" if no model on the Hub can have this name.
std::string cacheEntry(const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string organization = slash == std::string::npos ? "" : name.substr(0, slash);
  const std::string model = slash == std::string::npos ? name : name.substr(slash + 1);
  if (!isPlainName(model) || (slash != std::string::npos && !isPlainName(organization))) return {};
  return "models--" + (organization.empty() ? "" : organization + "--") + model;
}

std::vector<std::string> foldersIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator each(folder, problem), end; !problem && each != end;
       each.increment(problem)) {
    if (isFolder(each->path())) names.push_back(each->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The snapshot of the revision `main`; without that reference, the only one.
Result<fs::path> snapshotIn(const fs::path& entry, const std::string& name) {
  const fs::path reference = entry / "refs" / "main";
  std::error_code ignored;
  if (fs::exists(reference, ignored)) {
    constexpr Bytes kLongestReference = 4096;
    STAGELANE_TRY(text, readSmallFile(reference, kLongestReference));
    const std::string revision = text->substr(0, text->find_first_of(" \t\r\n"));
    const fs::path snapshot = entry / "snapshots" / revision;
    if (isPlainName(revision) && isFolder(snapshot)) return snapshot;
    return fail(ErrorCode::Invalid, "the cache has no snapshot of the revision that it names main",
                reference.string(), "Download it again: hf download " + name);
  }
  const std::vector<std::string> snapshots = foldersIn(entry / "snapshots");
  if (snapshots.size() == 1) return entry / "snapshots" / snapshots.front();
  return fail(ErrorCode::Invalid,
              snapshots.empty()
                  ? "the cache has no snapshot of " + name
                  : "the cache has several snapshots of " + name + ": " + joined(snapshots),
              (entry / "snapshots").string(),
              snapshots.empty() ? "Download it: hf download " + name
                                : "Use the path of one of these folders as the model");
}

}  // namespace

std::string processEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path hubCacheFolder(const Environment& environment) {
  for (const char* variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}) {
    if (const std::string path = environment(variable); !path.empty()) {
      return expanded(path, environment);
    }
  }
  if (const std::string home = environment("HF_HOME"); !home.empty()) {
    return expanded(home, environment) / "hub";
  }
  const std::string cache = environment("XDG_CACHE_HOME");
  return expanded(cache.empty() ? "~/.cache" : cache, environment) / "huggingface" / "hub";
}

Result<fs::path> locateModel(const std::string& name, const fs::path& baseFolder,
                             const Environment& environment) {
  if (name.empty() || name.find('\0') != std::string::npos) {
    return fail(ErrorCode::Invalid, "expected a folder or the name of a model");
  }
  const fs::path folder = baseFolder / expanded(name, environment);
  if (isFolder(folder)) return folder;
  std::error_code ignored;
  if (fs::exists(folder, ignored)) {
    return fail(ErrorCode::Invalid, "is not a folder", folder.string(),
                "Use the folder that has the model's config.json");
  }
  std::vector<std::string> tried{folder.string()};
  if (const std::string entry = cacheEntry(name); !entry.empty()) {
    const fs::path cached = hubCacheFolder(environment) / entry;
    if (isFolder(cached)) return snapshotIn(cached, name);
    tried.push_back(cached.string());
  }
  return fail(ErrorCode::Invalid, "no model \"" + name + "\" here; folders tried: " + joined(tried),
              {},
              tried.size() == 1 ? "Check the path"
                                : "Download it: hf download " + name + " (Stagelane does not)");
}

}  // namespace stagelane::checkpoint
