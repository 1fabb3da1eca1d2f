#pragma once

/// A small run for tests of reports, with two measured variants and one that did not fit; and the
/// text of a report's pages.

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <memory>
#include <string>

#include "ui/report/report.h"

namespace stagelane::ui::test {

inline record::VariantResult variant(const std::string& name, double seconds, int repeats) {
  record::VariantResult result;
  result.id = name;
  result.name = name;
  result.strategy = "pipeline";
  result.splitSize = 20;
  result.status = record::RunStatus::Done;
  for (int i = 0; i < repeats; ++i) result.seconds.push_back(seconds + 0.01 * i);
  record::fillStatistics(result);
  result.speedup = 4.0 / seconds;
  result.speedupBase = "slow";
  result.bound = record::BoundResult{1, 1, 5.0 / seconds};
  result.stepNs = 1'000'000;
  record::DeviceResult device;
  device.id = "cpu:0";
  device.busyNs = 620'000;
  device.utilisation = 0.62;
  device.idle = {{"warmup", 80'000}, {"starved", 300'000}};
  device.starvedBy = {{"cpu:1", 300'000}};
  result.devices = {device};
  result.gradientCheck = record::GradientCheckResult{true, 0.0, "plain autograd", {}};
  return result;
}

inline std::shared_ptr<const record::RunResult> run() {
  record::RunResult result;
  result.name = "<script>alert(1)</script> & \"two\"";
  result.status = record::RunStatus::Done;
  result.timing = "steady";
  result.folder = "/tmp/it's";
  result.devices = {"cpu:0", "cpu:1"};
  result.variants = {variant("slow", 4.0, 3), variant("<b>fast</b>", 2.0, 3)};
  record::VariantResult big;
  big.id = big.name = "big";
  big.status = record::RunStatus::NotRun;
  big.reason = "does not fit: cpu:0 needs 13 GiB";
  big.failure = Failure{FailureKind::DoesNotFit, "big", {"cpu:0"}};
  result.variants.push_back(big);
  return std::make_shared<const record::RunResult>(std::move(result));
}

inline ReportInput input() {
  return {.run = run(), .experiment = {}, .environment = {}, .timelines = {}};
}

/// All that is written on the pages, line by line.
inline QString textOnPages(const ReportPages& pages) {
  QString text;
  for (std::size_t page = 0; page < pages.count(); ++page) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    QPainter painter(&generator);
    pages.paint(painter, page, PaintMode::Vector);
    painter.end();
    text += QString::fromUtf8(buffer.data());
  }
  return text;
}

}  // namespace stagelane::ui::test
