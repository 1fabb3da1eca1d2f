#pragma once

/// The proof of correctness: one step of a variant's executor against the reference, tensor for
/// tensor. On CPU workers everything must be bit-equal; on GPUs, where kernels add in another order
/// each time, the step is done in float64 and judged by its relative error.

#include <optional>
#include <string>

#include "engine/record/run_record.h"
#include "engine/run/proof/reference.h"
#include "engine/run/step/executor.h"

namespace stagelane::run {

struct Comparison {
  bool bitEqual = true;
  double maxRelError = 0.0;  ///< max over tensors of ‖a−b‖∞/‖b‖∞
  std::string worst;         ///< name of the tensor with that error, "" when all are equal
};
/// Losses, gradients and buffers; a tensor that only one side has is a difference.
[[nodiscard]] Comparison compare(const TrainingSnapshot& measured,
                                 const TrainingSnapshot& reference);

/// Losses, gradients and buffers of an executor after a step that kept its gradients.
[[nodiscard]] TrainingSnapshot snapshotOf(const Executor& executor);

struct GradientCheck {
  StepPlan plan;
  std::vector<ReferencePart> parts;
  std::string referenceName;  ///< in words, for the report
};

struct GradientVerdict {
  record::GradientCheckResult result;
  bool passed = false;
  std::string worst;
};

/// Checks variants one after the other from the experiment's initial values and first batch. Keeps
/// the last reference, because variants that differ only in cuts or schedule share it.
class GradientChecker {
 public:
  /// `experiment` outlives the checker.
  explicit GradientChecker(const plan::Experiment& experiment) : m_experiment(experiment) {}

  /// Nothing when the run was stopped meanwhile. @errors OutOfMemory, EngineFailure
  [[nodiscard]] Result<std::optional<GradientVerdict>> check(const GradientCheck& check,
                                                             RunControl& control);
  /// Checks with the same key in a row compute their reference once.
  [[nodiscard]] static std::string referenceKey(const GradientCheck& check);

 private:
  [[nodiscard]] Status useType(at::ScalarType dtype);
  [[nodiscard]] Status useReference(const GradientCheck& check);

  const plan::Experiment& m_experiment;
  std::optional<at::ScalarType> m_dtype;
  InitialValues m_values;
  Batch m_batch;
  std::string m_key;
  std::optional<TrainingSnapshot> m_reference;
};

/// What the experiment computes in.
[[nodiscard]] at::ScalarType scalarType(const plan::Experiment& experiment);

}  // namespace stagelane::run
