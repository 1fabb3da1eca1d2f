#pragma once

/// The proof of correctness: compares one step of a variant's executor with the reference, tensor
/// by tensor. On CPU workers everything must be bit-equal. On GPUs, where kernels add in varying
/// order, the step runs in float64 and its relative error is limited.

#include <optional>
#include <string>

#include "engine/record/run_record.h"
#include "engine/run/proof/reference.h"
#include "engine/run/step/executor.h"

namespace stagelane::run {

struct Comparison {
  bool bitEqual = true;
  double maxRelError = 0.0;  ///< max over tensors of ‖a−b‖∞/‖b‖∞
  std::string worst;         ///< name of the tensor with that error, "" if all are equal
};
/// Compares losses, gradients and buffers; a tensor on only one side is a difference.
[[nodiscard]] Comparison compare(const TrainingSnapshot& measured,
                                 const TrainingSnapshot& reference);

/// Losses, gradients and buffers of an executor after a step that kept its gradients, in host
/// memory. @pre synchronized
[[nodiscard]] TrainingSnapshot snapshotOf(const Executor& executor);

struct GradientCheck {
  StepPlan plan;
  std::vector<ReferencePart> parts;
  std::string referenceName;  ///< description for the report
  /// Gradients are added in an order that is not the reference's (an all-reduce), so the step runs
  /// in float64 and its error is limited, as on GPUs.
  bool addsInAnyOrder = false;
};

/// A follower's part of a check, which the leader asks for: one step of the variant in this type.
/// Empty if the run was stopped. @errors OutOfMemory, EngineFailure
[[nodiscard]] Result<std::optional<TrainingSnapshot>> followCheck(const StepPlan& plan,
                                                                  at::ScalarType dtype,
                                                                  RunControl& control);

struct GradientVerdict {
  record::GradientCheckResult result;
  bool passed = false;
  std::string worst;
};

/// Checks variants in sequence from the experiment's initial values and first batch. Caches the
/// last reference, because variants that differ only in cuts or schedule share it.
class GradientChecker {
 public:
  /// `experiment` outlives the checker.
  explicit GradientChecker(const plan::Experiment& experiment) : m_experiment(experiment) {}

  /// Empty if the run was stopped. @errors OutOfMemory, EngineFailure
  [[nodiscard]] Result<std::optional<GradientVerdict>> check(const GradientCheck& check,
                                                             RunControl& control);
  /// Consecutive checks with the same key share one reference.
  [[nodiscard]] static std::string referenceKey(const GradientCheck& check);

 private:
  [[nodiscard]] Status useType(at::ScalarType dtype);
  [[nodiscard]] Status useReference(const GradientCheck& check, const RunControl& control);
  [[nodiscard]] Result<std::optional<TrainingSnapshot>> judgedStep(const GradientCheck& check,
                                                                   RunControl& control) const;
  [[nodiscard]] Result<std::optional<double>> ownPrecisionError(const GradientCheck& check,
                                                                RunControl& control) const;

  const plan::Experiment& m_experiment;
  std::optional<at::ScalarType> m_dtype;
  InitialValues m_values;
  Batch m_batch;
  std::string m_key;
  std::optional<TrainingSnapshot> m_reference;
};

/// Whether the check of an earlier process passed, by the current rule.
[[nodiscard]] bool passedBefore(const record::VariantResult& result);

}  // namespace stagelane::run
