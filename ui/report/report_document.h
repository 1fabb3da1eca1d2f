#pragma once

/// A report as a list of blocks, independent of the format. HTML, PDF, Markdown and the preview are
/// all made from it, so that they agree. Its text is plain; each writer escapes it.

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
  bool newPage = false;  ///< starts a new page in formats with pages
};
/// The key sentence, then the rest of the paragraph.
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
  QString instead;  ///< text from the second cell on if there are no numbers
  bool strong = false;
};
struct TableBlock {
  QStringList header;  ///< the first column is left-aligned, the others right-aligned
  std::vector<TableRow> rows;
  QString note;
};
struct CodeBlock {
  QString text;
};
/// A drawing, laid out for a width of 96ths of an inch.
struct FigureBlock {
  QString title;  ///< also for screen readers
  std::function<double(double width)> height;
  std::function<void(QPainter&, QSizeF, PaintMode, const Theme&)> paint;
  /// Prepares vectors for `paint` with this width and theme, which can then run in any thread. Call
  /// it in the window's thread, because it needs widgets; it takes a few milliseconds. Empty:
  /// `paint` runs in any thread without preparation.
  std::function<void(double width, const Theme& theme)> layOut{};
};

using ReportBlock = std::variant<TitleBlock, LeadBlock, HeadingBlock, ParagraphBlock, FactsBlock,
                                 TableBlock, CodeBlock, FigureBlock>;

struct ReportDocument {
  QString title;
  QString footer;
  std::vector<ReportBlock> blocks;
};

/// Optional parts.
struct ReportContents {
  bool summary = true, variants = true, charts = true, timelines = true, idle = true,
       gradients = true, machine = true, definitions = true, repeats = false;
  QString question{};  ///< empty: derived from the run
  bool prediction = true;
  QString title{};  ///< empty: the experiment's name
  QString note{};   ///< the author's note
};

/// A layer of the fastest variant, from a step with recorded operators.
struct LayerRow {
  QString layer, device;
  TimeNs forwardNs = 0, backwardNs = 0;
  double share = 0.0;  ///< of all busy time, 0 … 1
};

/// A run and the other contents of its folder.
struct ReportInput {
  std::shared_ptr<const record::RunResult> run;
  Json experiment, environment;                      ///< null if the file cannot be read
  std::map<std::string, TimelineDataPtr> timelines;  ///< median step by variant id
  QString started{};                                 ///< "21 Nov 2026, 10:31"; empty: unknown
  std::map<std::string, double> predictedSeconds{};  ///< a repeat of each pipeline, by variant id
  std::string layersOf{};                            ///< the variant of `layers`
  std::vector<LayerRow> layers{};                    ///< the slowest ones, if they were recorded
  std::optional<Error> planProblem{};                ///< why there are no predictions
};

/// "NAME is fastest: …" and the reasons. For a run that ended early, why, and what was measured.
/// Uses only numbers of the run. `asked`: repeats of each variant, 0: unknown.
[[nodiscard]] LeadBlock summaryOf(const record::RunResult& run, int asked = 0);
/// "cpu:1 idle 38.0 %: 21.0 warm-up, 12.0 starved by cpu:0, …"; parts add up.
[[nodiscard]] QString idleSentenceOf(const record::DeviceResult& device);

/// @thread any
[[nodiscard]] ReportDocument makeReport(const std::vector<ReportInput>& runs,
                                        const ReportContents& contents);

}  // namespace stagelane::ui
