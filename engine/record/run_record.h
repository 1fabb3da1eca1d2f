#pragma once

/// A run as data: what `events.jsonl` says, folded into what `result.json` shows. Both programs
/// write and rebuild the same way; a folder without a final event reads as failed (or canceled after
/// SIGTERM). No torch, no Qt.

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::record {

enum class RunStatus { Running, Done, Failed, Canceled, NotRun };
[[nodiscard]] std::string_view word(RunStatus status);
[[nodiscard]] std::optional<RunStatus> runStatusFromWord(std::string_view text);

struct DeviceResult {
  std::string id;
  TimeNs busyNs = 0;
  double utilisation = 0.0;                    ///< 0 … 1
  std::map<std::string, TimeNs> idle;          ///< cause word → ns, all seven causes
  std::map<std::string, TimeNs> starvedBy;     ///< device → ns
  Bytes transferBytes = 0;
  Bytes peakBytes = 0;
};
struct BoundResult {
  TimeNs stepNs = 0;
  TimeNs perfectCutStepNs = 0;
  double speedup = 0.0;
};
struct GradientCheckResult {
  bool bitEqual = false;
  double maxRelError = 0.0;
  std::string reference;                       ///< what it was compared with, in words
  std::optional<double> fullBatchError;
};
struct CaptureResult {
  std::int64_t events = 0;
  std::int64_t dropped = 0;
  std::optional<double> overheadPct;
};
struct PredictedResult {
  std::string basis;
  TimeNs stepNs = 0;
  std::vector<DeviceResult> devices;
  double error = 0.0;                          ///< (predicted − measured) / measured
};

/// One variant's part of result.json; optional members are left out of the JSON when absent.
struct VariantResult {
  std::string id, name, strategy, schedule;
  std::int64_t splitSize = 0;
  Json placement;
  RunStatus status = RunStatus::Running;
  std::string reason;
  std::vector<double> seconds;                 ///< wall time of each repeat, all its batches
  double meanS = 0.0, stdS = 0.0, medianS = 0.0;
  std::optional<double> speedup;
  std::string speedupBase;                     ///< id of the base
  std::optional<double> speedupAllCores;
  std::optional<BoundResult> bound;
  std::vector<double> loss;
  TimeNs stepNs = 0;                           ///< median step
  std::vector<DeviceResult> devices;
  std::optional<PredictedResult> predicted;
  std::optional<GradientCheckResult> gradientCheck;
  std::optional<CaptureResult> capture;
  bool noisy = false;
};

struct RunResult {
  std::string name;
  RunStatus status = RunStatus::Running;
  std::string reason;
  std::string timing;                          ///< `steady` or `tutorial`
  std::string folder;
  std::vector<std::string> devices;
  std::vector<VariantResult> variants;
};

[[nodiscard]] Json toJson(const VariantResult& result);
[[nodiscard]] Json toJson(const RunResult& result);
[[nodiscard]] Result<VariantResult> variantResultFromJson(const Json& json);
[[nodiscard]] Result<RunResult> runResultFromJson(const Json& json);

/// Folds event lines into a result. Feed lines in order; unknown events are ignored.
class EventFold {
 public:
  void apply(const Json& event);
  /// The result so far; a fold without a final event has status Running.
  [[nodiscard]] const RunResult& result() const { return m_result; }
  /// What whoever opens a folder shows when no final event came: failed, or canceled after SIGTERM.
  [[nodiscard]] RunResult closed() const;

 private:
  RunResult m_result;
  bool m_final = false;
};

/// The files of a run folder.
struct RunFolder {
  std::filesystem::path root;
  [[nodiscard]] std::filesystem::path experiment() const { return root / "experiment.json"; }
  [[nodiscard]] std::filesystem::path environment() const { return root / "environment.json"; }
  [[nodiscard]] std::filesystem::path events() const { return root / "events.jsonl"; }
  [[nodiscard]] std::filesystem::path result() const { return root / "result.json"; }
  [[nodiscard]] std::filesystem::path traces() const { return root / "traces"; }
  [[nodiscard]] std::filesystem::path trace(const std::string& variant) const {
    return traces() / (variant + ".pftrace");
  }
  [[nodiscard]] std::filesystem::path log() const { return root / "engine.log"; }
};

/// Reads a run folder: rebuilds result.json from the events when it is missing, stale or the run
/// was cut short. A damaged last line is dropped. @errors Invalid (no run folder), CannotWrite is not
/// an error here (the rebuilt result is still returned)
[[nodiscard]] Result<RunResult> openRun(const std::filesystem::path& folder);

/// Appends event lines to events.jsonl and to standard output, flushed line by line.
/// @thread any (a mutex guards both streams)
class EventWriter {
 public:
  /// `echo`: also print to standard output. @errors CannotWrite
  [[nodiscard]] static Result<std::unique_ptr<EventWriter>> open(const RunFolder& folder,
                                                                 bool echo);
  virtual ~EventWriter() = default;
  /// Adds `event` and `t_ns`. @errors CannotWrite
  [[nodiscard]] virtual Status write(const std::string& event, Json members) = 0;
};

}  // namespace stagelane::record
