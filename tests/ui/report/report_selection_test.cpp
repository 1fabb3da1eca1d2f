#include "ui/report/report_selection.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/report/report_input.h"

namespace stagelane::ui {
namespace {

constexpr int kVariants = 5000;

/// The base "slow" and `kVariants` others, the later the faster: "v0" … "v4999".
RunResultPtr sweepRun() {
  record::RunResult result = *test::run();
  result.variants = {test::variant("slow", 100.0, 3)};
  for (int i = 0; i < kVariants; ++i) {
    result.variants.push_back(test::variant("v" + std::to_string(i), 90.0 - 0.01 * i, 3));
  }
  return std::make_shared<const record::RunResult>(std::move(result));
}

ReportInput sweepInput() {
  ReportInput input = test::input();
  input.run = sweepRun();
  return input;
}

template <class Block>
std::vector<const Block*> blocksOf(const ReportDocument& document) {
  std::vector<const Block*> found;
  for (const ReportBlock& block : document.blocks) {
    if (const auto* one = std::get_if<Block>(&block)) found.push_back(one);
  }
  return found;
}

bool says(const ReportDocument& document, const char* sentence) {
  const auto paragraphs = blocksOf<ParagraphBlock>(document);
  return std::any_of(paragraphs.begin(), paragraphs.end(), [&](const ParagraphBlock* block) {
    return block->text == QString::fromUtf8(sentence);
  });
}

TEST(ReportSelection, KeepsTheBaseAndTheFastestInTheOrderOfTheRun) {
  const RunResultPtr run = sweepRun();
  const RunResultPtr best = withBest(run, 3, 0);
  ASSERT_EQ(best->variants.size(), 3U);
  EXPECT_EQ(best->variants[0].id, "slow");
  EXPECT_EQ(best->variants[1].id, "v4998");
  EXPECT_EQ(best->variants[2].id, "v4999");
  EXPECT_EQ(best->name, run->name);
  EXPECT_EQ(best->devices, run->devices);
  EXPECT_EQ(withBest(run, run->variants.size(), 0), run);
}

TEST(ReportSelection, PrefersWholeVariantsAndLeavesOutThoseThatNeverRanFirst) {
  record::RunResult run = *test::run();
  run.variants = {test::variant("left", 0.1, 0), test::variant("not run", 0.1, 0),
                  test::variant("failed", 0.1, 0), test::variant("cut short", 1.0, 1),
                  test::variant("whole", 2.0, 3)};
  run.variants[0].included = false;
  run.variants[0].status = run.variants[1].status = record::RunStatus::NotRun;
  run.variants[2].status = record::RunStatus::Failed;
  for (std::size_t most = 1; most < run.variants.size(); ++most) {
    const auto best = withBest(std::make_shared<const record::RunResult>(run), most, 3);
    ASSERT_EQ(best->variants.size(), most);
    EXPECT_EQ(best->variants.front().id, run.variants[run.variants.size() - most].id);
    EXPECT_EQ(best->variants.back().id, "whole");
  }
}

TEST(ReportSelection, AReportOfManyVariantsShowsTheFastestAndSaysSo) {
  ReportContents contents;
  contents.repeats = true;
  const ReportDocument document = makeReport({sweepInput()}, contents);
  ASSERT_FALSE(blocksOf<TableBlock>(document).empty());
  for (const TableBlock* table : blocksOf<TableBlock>(document)) {
    EXPECT_LE(table->rows.size(), kMostRows);
  }
  const TableBlock& variants = *blocksOf<TableBlock>(document).front();
  ASSERT_EQ(variants.rows.size(), kMostTabled);
  EXPECT_EQ(variants.rows.front().cells.front().toStdString(), "slow");
  EXPECT_EQ(variants.rows[1].cells.front().toStdString(), "v4001");
  EXPECT_EQ(variants.rows.back().cells.front().toStdString(), "v4999");
  EXPECT_TRUE(variants.rows.back().strong);
  EXPECT_TRUE(says(document,
                   "And 4001 more variants: the tables show the fastest ones, and the run's "
                   "result.json has all."));
  EXPECT_TRUE(says(document,
                   "Charts, timelines and the paragraphs on single variants are limited to 100 of "
                   "5001 variants, the fastest ones."));
  EXPECT_TRUE(says(document, "And 1000 more rows, which are not shown.")) << "of single repeats";
  EXPECT_TRUE(says(document,
                   "The gradients of 5001 checked variants match plain autograd bit for "
                   "bit."))
      << "summaries count all variants";
  EXPECT_LT(blocksOf<FigureBlock>(document).size(), kMostPictured);
  EXPECT_LT(blocksOf<ParagraphBlock>(document).size(), kMostPictured + 20);
}

TEST(ReportSelection, AReportOfFewVariantsShowsAllWithoutASentence) {
  const QString text = toMarkdown(makeReport({test::input()}, {}));
  EXPECT_FALSE(text.contains(QStringLiteral("more variant"))) << text.toStdString();
  EXPECT_FALSE(text.contains(QStringLiteral("limited to")));
}

TEST(ReportSelection, OnlyShownVariantsAreReadFromTheFolder) {
  const stagelane::test::TemporaryFolder folder;
  ASSERT_TRUE(
      writeFileAtomically(folder.path() / "result.json", record::toJson(*sweepRun()).dump()));
  ReportProgress progress;
  const auto input = readReportInput(folder.path(), &progress);
  ASSERT_TRUE(input) << describe(input.error());
  EXPECT_EQ(input->run->variants.size(), kVariants + 1U);
  EXPECT_EQ(progress.of.load(), static_cast<int>(kMostPictured) + 1);
}

}  // namespace
}  // namespace stagelane::ui
