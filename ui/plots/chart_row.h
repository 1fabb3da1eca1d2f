#pragma once

/// A row of the table of charts: everything about a kind of chart that others ask for. Only for the
/// files of this folder.

#include <algorithm>
#include <ostream>

#include "ui/plots/chart_parts.h"

namespace stagelane::ui::detail {

/// What a chart's room grows with.
enum class ChartShape {
  Fixed,          ///< as wide and high as it is given
  BarPerVariant,  ///< a bar for each variant
  BarPerDevice,   ///< of each variant a bar for each device
  RowPerDevice,   ///< a row for each device of each variant
};

struct ChartRow {
  const char* word = "";   ///< of `--kind` and of object names
  const char* title = "";  ///< on its card, in menus and files
  ChartShape shape = ChartShape::Fixed;
  bool ofMedianStep = false;  ///< taken from the analysed steps, which are there after the run only
  bool tutorialStyle = false;                        ///< can be drawn as the PyTorch tutorial does
  const char* empty = "Nothing measured yet";        ///< stands in place of an empty chart
  const char* need = "It needs a measured variant";  ///< why an empty chart cannot be exported
  QString (*subtitle)(const record::RunResult&, const ChartOptions&) = nullptr;
  bool (*hasData)(const record::RunResult&, const ChartOptions&) = nullptr;
  void (*draw)(const ChartCanvas&) = nullptr;
  /// The table behind the chart with its header; begins `variant,repeat,device`, units in the
  /// headers.
  void (*csv)(std::ostream&, const record::RunResult&) = nullptr;
};

/// Whether a variant of the run passes the test.
template <class Test>
[[nodiscard]] bool anyVariant(const record::RunResult& run, Test test) {
  return std::any_of(run.variants.begin(), run.variants.end(), test);
}

}  // namespace stagelane::ui::detail
