#pragma once

/// What a strip above a page says of the last run, and of the experiment itself, and what may be
/// done about it. One text for all pages. Pure: widgets show it and do what was chosen.

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
  StopOpening
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

/// The run in progress; how the last one ended, unless it is done; why none could start, or none
/// can. Nothing where there is nothing to say.
[[nodiscard]] std::optional<BannerText> bannerOfRun(const Session& session);

/// What a window that ended without closing left unsaved.
[[nodiscard]] std::optional<BannerText> bannerOfUnsaved(const Session& session);

/// Another program has written the file of the experiment.
[[nodiscard]] std::optional<BannerText> bannerOfFile(const Session& session);

/// Why there is no plan to show, why the costs could not be measured.
[[nodiscard]] std::optional<BannerText> bannerOfPlan(const Session& session);

/// The run folder that is being read; for pages that have nothing else to say it.
[[nodiscard]] std::optional<BannerText> bannerOfOpening(const Session& session);

/// "Kept: single (3 of 10 repeats), pipeline (2 of 10 repeats)."; of many variants "Kept: 2 to 3 of
/// 10 repeats of each of 7 variants.". `repeatsAsked` 0: not known.
[[nodiscard]] QString keptText(const record::RunResult& run, int repeatsAsked);

/// The variant in which a run failed; empty where that is not known.
[[nodiscard]] QString failedVariant(const record::RunResult& run);

}  // namespace stagelane::ui
