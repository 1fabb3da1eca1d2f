#pragma once

/// A run as data: folds `events.jsonl` into `result.json`. Both programs write and rebuild it in
/// the same way; a folder without a final event reads as failed (or canceled after SIGTERM). No
/// torch, no Qt.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/record/rank_results.h"

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
  std::int64_t parameters = 0;           ///< values of the model's parameters here; 0: unknown
  int layers = 0;                        ///< with parameters
  std::map<std::string, TimeNs> busy{};  ///< word of a kind of work → ns, together busyNs; empty in
                                         ///< runs of older versions
};
struct BoundResult {
  TimeNs stepNs = 0;
  TimeNs perfectCutStepNs = 0;
  double speedup = 0.0;
};
/// Most that gradients on GPUs, in float64, may differ; those of CPU workers are bit-equal.
inline constexpr double kGradientTolerance = 1e-10;

struct GradientCheckResult {
  bool bitEqual = false;
  double maxRelError = 0.0;
  std::string reference;  ///< description of the reference
  std::optional<double> fullBatchError;
  /// Of the step in the experiment's own precision, where float64 was judged (GPUs).
  std::optional<double> ownPrecisionError = std::nullopt;
  [[nodiscard]] bool isClose() const { return bitEqual || maxRelError <= kGradientTolerance; }
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

/// Inference: time of a micro-batch from the start of its first forward to the end of its last.
struct LatencyResult {
  double p50S = 0.0, p99S = 0.0;
};
/// Why a sweep member was skipped or stopped early: it could not become the best.
struct EarlyStop {
  int repeats = 0;           ///< number of measured repeats; 0: stopped by prediction
  double seconds = 0.0;      ///< mean of its repeats, or its predicted step
  double bestSeconds = 0.0;  ///< the same of the best
  std::string best;          ///< id of the best variant
};

/// One variant's part of result.json; absent optional members are left out of the JSON.
struct VariantResult {
  std::string id, name, strategy, schedule;
  std::int64_t splitSize = 0;
  Json placement;
  bool included = true;  ///< false: listed, but not run
  RunStatus status = RunStatus::Running;
  std::string reason;              ///< as text; the next two hold it as codes
  std::optional<Failure> failure;  ///< for Failed, and for NotRun if it does not fit
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
  int replicas = 1;               ///< of each stage
  std::vector<RankResult> ranks;  ///< empty: one process
  std::optional<AllReduceResult> allReduce;
  std::optional<HogwildResult> hogwild;
  bool noisy = false;
};

struct RunResult {
  std::string name;
  RunStatus status = RunStatus::Running;
  std::string reason;
  std::optional<Failure> failure;  ///< the reason as codes; Failed only
  std::string timing;              ///< `steady` or `tutorial`
  std::string folder;
  std::vector<std::string> devices;
  int ranks = 0;  ///< processes that were asked for; 0: as many as the experiment needs
  std::vector<VariantResult> variants;
};

[[nodiscard]] Json toJson(const DeviceResult& result);
[[nodiscard]] Json toJson(const VariantResult& result);
[[nodiscard]] Json toJson(const RunResult& result);
[[nodiscard]] Result<VariantResult> variantResultFromJson(const Json& json);
[[nodiscard]] Result<RunResult> runResultFromJson(const Json& json);

/// Population mean, standard deviation (ddof 0) and median of `seconds`, into the result's members.
void fillStatistics(VariantResult& result);

/// Members of the events that carry results, shared by writer and reader:
///   started      {run:{name,timing,ranks?}, variants:[VariantResult…], devices:[id…], folder}
///   calibrating  {done, of}
///   progress     {variant, repeat (from 1), of, eta_s (or null), longest_action_s (optional)}
///   measurement  {variant, repeat (from 1), seconds}
///   ranks        {ranks:[{rank, host, pid, devices, state, variant?, repeat?, doing:{device,
///                stage, micro_batch, action}, last_seen_ms, clock_error_ns}]}
///                                            every 2 s while several processes run; `devices` is
///                                            text, `doing` may be empty; variant and repeat (from
///                                            1; 0: warm-up) of the last turn
///   variant_done {variant, status, result}   repeated with more data; the last one counts
///   warning      {code, message}             code `canceling`: SIGTERM came, `canceled` will
///                                            follow
///   sizes        {variant, batch, input, output, replicas:[{device, input, output}]}
///                                            sizes of a batch of the first repeat, with
///                                            `print_sizes`
///   finished     {result}
///   error        {code (exit code), message, context, hint, failure}
///   canceled     {}
///   resumed      {folder} another process continues an ended run: no longer final
[[nodiscard]] Json startedMembers(const RunResult& plan);
[[nodiscard]] Json variantDoneMembers(const VariantResult& result);
[[nodiscard]] Json errorMembers(const Error& error);
/// The error of an `error` event; EngineFailure if its code is unknown.
[[nodiscard]] Error errorFromEvent(const Json& event);

/// Folds event lines into a result. Feed lines in order; unknown and damaged events are ignored.
class EventFold {
 public:
  void apply(const Json& event);
  /// The result so far; a fold without a final event has status Running.
  [[nodiscard]] const RunResult& result() const { return m_result; }
  /// Whether `finished`, `error` or `canceled` has occurred.
  [[nodiscard]] bool isFinal() const { return m_final; }
  /// The folder in which the run was made or last resumed; "" in events of older versions.
  [[nodiscard]] const std::string& madeIn() const { return m_madeIn; }
  /// The result to show for a folder without a final event: failed, or canceled after SIGTERM.
  [[nodiscard]] RunResult closed() const;

 private:
  void applyStarted(const Json& event);
  void applyMeasurement(const Json& event);
  void applyVariantDone(const Json& event);
  void applyFinished(const Json& event);
  void applyResumed(const Json& event);
  void end(RunStatus status);
  void endFailed(const Error& error);
  VariantResult& variant(const std::string& id);

  RunResult m_result;
  std::string m_madeIn;
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

/// Whether reading a run folder may bring its result.json up to date. A folder that was received or
/// copied from elsewhere is only read.
enum class Rewrite : std::uint8_t {
  IfMadeHere,  ///< if the run was made, or resumed, at this path
  Always,      ///< also otherwise: for a folder in the workspace, which is not a link to another
};

/// Reads a run folder: rebuilds the result from the events if result.json is missing or stale, or
/// if the run ended without a final event, and writes it as far as `rewrite` allows. A damaged last
/// line is dropped. While an EventWriter is active there, returns the result so far (status
/// Running) and writes nothing.
/// @errors Invalid (not a run folder); failing to write the rebuilt result is not an error
[[nodiscard]] Result<RunResult> openRun(const std::filesystem::path& folder,
                                        Rewrite rewrite = Rewrite::IfMadeHere);

/// Whether an engine can resume in the folder without writing elsewhere: no file that it appends to
/// is a link. @errors CannotWrite, naming the link
[[nodiscard]] Status requireNoLinks(const RunFolder& folder);

/// Ends a run whose engine could not: appends `canceled`, or `error` with the known details, to
/// events.jsonl unless a final event exists, and rewrites result.json.
/// @errors Invalid (not a run folder), CannotWrite
[[nodiscard]] Result<RunResult> closeAsCanceled(const std::filesystem::path& folder);
[[nodiscard]] Result<RunResult> closeAsFailed(const std::filesystem::path& folder,
                                              const Error& error);

/// The events of a folder so far; none if the file is missing.
[[nodiscard]] EventFold readEvents(const std::filesystem::path& folder);

/// Whether an ended run lacks repeats of an included variant, so that it can resume.
[[nodiscard]] bool isResumable(const RunResult& run);

}  // namespace stagelane::record
