#pragma once

/// What a run of the included variants takes: the engine refuses a run with a variant that cannot
/// be read, lies on an imagined device, or whose schedule cannot have its stages, so that such
/// variants are left out, with the reason. Pure.

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "ui/session/document/document.h"

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

/// The document as the engine gets it: only these tabs are included (none given: what the document
/// includes), and a variant that cannot be read is not there, as the engine reads all of a file.
[[nodiscard]] Json documentToRun(const ExperimentDocument& document, const QStringList& tabIds);

/// Why a tab cannot run by itself, for the words after its name: "lies on sim:0, an imagined
/// device"; nothing when it can.
[[nodiscard]] std::optional<QString> whyTabCannotRun(const ExperimentDocument& document,
                                                     const VariantTab& tab);

}  // namespace stagelane::ui
