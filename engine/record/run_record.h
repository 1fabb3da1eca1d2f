#pragma once

/// A run as data: what `events.jsonl` says, folded into what `result.json` shows. Both programs
/// write and rebuild the same way; a folder without a final event reads as failed (or canceled
/// after SIGTERM). No torch, no Qt.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
  double utilisation = 0.0;                 ///< 0 … 1
  std::map<std::string, TimeNs> idle;       ///< cause word → ns, all seven causes
  std::map<std::string, TimeNs> starvedBy;  ///< device → ns
  Bytes transferBytes = 0;
  Bytes peakBytes = 0;
  std::map<std::string, TimeNs> busy;  ///< word of a kind of work → ns, together busyNs; empty in
                                       ///< runs of older versions
};
struct BoundResult {
  TimeNs stepNs = 0;
  TimeNs perfectCutStepNs = 0;
  double speedup = 0.0;
};
struct GradientCheckResult {
  bool bitEqual = false;
  double maxRelError = 0.0;
  std::string reference;  ///< what it was compared with, in words
  std::optional<double> fullBatchError;
};
struct CaptureResult {
  std::int64_t events = 0;
  std::int64_t dropped = 0;
  std::optional<double> overheadPct;
  std::optional<std::pair<double, double>> overheadCiPct;  ///< [low, high]
};
struct PredictedResult {
  std::string basis;
  TimeNs stepNs = 0;
  std::vector<DeviceResult> devices;
  double error = 0.0;  ///< (predicted − measured) / measured
};

/// Inference: how long a micro-batch takes from its first forward's start to its last one's end.
struct LatencyResult {
  double p50S = 0.0, p99S = 0.0;
};
/// Why a member of a sweep was not, or not further, measured: it could not become the best.
struct EarlyStop {
  int repeats = 0;           ///< that were measured; 0: the prediction was enough
  double seconds = 0.0;      ///< mean of its repeats, or its predicted step
  double bestSeconds = 0.0;  ///< the same of the best
  std::string best;          ///< the best's id
};

/// One variant's part of result.json; optional members are left out of the JSON when absent.
struct VariantResult {
  std::string id, name, strategy, schedule;
  std::int64_t splitSize = 0;
  Json placement;
  bool included = true;  ///< false: listed, but left out of the run
  RunStatus status = RunStatus::Running;
  std::string reason;              ///< in words; the next two say the same in codes
  std::optional<Failure> failure;  ///< Failed, and NotRun where it does not fit
  std::optional<EarlyStop> earlyStop;
  std::vector<double> seconds;  ///< wall time of each repeat, all its batches
  double meanS = 0.0, stdS = 0.0, medianS = 0.0;
  std::optional<double> speedup;
  std::string speedupBase;  ///< id of the base
  std::optional<double> speedupAllCores;
  std::optional<BoundResult> bound;
  std::vector<double> loss;
  TimeNs stepNs = 0;  ///< median step
  std::vector<DeviceResult> devices;
  std::optional<PredictedResult> predicted;
  Json explanation;  ///< from ideal to measured, as engine/predict/explain.h writes it; or null
  std::optional<GradientCheckResult> gradientCheck;
  std::optional<GradientCheckResult> outputCheck;  ///< inference: outputs in place of gradients
  std::optional<LatencyResult> latency;            ///< inference
  std::optional<double> throughput;                ///< inference: samples a second
  std::optional<CaptureResult> capture;
  bool noisy = false;
};

struct RunResult {
  std::string name;
  RunStatus status = RunStatus::Running;
  std::string reason;
  std::optional<Failure> failure;  ///< the reason in codes; Failed only
  std::string timing;              ///< `steady` or `tutorial`
  std::string folder;
  std::vector<std::string> devices;
  std::vector<VariantResult> variants;
};

[[nodiscard]] Json toJson(const DeviceResult& result);
[[nodiscard]] Json toJson(const VariantResult& result);
[[nodiscard]] Json toJson(const RunResult& result);
[[nodiscard]] Result<VariantResult> variantResultFromJson(const Json& json);
[[nodiscard]] Result<RunResult> runResultFromJson(const Json& json);

/// Population mean, standard deviation (ddof 0) and median of `seconds`, into the result's members.
void fillStatistics(VariantResult& result);

/// Members of the events that carry results, so that writer and reader cannot disagree:
///   started      {run:{name,timing}, variants:[VariantResult…], devices:[id…]}
///   calibrating  {done, of}
///   progress     {variant, repeat (from 1), of, eta_s (or null), longest_action_s (optional)}
///   measurement  {variant, repeat (from 1), seconds}
///   variant_done {variant, status, result}   sent again when more is known; the last one counts
///   warning      {code, message}             code `canceling`: SIGTERM came, `canceled` will
///                                            follow
///   finished     {result}
///   error        {code (exit code), message, context, hint, failure}
///   canceled     {}
///   resumed      {}       another process goes on where an earlier one ended: no longer final
[[nodiscard]] Json startedMembers(const RunResult& plan);
[[nodiscard]] Json variantDoneMembers(const VariantResult& result);
[[nodiscard]] Json errorMembers(const Error& error);
/// The error of an `error` event; EngineFailure where it names no known code.
[[nodiscard]] Error errorFromEvent(const Json& event);

/// Folds event lines into a result. Feed lines in order; unknown and damaged events are ignored.
class EventFold {
 public:
  void apply(const Json& event);
  /// The result so far; a fold without a final event has status Running.
  [[nodiscard]] const RunResult& result() const { return m_result; }
  /// Whether `finished`, `error` or `canceled` came.
  [[nodiscard]] bool isFinal() const { return m_final; }
  /// What whoever opens a folder shows when no final event came: failed, or canceled after SIGTERM.
  [[nodiscard]] RunResult closed() const;

 private:
  void applyStarted(const Json& event);
  void applyMeasurement(const Json& event);
  void applyVariantDone(const Json& event);
  void applyFinished(const Json& event);
  void applyResumed();
  void end(RunStatus status);
  void endFailed(const Error& error);
  VariantResult& variant(const std::string& id);

  RunResult m_result;
  std::string m_turnOf;  ///< id of the variant of the last `progress`
  bool m_final = false;
  bool m_canceling = false;
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
  [[nodiscard]] std::filesystem::path costs() const { return root / "costs.json"; }
  [[nodiscard]] std::filesystem::path plan() const { return root / "plan.json"; }
  [[nodiscard]] std::filesystem::path log() const { return root / "engine.log"; }
};

/// Reads a run folder: rebuilds result.json from the events when it is missing, stale or the run
/// was cut short. A damaged last line is dropped. While an EventWriter is still at work there, the
/// result so far (status Running) is returned and nothing is written.
/// @errors Invalid (no run folder), CannotWrite is not an error here (the rebuilt result is still
/// returned)
[[nodiscard]] Result<RunResult> openRun(const std::filesystem::path& folder);

/// Ends a run whose engine could not: appends `canceled`, or `error` with what is known, to
/// events.jsonl unless a final event is there, and rewrites result.json.
/// @errors Invalid (no run folder), CannotWrite
[[nodiscard]] Result<RunResult> closeAsCanceled(const std::filesystem::path& folder);
[[nodiscard]] Result<RunResult> closeAsFailed(const std::filesystem::path& folder,
                                              const Error& error);

/// The events of a folder so far; none where there is no file.
[[nodiscard]] EventFold readEvents(const std::filesystem::path& folder);

/// Whether a run that has ended lacks repeats of an included variant, so that it can go on.
[[nodiscard]] bool isResumable(const RunResult& run);

/// Appends event lines to events.jsonl and to standard output, flushed line by line, and keeps
/// result.json up to date. @thread any (a mutex guards both streams)
class EventWriter {
 public:
  /// `echo`: also print to standard output. @errors CannotWrite
  [[nodiscard]] static Result<std::unique_ptr<EventWriter>> open(const RunFolder& folder,
                                                                 bool echo);
  /// Goes on in a folder whose run has ended: ends a damaged last line, and counts time from the
  /// last event on. Says nothing by itself. @errors CannotWrite (also while another process writes
  /// there), Invalid (no run folder)
  [[nodiscard]] static Result<std::unique_ptr<EventWriter>> resume(const RunFolder& folder,
                                                                   bool echo);
  EventWriter() = default;
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;
  virtual ~EventWriter() = default;
  /// Adds `event` and `t_ns`; `finished` without a `result` gets that of the events so far.
  /// @errors CannotWrite
  [[nodiscard]] virtual Status write(const std::string& event, Json members) = 0;
  /// What the events say so far.
  [[nodiscard]] virtual RunResult soFar() const = 0;
};

}  // namespace stagelane::record
