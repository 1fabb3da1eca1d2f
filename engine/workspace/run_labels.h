#pragma once

/// What a person says about a run: a star, tags, a note. Kept in `labels.json` of the run folder,
/// so that it travels with a copy and survives the index, which only repeats it.

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
  std::vector<std::string> tags;  ///< without blanks around them, none twice
  std::string note;

  friend bool operator==(const RunLabels& left, const RunLabels& right) {
    return left.favourite == right.favourite && left.tags == right.tags && left.note == right.note;
  }
};

/// A change that leaves what it does not name as it is: the run may be open in two windows.
struct LabelEdit {
  bool toggleFavourite = false;
  std::optional<std::vector<std::string>> tags = {};  ///< nothing: they stay
  std::optional<std::string> note = {};               ///< nothing: it stays
};

/// The file in a run folder.
[[nodiscard]] std::filesystem::path labelsFile(const std::filesystem::path& runFolder);
/// No file, or one that cannot be read: no labels.
[[nodiscard]] RunLabels readLabels(const std::filesystem::path& runFolder);
/// Old labels or new ones, whenever the program is killed. @errors CannotWrite
[[nodiscard]] Status writeLabels(const std::filesystem::path& runFolder, const RunLabels& labels);

/// Changes the labels that the folder has now, whoever wrote them; edits in other threads and
/// processes wait for each other. @errors CannotWrite @thread any, blocks for two seconds at most
[[nodiscard]] Status editLabels(const std::filesystem::path& runFolder, const LabelEdit& edit);

/// "slow, for the paper" → its tags: blanks trimmed, empty and repeated ones left out.
[[nodiscard]] std::vector<std::string> tagsFromText(std::string_view text);

[[nodiscard]] Json toJson(const RunLabels& labels);
/// What does not have the right form is left out.
[[nodiscard]] RunLabels labelsFromJson(const Json& json);

}  // namespace stagelane::workspace
