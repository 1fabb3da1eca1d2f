#pragma once

/// A report as a list of blocks: what it says, before any format. HTML, PDF, Markdown and the page
/// preview are all made from this, so they say the same. Text in it is plain; each writer escapes.

#include <QPainter>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "ui/tracks/timeline_data.h"
#include "ui/tracks/timeline_painter.h"

namespace stagelane::ui {

struct TitleBlock {
  QString title, subtitle;
  bool newPage = false;  ///< begins one, where there are pages
};
/// The sentence that matters first, then the rest of the paragraph.
struct LeadBlock {
  QString strong, text;
};
struct HeadingBlock {
  QString text;
};
struct ParagraphBlock {
  QString text;
};
/// Names with values, side by side.
struct FactsBlock {
  std::vector<std::pair<QString, QString>> facts;
};
struct TableRow {
  QStringList cells;
  QString instead;  ///< over the row from the second cell on: why there are no numbers
  bool strong = false;
};
struct TableBlock {
  QStringList header;  ///< the first column is aligned left, the others right
  std::vector<TableRow> rows;
  QString note;
};
struct CodeBlock {
  QString text;
};
/// A drawing, laid out for a width of 96ths of an inch.
struct FigureBlock {
  QString title;  ///< also what a screen reader says
  std::function<double(double width)> height;
  std::function<void(QPainter&, QSizeF, PaintMode, const Theme&)> paint;
  /// Makes ready what `paint` of this width and theme, as vectors, then shows from any thread.
  /// Needs widgets: in the window's thread, a few milliseconds. Empty: painted in any thread as it
  /// is.
  std::function<void(double width, const Theme& theme)> layOut{};
};

using ReportBlock = std::variant<TitleBlock, LeadBlock, HeadingBlock, ParagraphBlock, FactsBlock,
                                 TableBlock, CodeBlock, FigureBlock>;

struct ReportDocument {
  QString title;
  QString footer;
  std::vector<ReportBlock> blocks;
};

/// What a reader may leave out.
struct ReportContents {
  bool summary = true, variants = true, charts = true, timelines = true, idle = true,
       gradients = true, machine = true, definitions = true, repeats = false;
  QString question{};  ///< what the report answers; empty: made of the run
  bool prediction = true;
  QString title{};  ///< empty: the experiment's name
  QString note{};   ///< whoever makes the report has the last word
};

/// A layer of the fastest variant, in a step that was recorded with operators.
struct LayerRow {
  QString layer, device;
  TimeNs forwardNs = 0, backwardNs = 0;
  double share = 0.0;  ///< of all busy time, 0 … 1
};

/// A run with what its folder holds beside the result.
struct ReportInput {
  std::shared_ptr<const record::RunResult> run;
  Json experiment, environment;                      ///< null where the file cannot be read
  std::map<std::string, TimelineDataPtr> timelines;  ///< median step by variant id
  QString started{};                                 ///< "21 Nov 2026, 10:31"; empty: not known
  std::map<std::string, double> predictedSeconds{};  ///< a repeat of each pipeline, by variant id
  std::string layersOf{};                            ///< the variant that `layers` is of
  std::vector<LayerRow> layers{};                    ///< the slowest ones, if they were recorded
};

/// "NAME is fastest: …", and what explains it; of a run that ended before its time why, and what is
/// kept of it. Made of numbers of the run only. `asked`: repeats of each variant, 0: not known.
[[nodiscard]] LeadBlock summaryOf(const record::RunResult& run, int asked = 0);
/// "cpu:1 idle 38.0 %: 21.0 warm-up, 12.0 starved by cpu:0, …"; parts add up.
[[nodiscard]] QString idleSentenceOf(const record::DeviceResult& device);

/// @thread any
[[nodiscard]] ReportDocument makeReport(const std::vector<ReportInput>& runs,
                                        const ReportContents& contents);

}  // namespace stagelane::ui
