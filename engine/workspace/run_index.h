#pragma once

/// The history of runs: a SQLite file (`stagelane.db`, WAL) that lists the run folders with what a
/// table of them shows. It holds nothing that the folders do not, except the numbers by which
/// people call runs, so it can be rebuilt from them at any time, and done without.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/record/run_record.h"
#include "engine/workspace/run_labels.h"

namespace stagelane::workspace {

/// The variant that a run is known by: the fastest of those that have all their repeats.
struct BestVariant {
  std::string id;                  ///< "" where nothing was measured
  double speedup = 0.0;            ///< 0: not known
  double meanS = 0.0, stdS = 0.0;  ///< of its repeats, all batches
  int repeats = 0;
  int devices = 0;                        ///< that it works on
  std::optional<double> predictionError;  ///< (predicted − measured) / measured
  std::string name{};                     ///< for people
  friend bool operator==(const BestVariant&, const BestVariant&) = default;
};

struct RunEntry {
  int number = 0;  ///< counts up; stays with the folder
  std::string folder;
  std::string name;
  std::string model;      ///< zoo name, or the file's name
  std::string status;     ///< running, done, failed, canceled
  std::string reason;     ///< of a failure, in words
  std::string startedAt;  ///< ISO 8601, local
  std::string devices;    ///< comma separated
  std::string words;      ///< names of variants and schedules, for the search
  int variants = 0;
  int repeatsDone = 0;  ///< of the variant with the most repeats
  int repeatsAsked = 0;
  BestVariant best;
  std::string gradients;  ///< `bit-equal`, `match`, `differ`, "" where nothing was checked
  bool noisy = false;     ///< the best variant's repeats vary by more than 5 %
  Bytes sizeBytes = 0;    ///< of the folder
  RunLabels labels;
  std::optional<Failure> failure{};  ///< the reason in codes
  std::string unreadable{};  ///< why the folder cannot be read now: this is what was known of it
  friend bool operator==(const RunEntry&, const RunEntry&) = default;
};

/// What `stagelane runs --json` prints of it (docs/reference/json.md).
[[nodiscard]] Json toJson(const RunEntry& entry);

/// Called after each folder that was read; answering false stops. @thread the caller's of the work
using IndexProgress = std::function<bool(std::size_t done, std::size_t of)>;

/// Folder → why it cannot be read.
using UnreadableFolders = std::map<std::string, std::string>;

/// @thread one
class RunIndex {
 public:
  /// Makes the database where there is none. One that is damaged, now or found so later, is made
  /// again from the folders; where the disk does not take one, the index is in memory, and
  /// `problem` says why. @errors CannotWrite (another program does not let go of it)
  [[nodiscard]] static Result<std::unique_ptr<RunIndex>> open(
      const std::filesystem::path& workspace);
  RunIndex() = default;
  RunIndex(const RunIndex&) = delete;
  RunIndex& operator=(const RunIndex&) = delete;
  virtual ~RunIndex() = default;
  /// Why it is not kept on the disk, and what to do; nothing where it is.
  [[nodiscard]] virtual const std::optional<Error>& problem() const = 0;
  /// Reads the folder, wherever it is, and stores or replaces its entry. @errors Invalid (no run
  /// folder), CannotWrite
  [[nodiscard]] virtual Status put(const std::filesystem::path& folder) = 0;
  /// Leaves the entry out; the folder stays as it is. @errors CannotWrite
  [[nodiscard]] virtual Status forget(const std::filesystem::path& folder) = 0;
  [[nodiscard]] virtual Result<std::vector<RunEntry>> list() = 0;  ///< newest first
  /// Folders that the last `refresh` or `rebuild` found and could not read. Those that were
  /// listed before still are, with what was known of them.
  [[nodiscard]] virtual const UnreadableFolders& unreadable() const = 0;
  /// Adds folders of the workspace that are new or changed, drops those that are gone.
  [[nodiscard]] virtual Status refresh(const IndexProgress& progress = {}) = 0;
  /// From the folders alone: those of the workspace, and indexed ones elsewhere that still exist.
  /// Stopped, it leaves the index as it was.
  [[nodiscard]] virtual Status rebuild(const IndexProgress& progress = {}) = 0;
};

/// Folders of runs in which nothing has been said yet: programs that have just started fill them.
[[nodiscard]] std::vector<std::filesystem::path> foldersToBegin(
    const std::filesystem::path& workspace);

}  // namespace stagelane::workspace
