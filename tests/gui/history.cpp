#include "tests/gui/history.h"

#include <gtest/gtest.h>

#include <QDir>

#include "engine/base/files.h"
#include "engine/record/event_writer.h"
#include "engine/record/run_record.h"
#include "tests/gui/experiments.h"
#include "tests/support/paths.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::gui {
namespace {

record::VariantResult variantOf(const PastRun& run, const std::string& id, double factor) {
  record::VariantResult variant;
  variant.id = id;
  variant.name = id;
  variant.strategy = id == "single" ? "single" : "pipeline";
  variant.schedule = id == "single" ? "" : "1f1b";
  variant.splitSize = 5;
  variant.placement = Json::object();
  variant.status = record::RunStatus::Done;
  for (const double seconds : run.seconds) variant.seconds.push_back(seconds * factor);
  record::fillStatistics(variant);
  variant.noisy = variant.stdS > 0.05 * variant.meanS;
  variant.stepNs = static_cast<TimeNs>(variant.medianS * 1e9);
  variant.speedup = 1.5 / factor;
  variant.speedupBase = "single";
  variant.devices = {{"cpu:0", variant.stepNs / 2, 0.5, {}, {}, 1000, 1 << 20, {}},
                     {"cpu:1", variant.stepNs / 4, 0.25, {}, {}, 1000, 2 << 20, {}}};
  record::GradientCheckResult check;
  check.bitEqual = true;
  variant.gradientCheck = check;
  return variant;
}

Json membersOfEnd(const PastRun& run) {
  return run.ending == QStringLiteral("failed")
             ? record::errorMembers({ErrorCode::OutOfMemory, ui::utf8(run.reason), "cpu:1", ""})
             : Json::object();
}

}  // namespace

QString writePastRun(const QString& runs, const PastRun& run) {
  const QString path = QDir(runs).filePath(run.folder);
  QDir().mkpath(path + QStringLiteral("/traces"));
  const record::RunFolder folder{ui::utf8(path)};
  auto toy = readJsonFile(checkout::root() + "/resources/presets/toy.json");
  EXPECT_TRUE(toy);
  (*toy)["name"] = ui::utf8(run.name);
  (*toy)["data"]["batch_size"] = run.batchSize;
  EXPECT_TRUE(writeFileAtomically(folder.experiment(), toy->dump(1)));
  EXPECT_TRUE(writeFileAtomically(folder.environment(), R"({"stagelane": "1.0", "cpu": "Some"})"));
  auto writer = record::EventWriter::open(folder, false);
  EXPECT_TRUE(writer);
  record::RunResult plan;
  plan.name = ui::utf8(run.name);
  plan.timing = "steady";
  plan.devices = {"cpu:0", "cpu:1"};
  std::vector<record::VariantResult> variants{variantOf(run, "pipeline", 1.0),
                                              variantOf(run, "single", 1.5)};
  for (int i = 0; i < run.further; ++i) {
    variants.push_back(variantOf(run, "pipeline-" + std::to_string(i + 2), 1.1));
  }
  for (record::VariantResult variant : variants) {
    variant.status = record::RunStatus::Running;
    variant.seconds.clear();
    plan.variants.push_back(variant);
  }
  EXPECT_TRUE((*writer)->write("started", record::startedMembers(plan)));
  for (const record::VariantResult& variant : variants) {
    for (const double seconds : variant.seconds) {
      EXPECT_TRUE((*writer)->write("measurement", {{"variant", variant.id}, {"seconds", seconds}}));
    }
    if (run.ending == QStringLiteral("done")) {
      EXPECT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(variant)));
    }
  }
  const QString last = run.ending == QStringLiteral("done")     ? QStringLiteral("finished")
                       : run.ending == QStringLiteral("failed") ? QStringLiteral("error")
                                                                : run.ending;
  if (last != QStringLiteral("killed")) {
    EXPECT_TRUE((*writer)->write(ui::utf8(last), membersOfEnd(run)));
  }
  return path;
}

void writePastRuns(const QString& runs) {
  const QString done = QStringLiteral("done");
  writePastRun(runs, {.folder = QStringLiteral("20261119-104400-toy"),
                      .name = QStringLiteral("Toy, first try"),
                      .ending = done,
                      .seconds = {0.30, 0.31, 0.29}});
  writePastRun(runs, {.folder = QStringLiteral("20261120-091500-toy"),
                      .name = QStringLiteral("Toy, larger batch"),
                      .ending = done,
                      .seconds = {0.40, 0.41, 0.39},
                      .batchSize = 40});
  writePastRun(runs, {.folder = QStringLiteral("20261120-174800-tower"),
                      .name = QStringLiteral("Tower of layers"),
                      .ending = done,
                      .seconds = {0.2, 0.3, 0.1}});
  writePastRun(runs, {.folder = QStringLiteral("20261121-093000-tower"),
                      .name = QStringLiteral("Tower of layers"),
                      .ending = QStringLiteral("failed"),
                      .seconds = {0.2}});
  writePastRun(runs, {.folder = QStringLiteral("20261121-101200-tower"),
                      .name = QStringLiteral("Tower, six workers"),
                      .ending = QStringLiteral("canceled"),
                      .seconds = {0.2, 0.21}});
}

}  // namespace stagelane::gui
