#include "ui/report/report.h"

#include <QBuffer>
#include <QDateTime>
#include <QPageSize>
#include <QPdfWriter>
#include <algorithm>
#include <set>

#include "engine/base/files.h"
#include "engine/record/fastest.h"
#include "engine/workspace/run_start.h"
#include "profiler/analysis/layers.h"
#include "profiler/formats/perfetto.h"
#include "ui/kit/text/formatting.h"
#include "ui/report/report_selection.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/run_plan.h"

namespace stagelane::ui {
namespace {

constexpr int kDotsPerInch = 96;

/// The variant's prediction before the run, from the run's costs; null if it no longer matches the
/// prediction that the run recorded.
trace::TracePtr predictedTrace(const RunPlan& run, const record::VariantResult& variant) {
  const plan::Variant* planned = run.experiment.variantById(variant.id);
  if (planned == nullptr || !variant.predicted) return nullptr;
  const auto prediction = ui::predictPlan(run.experiment, *planned, orEstimated(run.table()));
  const bool same = prediction && (*prediction)->stepNs == variant.predicted->stepNs;
  return same ? (*prediction)->trace : nullptr;
}

TimelineDataPtr readTimeline(const std::filesystem::path& path, const trace::TracePtr& predicted) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return nullptr;
  const auto read = formats::readPerfetto(path);
  if (!read) return nullptr;
  const auto steps = analysis::stepsOf(*read->trace);
  if (steps.empty()) return nullptr;
  return std::make_shared<TimelineData>(read->trace, analysis::medianStep(steps), predicted);
}

bool isCanceled(const ReportProgress* progress) { return progress != nullptr && progress->cancel; }

QByteArray toPdf(const ReportDocument& document, ReportProgress* progress) {
  const ReportPages pages(document, progress);
  if (progress != nullptr) progress->begin(static_cast<int>(pages.count()));
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF(0, 0, 0, 0));
  writer.setResolution(kDotsPerInch);
  writer.setTitle(document.title);
  writer.setCreator(u"Stagelane"_s);
  QPainter painter(&writer);
  for (std::size_t page = 0; page < pages.count() && !isCanceled(progress); ++page) {
    if (page > 0) writer.newPage();
    pages.paint(painter, page, PaintMode::Vector);
    if (progress != nullptr) ++progress->done;
  }
  painter.end();
  return buffer.data();
}

constexpr std::size_t kMostLayers = 10;

/// The slowest layers of the fastest variant.
void addLayers(ReportInput& input, const record::RunResult& run) {
  const record::VariantResult* fastest = fastestWhole(run, record::repeatsAsked(&input.experiment));
  const auto found = fastest == nullptr ? input.timelines.end() : input.timelines.find(fastest->id);
  if (found == input.timelines.end()) return;
  const trace::Trace& trace = found->second->trace();
  const auto times = analysis::layerTimes(trace, analysis::Analyzer(trace));
  if (!times || times->busyNs <= 0) return;
  std::vector<analysis::LayerTime> rows = times->rows;
  std::stable_sort(rows.begin(), rows.end(), [](const auto& left, const auto& right) {
    return left.totalNs() > right.totalNs();
  });
  rows.resize(std::min(rows.size(), kMostLayers));
  input.layersOf = fastest->name;
  for (const analysis::LayerTime& row : rows) {
    const bool known = row.device >= 0;
    input.layers.push_back(
        {qstring(std::string(row.name)),
         known ? qstring(trace.devices()[static_cast<std::size_t>(row.device)]) : QString(),
         row.forwardNs, row.backwardNs,
         static_cast<double>(row.totalNs()) / static_cast<double>(times->busyNs)});
  }
}

std::string_view viewOf(const QByteArray& bytes) {
  return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// Writes the pictures to `NAME-figures` beside the text, and the text last.
Status writeMarkdown(const ReportDocument& document, const std::filesystem::path& path,
                     ReportProgress* progress) {
  const std::string folder = path.stem().string() + "-figures";
  const Markdown markdown = toMarkdown(document, qstring(folder), progress);
  if (isCanceled(progress)) return {};
  const std::filesystem::path figures = path.parent_path() / folder;
  std::error_code failed;
  const bool wasThere = std::filesystem::exists(figures, failed);
  // A failure leaves no new folder behind.
  const auto giveUp = [&](const Status& status) {
    std::error_code ignored;
    if (!wasThere) std::filesystem::remove_all(figures, ignored);
    return status;
  };
  if (!markdown.pictures.empty() && !std::filesystem::create_directories(figures, failed) &&
      failed) {
    return fail(ErrorCode::CannotWrite, failed.message(), figures.string(),
                utf8(QObject::tr("Choose a writable folder")));
  }
  for (const MarkdownPicture& picture : markdown.pictures) {
    const Status written = writeFileAtomically(figures / utf8(picture.file), viewOf(picture.svg));
    if (!written) return giveUp(written);
  }
  const Status written = writeFileAtomically(path, utf8(markdown.text));
  return written ? written : giveUp(written);
}

struct FigureLook {
  double width = 0.0;
  ThemeKind theme = ThemeKind::Light;
};

std::vector<std::function<void()>> stepsFor(const ReportDocument& document,
                                            const std::vector<FigureLook>& looks) {
  std::vector<std::function<void()>> steps;
  for (const ReportBlock& block : document.blocks) {
    const auto* figure = std::get_if<FigureBlock>(&block);
    if (figure == nullptr || !figure->layOut) continue;
    for (const FigureLook& look : looks) {
      steps.push_back([figure, look] { figure->layOut(look.width, themeOf(look.theme)); });
    }
  }
  return steps;
}

}  // namespace

Result<ReportInput> readReportInput(const std::filesystem::path& folder, ReportProgress* progress) {
  STAGELANE_TRY(run, record::openRun(folder));
  const record::RunFolder files{folder};
  ReportInput input;
  input.experiment = readJsonFile(files.experiment().string()).value_or(Json());
  input.environment = readJsonFile(files.environment().string()).value_or(Json());
  input.started = QDateTime::fromString(qstring(workspace::startOf(files)), Qt::ISODate)
                      .toString(u"d MMM yyyy, hh:mm"_s);
  const GoesOn goesOn = [progress] { return !isCanceled(progress); };
  input.run = std::make_shared<const record::RunResult>(std::move(*run));
  const RunResultPtr pictured = picturedRun(input);
  std::set<std::string> needed;
  for (const auto& variant : pictured->variants) needed.insert(variant.id);
  const auto planned = readRunPlan(
      folder, goesOn, [&](const plan::Variant& variant) { return needed.count(variant.id) > 0; });
  if (progress != nullptr) progress->begin(static_cast<int>(pictured->variants.size()) + 1);
  for (const auto& variant : pictured->variants) {
    if (isCanceled(progress)) break;
    if (progress != nullptr) ++progress->done;
    if (variant.seconds.empty()) continue;
    const trace::TracePtr predicted = planned ? predictedTrace(*planned, variant) : nullptr;
    if (auto timeline = readTimeline(files.trace(variant.id), predicted)) {
      input.timelines[variant.id] = std::move(timeline);
    }
  }
  addLayers(input, *pictured);
  if (planned) input.predictedSeconds = predictedRepeats(*planned, goesOn);
  if (!planned) input.planProblem = planned.error();
  return input;
}

std::vector<std::function<void()>> layoutSteps(const ReportDocument& document) {
  return stepsFor(document, {{pageFigureRoom().width(), ThemeKind::Light}});
}

std::vector<std::function<void()>> layoutSteps(const ReportDocument& document,
                                               const std::filesystem::path& path,
                                               ReportTheme theme) {
  const std::string suffix = path.extension().string();
  if (suffix == ".pdf") return layoutSteps(document);
  std::vector<FigureLook> looks{{htmlFigureWidth(), ThemeKind::Light}};
  if (suffix != ".md" && theme != ReportTheme::Light) {
    looks.push_back({htmlFigureWidth(), ThemeKind::Dark});
  }
  return stepsFor(document, looks);
}

Status writeReport(const ReportDocument& document, const std::filesystem::path& path,
                   ReportTheme theme, ReportProgress* progress) {
  const std::string suffix = path.extension().string();
  if (suffix == ".html" || suffix == ".htm") {
    const QString html = toHtml(document, theme, progress);
    return isCanceled(progress) ? Status() : writeFileAtomically(path, utf8(html));
  }
  if (suffix == ".md") return writeMarkdown(document, path, progress);
  if (suffix == ".pdf") {
    const QByteArray bytes = toPdf(document, progress);
    return isCanceled(progress) ? Status() : writeFileAtomically(path, viewOf(bytes));
  }
  return refused(QObject::tr("unknown report format"),
                 QObject::tr("Use a file name that ends in .html, .pdf or .md"), path.string());
}

}  // namespace stagelane::ui
