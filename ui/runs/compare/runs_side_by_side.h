#pragma once

/// Compares two or more runs with the first one: settings that differ, figures with their change
/// and its significance, the repeats, and the median steps on one axis. Loading reads files; the
/// comparison is pure.

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "profiler/analysis/compare.h"
#include "ui/session/run/run_table_model.h"

namespace stagelane::ui {

/// One device of a run's median step.
struct StepLane {
  QString device;
  std::vector<analysis::Piece> pieces;  ///< times from the step's start
  double idleShare = 0.0;
};

inline constexpr std::size_t kMostSingleActions = 8;

struct LoadedRun {
  QString folder;
  QString title;  ///< "run 14"
  record::RunResult result;
  Json experiment;
  Json environment;
  std::string variantId;        ///< the compared variant; "" if nothing was measured
  std::vector<StepLane> lanes;  ///< empty without a trace
  TimeNs stepNs = 0;            ///< wall time of the lanes
  /// Compares the first run's step with this one, if both have a trace; at most kMostSingleActions
  /// single actions.
  std::optional<analysis::StepComparison> againstFirst{};
  [[nodiscard]] const record::VariantResult* variant() const;
};

/// Reads the runs with their variant `variantId`, or their best variant if it is "" or was not
/// measured. Stops early once `goesOn` returns false. @errors Invalid (not a run folder) @thread
/// any, blocks
struct RunToLoad {
  QString folder;
  QString title;
  std::string status{};  ///< the run is read again when status or repeats change
  int repeats = 0;
  friend bool operator==(const RunToLoad&, const RunToLoad&) = default;
};
[[nodiscard]] Result<std::vector<LoadedRun>> loadRuns(const std::vector<RunToLoad>& runs,
                                                      const std::string& variantId,
                                                      const GoesOn& goesOn = {});

/// Ids of variants that all runs have measured, in the first run's order.
[[nodiscard]] QStringList commonVariants(const std::vector<LoadedRun>& runs);

struct SideBySideRow {
  QString name;
  QStringList values;          ///< one per run
  QStringList changes;         ///< relative to the first run; "" for the first itself and if equal
  std::vector<RunTone> tones;  ///< of the changes: good, bad, or muted if neither is better
};

struct SideBySide {
  QString sentence;  ///< begins with what makes the work of the runs different, if anything
  RunTone tone = RunTone::Muted;
  QStringList titles;
  QStringList variants;
  std::vector<SideBySideRow> settings;  ///< without changes
  QString same;                         ///< "Same model, data and machine", "" if they differ
  std::vector<SideBySideRow> figures;
  QString figuresNote;                       ///< about the spread of the figures
  std::vector<std::vector<double>> repeats;  ///< seconds
};
/// @pre two runs or more
[[nodiscard]] SideBySide sideBySide(const std::vector<LoadedRun>& runs);

}  // namespace stagelane::ui
