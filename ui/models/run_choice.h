#pragma once

/// What a run of the included variants takes: the engine refuses a run with a variant on an
/// imagined device, or whose schedule cannot have its stages, so that such variants are left out,
/// with the reason. Pure.

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "ui/models/document.h"

namespace stagelane::ui {

struct LeftOut {
  QString tabId;
  QString reason;  ///< "wide is left out: it lies on sim:0, an imagined device"
};

struct RunChoice {
  QStringList tabIds;  ///< tabs that run
  std::vector<LeftOut> leftOut;
  /// Why nothing runs; empty when something does.
  QString whyNot;
};

[[nodiscard]] RunChoice includedToRun(const ExperimentDocument& document);

/// Why a tab cannot run by itself, for the words after its name: "lies on sim:0, an imagined
/// device"; nothing when it can.
[[nodiscard]] std::optional<QString> whyTabCannotRun(const ExperimentDocument& document,
                                                     const VariantTab& tab);

}  // namespace stagelane::ui
