#pragma once

/// Parses a document: its tabs, the experiment as values, and the errors of what cannot be read.
/// Pure; any thread.

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::ui {

/// One entry of the file's `variants`: a tab of the Plan page. A sweep is one tab.
struct VariantTab {
  QString id;  ///< slug from the reader
  QString name;
  bool include = true;
  std::size_t index = 0;       ///< position in the document's `variants`
  QStringList variantIds;      ///< concrete variants it expands to; empty if it cannot be read
  std::optional<Error> error;  ///< why it cannot be read
  [[nodiscard]] bool sweep() const { return variantIds.size() > 1; }
};

/// Inputs of reading besides the document.
struct ReadingBasis {
  std::string baseFolder;  ///< resolves relative paths
  plan::MachineDevices machine;
  model::ShapeMemoPtr shapes = {};  ///< from an earlier reading
};

struct DocumentReading {
  /// Without the variants that cannot be read; null if none can. Stages may be open.
  std::shared_ptr<plan::Experiment> experiment;
  std::optional<Error> error;  ///< why the whole document cannot be read
  std::vector<VariantTab> tabs;
};
[[nodiscard]] DocumentReading readDocument(const Json& document, const ReadingBasis& basis);

}  // namespace stagelane::ui
