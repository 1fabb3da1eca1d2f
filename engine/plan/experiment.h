#pragma once

/// The experiment file as typed values: what to train, on which devices, and in which ways
/// (variants). Reading checks everything that needs no device, and expands sweeps, `same as:` and
/// `auto` devices into concrete variants. Runs no searches, holds no results.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/model/model.h"
#include "engine/model/shape_memo.h"
#include "engine/plan/device.h"
#include "engine/plan/stages.h"
#include "engine/plan/strategies.h"

namespace stagelane::plan {

enum class Labels { OneHot, ClassIndex, Normal };
enum class LossKind { MeanSquaredError, CrossEntropy };
enum class Timing { Steady, Tutorial };
enum class TraceDepth { None, Actions, Operators, Kernels };
enum class AllocatorKind { Caching, System };
enum class MemoryFormat { Contiguous, ChannelsLast };
/// Arithmetic of the operators: as the dtype says, TF32 products (GPUs), or bfloat16 by autocast.
enum class Precision { Fp32, Tf32, Bf16 };
[[nodiscard]] std::string_view word(Precision precision);
/// `infer`: forward only, no gradients.
enum class Task { Train, Infer };
/// `deferred`: running statistics are updated once per batch, from the statistics of the whole
/// batch (torchgpipe, arXiv:2004.09910, section 3.2.4), not once per micro-batch.
enum class BatchNormMode { Running, Deferred };
/// Which stages keep only their inputs from F to B and recompute the rest.
enum class Recompute { Never, ExceptLast, Always };
[[nodiscard]] std::string_view word(Recompute recompute);

struct DataSpec {
  Labels labels = Labels::OneHot;
  std::int64_t batchSize = 1;
  std::int64_t batches = 1;
  /// Of all batches; the last one may be smaller. 0: all batches are whole.
  std::int64_t samples = 0;
  std::uint64_t seed = 0;
};
struct OptimizerSpec {
  std::string kind = "sgd";  ///< `sgd`, `adam`, `adamw`
  double learningRate = 0.001;
  double momentum = 0.0;                    ///< sgd
  double weightDecay = 0.0;                 ///< default 0.01 for adamw, as in PyTorch
  std::array<double, 2> betas{0.9, 0.999};  ///< adam, adamw
  double eps = 1e-8;                        ///< adam, adamw
};
/// State tensors per parameter: 0 for plain SGD, 1 with momentum, 2 for Adam and AdamW.
[[nodiscard]] int optimizerStates(const OptimizerSpec& optimizer);
/// Number of reads and writes of one update, in units of the parameter bytes: its cost if
/// memory-bound.
[[nodiscard]] double optimizerStreams(const OptimizerSpec& optimizer);

/// How replicas in several processes sum their gradients, in DistributedDataParallel's words.
struct ReduceSpec {
  double bucketMb = 25.0;      ///< MiB of gradients in an all-reduce
  double firstBucketMb = 1.0;  ///< of the first one, which is sent first
  bool gradientAsBucketView = false;
  bool findUnused = false;
};
/// Processes (or threads) that train the same parameters without locks.
struct HogwildSpec {
  std::int64_t processes = 4;
  bool threads = false;      ///< threads of one process
  std::int64_t updates = 0;  ///< of all processes together in a repeat; 0: one for each batch
};

struct OpenStages;

/// One concrete way to train: sweeps and references are resolved.
struct Variant {
  std::string id;
  std::string name;
  Strategy strategy{};
  std::string schedule;        ///< a name from `schedule::allScheduleNames()`, or `csv:PATH`
  std::string order;           ///< resolved `auto`: a published schedule's name, or rows as CSV
  std::int64_t splitSize = 0;  ///< samples per micro-batch; the batch size if not split
  std::int64_t chunks = 1;     ///< largest number of stages on a device
  Recompute recompute = Recompute::Never;
  std::vector<Stage> stages;  ///< covers the chain, in order
  /// A pipeline's groups of replicas, by the device of the first; empty without `replicas`.
  std::vector<DeviceGroup> groups;
  ReduceSpec reduce;
  HogwildSpec hogwild;
  std::shared_ptr<const OpenStages> open;  ///< null: the stages are fixed
  Json placement;                          ///< canonical `{dotted prefix: device}` of the stages
  bool include = true;
  bool implicit = false;  ///< `single-all-cores`, `baseline-mbN`: added by the product
  int threads = 0;        ///< per worker; 0 = the experiment's threads_per_cpu_worker
  std::string tab;        ///< name of its variant in the file (for a sweep, the sweep)
  std::string pointer;    ///< JSON pointer in the file, `/variants/1`; empty for implicit ones
};

/// A whole experiment.
struct Experiment {
  Json source;  ///< the document as read, with `--set` applied and device names resolved
  std::string name;
  model::ModelPtr model;
  model::ShapeMemoPtr shapes;  ///< shapes of `model`, kept across edits that do not change it
  model::Shape input;          ///< without the batch
  /// Output sizes of one sample before the classes: the positions of a model on tokens, else empty.
  model::Shape outputRows;
  model::DType dtype = model::DType::Float32;
  DataSpec data;
  LossKind loss = LossKind::MeanSquaredError;
  OptimizerSpec optimizer;
  std::vector<DeviceSpec> devices;
  int threadsPerCpuWorker = 1;
  std::int64_t repeat = 10;
  std::int64_t warmup = 1;
  Timing timing = Timing::Steady;
  TraceDepth trace = TraceDepth::Actions;
  AllocatorKind allocator = AllocatorKind::Caching;
  MemoryFormat memoryFormat = MemoryFormat::Contiguous;
  Precision precision = Precision::Fp32;
  Task task = Task::Train;
  BatchNormMode batchNorm = BatchNormMode::Running;
  std::optional<double> clipGradNorm;  ///< limit of the 2-norm over all gradients
  bool verifyGradients = true;
  bool baselineSweep = false;
  std::optional<double> stallTimeoutS;
  std::vector<Variant> variants;  ///< from the file with sweeps expanded, plus the implicit ones
  std::vector<std::string> warnings;  ///< a sweep value above the batch, …
  int cores = 0;                      ///< of the machine, available to the process; 0 if unknown
  /// Processes to which pipelines are dealt, because they were asked for (plan::ranksOfRows); 0: as
  /// the names of devices say. Not part of the document.
  int dealtRanks = 0;

  [[nodiscard]] const Variant* variantById(const std::string& id) const;
  /// Shapes for this number of samples. @errors as model::inferShapes
  [[nodiscard]] Result<model::ModelShapesPtr> shapesAt(std::int64_t samples) const;
};

/// Whether the variant is `auto` and its order is not found yet.
[[nodiscard]] bool hasOpenOrder(const Variant& variant);
/// Null if the id is not listed.
[[nodiscard]] const DeviceSpec* findDevice(const std::vector<DeviceSpec>& devices,
                                           const DeviceId& id);
/// `max_memory` of a device; empty if it is not limited.
[[nodiscard]] std::optional<Bytes> memoryLimit(const Experiment& experiment, const DeviceId& id);

/// Whether the batch can be trained in micro-batches of `split` samples, including an uneven tail.
/// @errors Invalid: batch norm over one value per channel, naming the layer
[[nodiscard]] Status checkSplit(const Experiment& experiment, std::int64_t split);

/// The devices of this machine, for `{"auto": n}` and for warnings; passed in so that no engine is
/// needed.
struct MachineDevices {
  int gpus = 0;
  int cores = 0;  ///< available to the process; 0 if unknown
};

/// Reads and checks a document. Parts that need a search stay open in the variants
/// (`Variant::open`, and `order` of `auto`): engine/search/resolve.h. `baseFolder` resolves
/// relative paths. `known` comes from an earlier reading and is reused for the same model.
/// @errors Invalid with the JSON pointer of the problem and a fix; "not available in this version"
/// for a strategy, schedule or option that is not implemented
[[nodiscard]] Result<Experiment> readExperiment(const Json& document, const std::string& baseFolder,
                                                const MachineDevices& machine,
                                                const model::ShapeMemoPtr& known = {});

/// Number of turns of each variant that are repeated with operators (or kernels) recorded: one per
/// repeat, at most ten, which is enough for an interval. 0 unless the trace has that depth.
[[nodiscard]] std::int64_t recordedTurns(const Experiment& experiment);

/// Checks what running and predicting need beyond a readable file: an included variant.
/// @errors Invalid
[[nodiscard]] Status requireIncluded(const Experiment& experiment);

}  // namespace stagelane::plan
