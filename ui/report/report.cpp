#include "ui/report/report.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>

#include "engine/base/files.h"
#include "profiler/formats/perfetto.h"
#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kDotsPerInch = 96;

Json readJson(const std::filesystem::path& path) {
  const auto text = readFile(path);
  return text ? Json::parse(*text, nullptr, false) : Json();
}

TimelineDataPtr readTimeline(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return nullptr;
  const auto read = formats::readPerfetto(path);
  if (!read) return nullptr;
  const auto steps = analysis::stepsOf(*read->trace);
  if (steps.empty()) return nullptr;
  return std::make_shared<TimelineData>(read->trace, analysis::medianStep(steps), nullptr);
}

QByteArray toPdf(const ReportDocument& document) {
  const ReportPages pages(document);
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF(0, 0, 0, 0));
  writer.setResolution(kDotsPerInch);
  writer.setTitle(document.title);
  writer.setCreator(QStringLiteral("Stagelane"));
  QPainter painter(&writer);
  for (std::size_t page = 0; page < pages.count(); ++page) {
    if (page > 0) writer.newPage();
    pages.paint(painter, page, PaintMode::Vector);
  }
  painter.end();
  return buffer.data();
}

}  // namespace

Result<ReportInput> readReportInput(const std::filesystem::path& folder) {
  auto run = record::openRun(folder);
  if (!run) return tl::make_unexpected(run.error());
  const record::RunFolder files{folder};
  ReportInput input;
  input.experiment = readJson(files.experiment());
  input.environment = readJson(files.environment());
  for (const auto& variant : run->variants) {
    if (variant.seconds.empty()) continue;
    if (auto timeline = readTimeline(files.trace(variant.id))) {
      input.timelines[variant.id] = std::move(timeline);
    }
  }
  input.run = std::make_shared<const record::RunResult>(std::move(*run));
  return input;
}

Status writeReport(const ReportDocument& document, const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (suffix == ".html" || suffix == ".htm") {
    return writeFileAtomically(path, utf8(toHtml(document)));
  }
  if (suffix == ".md") return writeFileAtomically(path, utf8(toMarkdown(document)));
  if (suffix == ".pdf") {
    const QByteArray bytes = toPdf(document);
    return writeFileAtomically(
        path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
  }
  return fail(ErrorCode::Invalid, "this kind of report is not known", path.string(),
              "Name a file that ends in .html, .pdf or .md");
}

}  // namespace stagelane::ui
