#include "engine/workspace/run_labels.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "engine/base/files.h"
#include "engine/base/find.h"

namespace stagelane::workspace {
namespace {

constexpr int kLabelsVersion = 1;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

void addTag(std::vector<std::string>& tags, std::string_view text) {
  const std::string tag(trimmed(text));
  if (!tag.empty() && !contains(tags, tag)) tags.push_back(tag);
}

/// Locks a folder's labels against other edits while alive. The lock is on the folder itself
/// (flock): it leaves no file, and the kernel releases it if the process is killed.
class LabelsLock {
 public:
  explicit LabelsLock(const std::filesystem::path& folder)
      : m_descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
  ~LabelsLock() {
    if (m_descriptor >= 0) ::close(m_descriptor);
  }
  LabelsLock(const LabelsLock&) = delete;
  LabelsLock& operator=(const LabelsLock&) = delete;

  /// Waits while another process holds the lock, with a time limit because that process may be
  /// stopped. Also true if the file system does not support locks.
  [[nodiscard]] bool wait() const {
    constexpr std::chrono::milliseconds kPatience{2000};
    constexpr std::chrono::milliseconds kPoll{2};
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (m_descriptor >= 0 && ::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) return true;
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(kPoll);
    }
    return true;
  }

 private:
  int m_descriptor;
};

}  // namespace

std::filesystem::path labelsFile(const std::filesystem::path& runFolder) {
  return runFolder / "labels.json";
}

RunLabels readLabels(const std::filesystem::path& runFolder) {
  const auto json = readJsonFile(labelsFile(runFolder).string());
  return json ? labelsFromJson(*json) : RunLabels{};
}

Status writeLabels(const std::filesystem::path& runFolder, const RunLabels& labels) {
  return writeFileAtomically(
      labelsFile(runFolder),
      toJson(labels).dump(1, ' ', false, Json::error_handler_t::replace) + "\n", Links::Replace);
}

Status editLabels(const std::filesystem::path& runFolder, const LabelEdit& edit) {
  const LabelsLock lock(runFolder);
  if (!lock.wait()) {
    return fail(ErrorCode::CannotWrite, "another program has locked the labels of this run",
                runFolder.string(),
                "try again, or end the stagelane process that does not respond");
  }
  RunLabels labels = readLabels(runFolder);
  labels.favourite = labels.favourite != edit.toggleFavourite;
  labels.tags = edit.tags.value_or(labels.tags);
  labels.note = edit.note.value_or(labels.note);
  return writeLabels(runFolder, labels);
}

std::vector<std::string> tagsFromText(std::string_view text) {
  std::vector<std::string> tags;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    addTag(tags, text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return tags;
}

Json toJson(const RunLabels& labels) {
  return {{"stagelane_labels", kLabelsVersion},
          {"favourite", labels.favourite},
          {"tags", labels.tags},
          {"note", labels.note}};
}

RunLabels labelsFromJson(const Json& json) {
  RunLabels labels;
  if (!json.is_object()) return labels;
  const auto member = [&json](const char* key) {
    const auto found = json.find(key);
    return found == json.end() ? Json() : *found;
  };
  const Json favourite = member("favourite");
  labels.favourite = favourite.is_boolean() && favourite.get<bool>();
  const Json tags = member("tags");
  for (std::size_t i = 0; tags.is_array() && i < tags.size(); ++i) {
    if (tags[i].is_string()) addTag(labels.tags, tags[i].get<std::string>());
  }
  const Json note = member("note");
  labels.note = note.is_string() ? note.get<std::string>() : std::string{};
  return labels;
}

}  // namespace stagelane::workspace
