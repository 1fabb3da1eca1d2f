#pragma once

/// The gradient checks of a run, after everything was measured: which variants need one of their
/// own, in which order (neighbours share their reference), and what is said of each in events. The
/// check itself is in gradient_check.h.

#include <memory>
#include <string>
#include <vector>

#include "engine/run/engine.h"
#include "engine/run/proof/gradient_check.h"
#include "engine/run/proof/reference_place.h"

namespace stagelane::run {

class GradientChecks {
 public:
  /// What a run lends to its checks; all of it outlives them.
  struct Lent {
    const plan::Experiment& experiment;
    const RunPorts& ports;
    const ExecutorOptions& options;
    RunControl& control;  ///< of the turns
    WorkerPool& pool;
    std::vector<VariantRun>& runs;
  };
  explicit GradientChecks(const Lent& lent) : m_lent(lent), m_checker(lent.experiment) {}

  /// Checks every variant that was measured, until the run is canceled. Blocks until done.
  /// @errors as runExperiment
  [[nodiscard]] Status run();

  /// One of each variant whose gradients differ.
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
  /// Of the check under way. Its own: a check that runs out of memory does not end the run.
  std::unique_ptr<RunControl> m_control;
  VariantRun* m_current = nullptr;
  std::vector<Error> m_mismatches;
};

}  // namespace stagelane::run
