#pragma once

/// What a document means, read in one go: its tabs, the experiment as values, and why what cannot
/// be read cannot. Pure; on any thread.

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
  QString id;  ///< slug, as the reader gives it
  QString name;
  bool include = true;
  std::size_t index = 0;       ///< position in the document's `variants`
  QStringList variantIds;      ///< concrete variants it expands to; empty when it cannot be read
  std::optional<Error> error;  ///< why it cannot be read
  [[nodiscard]] bool sweep() const { return variantIds.size() > 1; }
};

/// What reading goes by besides the document.
struct ReadingBasis {
  std::string baseFolder;  ///< resolves relative paths
  plan::MachineDevices machine;
  model::ShapeMemoPtr shapes = {};  ///< of an earlier reading
};

struct DocumentReading {
  /// Where one variant cannot be read, the others; null when none can. Stages may be open.
  std::shared_ptr<plan::Experiment> experiment;
  std::optional<Error> error;  ///< why the whole document cannot be read
  std::vector<VariantTab> tabs;
};
[[nodiscard]] DocumentReading readDocument(const Json& document, const ReadingBasis& basis);

}  // namespace stagelane::ui
