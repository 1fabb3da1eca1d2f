#pragma once

/// The properties of a kind of chart that others use: a row of the table of charts. Only for the
/// files of this folder.

#include <algorithm>
#include <ostream>

#include "ui/plots/chart_parts.h"

namespace stagelane::ui::detail {

/// What determines the size of a chart.
enum class ChartShape {
  Fixed,          ///< the given size
  BarPerVariant,  ///< a bar per variant
  BarPerDevice,   ///< a bar per device of each variant
  RowPerDevice,   ///< a row per device of each variant
};

struct ChartRow {
  const char* word = "";   ///< in `--kind` and object names
  const char* title = "";  ///< on its card, in menus and files
  ChartShape shape = ChartShape::Fixed;
  bool ofMedianStep = false;   ///< from the analyzed steps, available only after the run
  bool tutorialStyle = false;  ///< can look like the PyTorch tutorial
  bool ofFewRuns = false;      ///< of a kind of variant that few runs have: no card without data
  const char* empty = QT_TRANSLATE_NOOP("QObject", "Nothing measured yet");
  const char* need = QT_TRANSLATE_NOOP("QObject", "It needs a measured variant");  ///< to export
  QString (*subtitle)(const record::RunResult&, const ChartOptions&) = nullptr;
  bool (*hasData)(const record::RunResult&, const ChartOptions&) = nullptr;
  void (*draw)(const ChartCanvas&) = nullptr;
  /// The chart's data as a table with its header; begins `variant,repeat,device`, units in the
  /// headers.
  void (*csv)(std::ostream&, const record::RunResult&) = nullptr;
};

/// Whether any variant of the run passes the test.
template <class Test>
[[nodiscard]] bool anyVariant(const record::RunResult& run, Test test) {
  return std::any_of(run.variants.begin(), run.variants.end(), test);
}

}  // namespace stagelane::ui::detail
