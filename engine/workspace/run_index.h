#pragma once

/// The history of runs: a SQLite file (`stagelane.db`, WAL) with the columns of the run table.
/// Except for the run numbers, it holds only data from the run folders, so it can be rebuilt at any
/// time and is optional.

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

/// The variant that represents a run: the fastest one with all its repeats.
struct BestVariant {
  std::string id;                  ///< "" if nothing was measured
  double speedup = 0.0;            ///< 0: unknown
  double meanS = 0.0, stdS = 0.0;  ///< of its repeats, all batches
  int repeats = 0;
  int devices = 0;                        ///< number of devices it uses
  std::optional<double> predictionError;  ///< (predicted − measured) / measured
  std::string name{};                     ///< display name
  friend bool operator==(const BestVariant&, const BestVariant&) = default;
};

struct RunEntry {
  int number = 0;  ///< counts up; stays with the folder
  std::string folder;
  std::string name;
  std::string model;      ///< zoo name, or the file's name
  std::string status;     ///< running, done, failed, canceled
  std::string reason;     ///< of a failure, as text
  std::string startedAt;  ///< ISO 8601, local
  std::string devices;    ///< comma separated
  std::string words;      ///< names of variants and schedules, for the search
  int variants = 0;
  int repeatsDone = 0;  ///< of the variant with the most repeats
  int repeatsAsked = 0;
  BestVariant best;
  std::string gradients;  ///< `bit-equal`, `match`, `differ`, "" if nothing was checked
  bool noisy = false;     ///< the best variant's repeats vary by more than 5 %
  Bytes sizeBytes = 0;    ///< of the folder
  RunLabels labels;
  std::optional<Failure> failure{};  ///< the reason as codes
  std::string unreadable{};  ///< why the folder cannot be read now; the entry is the last known one
  friend bool operator==(const RunEntry&, const RunEntry&) = default;
};

/// The output of `stagelane runs --json` for a run (docs/reference/json.md).
[[nodiscard]] Json toJson(const RunEntry& entry);

/// Called after each folder that was read; returning false stops. @thread the caller's
using IndexProgress = std::function<bool(std::size_t done, std::size_t of)>;

/// Folder → why it cannot be read.
using UnreadableFolders = std::map<std::string, std::string>;

/// @thread one
class RunIndex {
 public:
  /// Creates the database if it does not exist. A damaged database, now or later, is rebuilt from
  /// the folders; if the disk is not writable, the index is in memory and `problem` states the
  /// reason. @errors CannotWrite (another program keeps it locked)
  [[nodiscard]] static Result<std::unique_ptr<RunIndex>> open(
      const std::filesystem::path& workspace);
  RunIndex() = default;
  RunIndex(const RunIndex&) = delete;
  RunIndex& operator=(const RunIndex&) = delete;
  virtual ~RunIndex() = default;
  /// Why it is not stored on disk, and what to do; empty if it is.
  [[nodiscard]] virtual const std::optional<Error>& problem() const = 0;
  /// Reads the folder, wherever it is, and stores or replaces its entry. @errors Invalid (not a run
  /// folder), CannotWrite
  [[nodiscard]] virtual Status put(const std::filesystem::path& folder) = 0;
  /// Removes the entry, not the folder. @errors CannotWrite
  [[nodiscard]] virtual Status forget(const std::filesystem::path& folder) = 0;
  [[nodiscard]] virtual Result<std::vector<RunEntry>> list() = 0;  ///< newest first
  /// Folders that the last `refresh` or `rebuild` could not read. Those already listed keep their
  /// last known entry.
  [[nodiscard]] virtual const UnreadableFolders& unreadable() const = 0;
  /// Adds new and changed folders of the workspace, and drops deleted ones.
  [[nodiscard]] virtual Status refresh(const IndexProgress& progress = {}) = 0;
  /// Rebuilds from the folders: those of the workspace, and indexed ones elsewhere that still
  /// exist. If stopped, the index is unchanged.
  [[nodiscard]] virtual Status rebuild(const IndexProgress& progress = {}) = 0;
};

/// Folders of runs without any event yet, which programs that just started will fill.
[[nodiscard]] std::vector<std::filesystem::path> foldersToBegin(
    const std::filesystem::path& workspace);

}  // namespace stagelane::workspace
