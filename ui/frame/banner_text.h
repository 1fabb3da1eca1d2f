#pragma once

/// Texts and actions of the banner above a page about the last run and the experiment, shared by
/// all pages. Pure: widgets show the text and perform the actions.

#include <QString>
#include <optional>
#include <vector>

#include "engine/record/run_record.h"

namespace stagelane::ui {

class Session;

enum class BannerKind { Running, Warning, Error, Hint };

enum class BannerAct {
  OpenLog,
  FixPlan,
  Resume,
  RunAgain,
  DismissRunEnd,
  DismissRunProblem,
  AddVariant,
  UndoEdit,
  RestoreUnsaved,
  DiscardUnsaved,
  LoadFile,
  KeepMine,
  CalibrateAgain,
  DismissCalibration,
  StopOpening,
  TryNow,
  LeaveRun,
  TakeUp,
  DismissLeft
};

struct BannerText {
  BannerKind kind = BannerKind::Hint;
  QString title;
  QString detail;  ///< may be empty
  std::vector<BannerAct> acts;

  friend bool operator==(const BannerText& one, const BannerText& other) {
    return one.kind == other.kind && one.title == other.title && one.detail == other.detail &&
           one.acts == other.acts;
  }
};

/// What the run in progress is doing: "tutorial 8, repeat 2 of 3", "repeat 2 of 3, 6 variants",
/// "tutorial 8, warm-up"; empty before the first repeat.
[[nodiscard]] QString turnText(const Session& session);

/// The run in progress; the end of the last run, unless it is done; or why runs cannot start.
/// Nothing if there is nothing to report.
[[nodiscard]] std::optional<BannerText> bannerOfRun(const Session& session);

/// Unsaved changes of a window that quit unexpectedly.
[[nodiscard]] std::optional<BannerText> bannerOfUnsaved(const Session& session);

/// Another program changed the experiment's file.
[[nodiscard]] std::optional<BannerText> bannerOfFile(const Session& session);

/// Why there is no plan to show, or why the calibration failed.
[[nodiscard]] std::optional<BannerText> bannerOfPlan(const Session& session);

/// The run folder being read, for pages without another indication.
[[nodiscard]] std::optional<BannerText> bannerOfOpening(const Session& session);

/// "Kept: single (3 of 10 repeats), pipeline (2 of 10 repeats)."; for many variants "Kept: 2 to 3
/// of 10 repeats of each of 7 variants.". `repeatsAsked` 0: unknown.
[[nodiscard]] QString keptText(const record::RunResult& run, int repeatsAsked);

/// The variant in which a run failed; empty if unknown.
[[nodiscard]] QString failedVariant(const record::RunResult& run);

}  // namespace stagelane::ui
