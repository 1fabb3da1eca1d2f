#pragma once

/// The gradient checks of a run, after all measurements: which variants need a check, in which
/// order (consecutive ones share their reference), and their events. gradient_check.h performs the
/// check.

#include <memory>
#include <string>
#include <vector>

#include "engine/run/engine.h"
#include "engine/run/proof/gradient_check.h"
#include "engine/run/proof/reference_place.h"

namespace stagelane::run {

class GradientChecks {
 public:
  /// References from the run to its checks; they outlive the checks.
  struct Lent {
    const plan::Experiment& experiment;
    const RunPorts& ports;
    const ExecutorOptions& options;
    RunControl& control;  ///< of the turns
    WorkerPool& pool;
    std::vector<VariantRun>& runs;
  };
  explicit GradientChecks(const Lent& lent) : m_lent(lent), m_checker(lent.experiment) {}

  /// Checks every measured variant until the run is canceled. Blocks until done.
  /// @errors as runExperiment
  [[nodiscard]] Status run();

  /// One error for each variant whose gradients differ.
  [[nodiscard]] const std::vector<Error>& mismatches() const { return m_mismatches; }
  /// The variant under check, null before the first.
  [[nodiscard]] VariantRun* current() const { return m_current; }

 private:
  struct Ordered {
    std::string referenceKey;
    VariantRun* run = nullptr;
  };
  [[nodiscard]] Result<std::vector<Ordered>> toCheck();
  [[nodiscard]] Result<GradientCheck> checkOf(VariantRun& run);
  [[nodiscard]] Status checkOne(VariantRun& run);
  [[nodiscard]] Status tell(VariantRun& run, const GradientVerdict& verdict);
  [[nodiscard]] Status say(const std::string& event, Json members) const {
    return m_lent.ports.event(event, std::move(members));
  }

  Lent m_lent;
  GradientChecker m_checker;
  /// Separate for each check, because a check that runs out of memory does not end the run.
  std::unique_ptr<RunControl> m_control;
  VariantRun* m_current = nullptr;
  std::vector<Error> m_mismatches;
};

}  // namespace stagelane::run
