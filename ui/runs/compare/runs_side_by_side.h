#pragma once

/// Two or more runs beside each other, the first being what the others are compared with: settings
/// that differ, figures with their change and whether the repeats' spread explains it, the repeats
/// themselves, and the median steps on one axis. Loading reads files; the comparison is pure.

#include <QString>
#include <QStringList>
#include <filesystem>
#include <map>
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
  std::string variantId;        ///< the one that is compared; "" where nothing was measured
  std::vector<StepLane> lanes;  ///< empty where there is no trace
  TimeNs stepNs = 0;            ///< of the lanes
  /// The first run's step against this one's, where both have a trace; single actions only as
  /// many as kMostSingleActions.
  std::optional<analysis::StepComparison> againstFirst{};
  [[nodiscard]] const record::VariantResult* variant() const;
};

/// Reads the runs. `variantId` where a run has it measured, else its best variant; "" for the best
/// of each. Where `goesOn` says no, those so far. @errors Invalid (a folder that is no run)
/// @thread any, blocks
struct RunToLoad {
  QString folder;
  QString title;
  std::string status{};  ///< with the repeats: when they change, the run is read again
  int repeats = 0;
  friend bool operator==(const RunToLoad&, const RunToLoad&) = default;
};
[[nodiscard]] Result<std::vector<LoadedRun>> loadRuns(const std::vector<RunToLoad>& runs,
                                                      const std::string& variantId,
                                                      const GoesOn& goesOn = {});

/// Ids that all runs have measured, in the first one's order.
[[nodiscard]] QStringList commonVariants(const std::vector<LoadedRun>& runs);

struct SideBySideRow {
  QString name;
  QStringList values;          ///< one a run
  QStringList changes;         ///< against the first; "" for the first itself and where equal
  std::vector<RunTone> tones;  ///< of the changes: good, bad, or muted where neither is better
};

struct SideBySide {
  QString sentence;  ///< begins with what makes the runs different work, where something does
  RunTone tone = RunTone::Muted;
  QStringList titles;
  QStringList variants;
  std::vector<SideBySideRow> settings;  ///< changes are empty
  QString same;                         ///< "Same model, data and machine", "" where that is not so
  std::vector<SideBySideRow> figures;
  QString figuresNote;                       ///< what is known of their spread
  std::vector<std::vector<double>> repeats;  ///< seconds
};
/// @pre two runs or more
[[nodiscard]] SideBySide sideBySide(const std::vector<LoadedRun>& runs);

}  // namespace stagelane::ui
