#pragma once

/// Which of the included variants can run: the engine refuses a whole run for one variant that
/// cannot be read, uses an imagined device or another host, or whose schedule does not support its
/// stages. Such variants are left out with a reason. Pure.

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "ui/session/document/document.h"

namespace stagelane::ui {

struct LeftOut {
  QString tabId;
  QString reason;  ///< "wide is left out because it uses sim:0, an imagined device"
};

struct RunChoice {
  QStringList tabIds;  ///< tabs that run
  std::vector<LeftOut> leftOut;
  /// Why nothing runs; empty if something does.
  QString whyNot;
};

[[nodiscard]] RunChoice includedToRun(const ExperimentDocument& document);

/// The host of the document's devices, where its engine runs; empty: this machine.
[[nodiscard]] QString hostToRun(const ExperimentDocument& document);

/// The document for the engine: only these tabs are included (if empty: as the document says), and
/// unreadable variants are removed because the engine reads the whole file.
[[nodiscard]] Json documentToRun(const ExperimentDocument& document, const QStringList& tabIds);

struct CannotRun {
  enum class Kind { Unreadable, Hosts, Imagined, Unsuited };
  Kind kind;
  QString text;  ///< to follow the name of the tab: "uses sim:0, an imagined device"
};

/// Nothing if the tab can run.
[[nodiscard]] std::optional<CannotRun> whyTabCannotRun(const ExperimentDocument& document,
                                                       const VariantTab& tab);

/// The reason with the name of the tab, and what to do.
[[nodiscard]] QString cannotRunText(const VariantTab& tab, const CannotRun& reason);

}  // namespace stagelane::ui
