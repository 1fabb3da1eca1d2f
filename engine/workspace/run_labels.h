#pragma once

/// User labels of a run: a star, tags, a note. Stored in `labels.json` of the run folder, so that
/// they are copied with it and do not depend on the index.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::workspace {

struct RunLabels {
  bool favourite = false;
  std::vector<std::string> tags;  ///< trimmed and unique
  std::string note;

  friend bool operator==(const RunLabels& left, const RunLabels& right) {
    return left.favourite == right.favourite && left.tags == right.tags && left.note == right.note;
  }
};

/// A partial change, because the run may be open in two windows: absent members stay unchanged.
struct LabelEdit {
  bool toggleFavourite = false;
  std::optional<std::vector<std::string>> tags = {};  ///< absent: unchanged
  std::optional<std::string> note = {};               ///< absent: unchanged
};

/// The file in a run folder.
[[nodiscard]] std::filesystem::path labelsFile(const std::filesystem::path& runFolder);
/// A missing or unreadable file means no labels.
[[nodiscard]] RunLabels readLabels(const std::filesystem::path& runFolder);
/// Atomic, even if the program is killed. @errors CannotWrite
[[nodiscard]] Status writeLabels(const std::filesystem::path& runFolder, const RunLabels& labels);

/// Changes the folder's current labels. Concurrent edits in other threads and processes wait for
/// each other. @errors CannotWrite @thread any, blocks for two seconds at most
[[nodiscard]] Status editLabels(const std::filesystem::path& runFolder, const LabelEdit& edit);

/// "slow, for the paper" → its tags: trimmed, without empty and repeated ones.
[[nodiscard]] std::vector<std::string> tagsFromText(std::string_view text);

[[nodiscard]] Json toJson(const RunLabels& labels);
/// Skips members with an invalid form.
[[nodiscard]] RunLabels labelsFromJson(const Json& json);

}  // namespace stagelane::workspace
