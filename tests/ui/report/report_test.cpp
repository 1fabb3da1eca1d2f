#include "ui/report/report.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <tuple>

#include "engine/base/files.h"
#include "tests/ui/report/report_input.h"
#include "ui/kit/text/formatting.h"
#include "ui/report/report_explanation.h"
#include "ui/report/report_settings.h"

namespace stagelane::ui {
namespace {

using namespace test;

TEST(Report, SaysWhichVariantIsFastestAndWhyDevicesWait) {
  const LeadBlock lead = summaryOf(*run());
  EXPECT_TRUE(lead.strong.startsWith(QStringLiteral("<b>fast</b> is fastest: 2.01 s")))
      << lead.strong.toStdString();
  EXPECT_TRUE(lead.strong.contains(QStringLiteral("2.00× (bound 2.50×)")));
  EXPECT_TRUE(lead.text.contains(QStringLiteral("The base is slow")));
  EXPECT_TRUE(
      lead.text.contains(QStringLiteral("cpu:0 is idle 38.0 %, most of it starved by cpu:1")));
  EXPECT_TRUE(lead.text.contains(QStringLiteral("bit for bit")));
}

TEST(Report, OfAnInferenceSpeaksOfOutputsAndLatency) {
  record::RunResult inference = *run();
  for (record::VariantResult& each : inference.variants) {
    if (each.seconds.empty()) continue;
    each.outputCheck = std::move(each.gradientCheck);
    each.gradientCheck.reset();
    each.latency = record::LatencyResult{0.0125, 0.25};
    each.throughput = 640.0;
  }
  ReportInput given = input();
  given.run = std::make_shared<const record::RunResult>(std::move(inference));
  const QString text = toMarkdown(makeReport({given}, {}));
  EXPECT_TRUE(text.contains(QStringLiteral("The outputs of 2 checked variants match the forward")));
  EXPECT_TRUE(text.contains(QStringLiteral("Output check")));
  EXPECT_TRUE(text.contains(QStringLiteral("640.0")));
  EXPECT_FALSE(text.contains(QStringLiteral("plain autograd bit for bit")));
  EXPECT_FALSE(toMarkdown(makeReport({input()}, {})).contains(QStringLiteral("samples/s")));
}

TEST(Report, AsTextHoldsNoControlCharactersOfNames) {
  record::RunResult named = *run();
  named.variants.front().name = "red\033[31m\r\xC2\x9B";
  ReportInput given = input();
  given.run = std::make_shared<const record::RunResult>(std::move(named));
  const QString text = toMarkdown(makeReport({given}, {}));
  EXPECT_TRUE(text.contains(QStringLiteral("red␛")));
  for (const char16_t control : {u'\033', u'\r', u'\x9B'}) {
    EXPECT_FALSE(text.contains(QChar(control))) << static_cast<int>(control);
  }
}

TEST(Report, SaysThatNothingWasMeasured) {
  record::RunResult empty;
  empty.reason = "the engine was killed";
  const LeadBlock lead = summaryOf(empty);
  EXPECT_EQ(lead.strong, QStringLiteral("Nothing was measured."));
  EXPECT_EQ(lead.text, QStringLiteral("The engine was killed."));
}

TEST(Report, OfARunThatFailedBeforeItsFirstVariantHasNoEmptyParts) {
  record::RunResult empty;
  empty.name = "toy";
  empty.status = record::RunStatus::Failed;
  empty.reason = "cuda:7 is not on this machine";
  empty.folder = "/tmp/toy";
  ReportInput given = input();
  given.run = std::make_shared<const record::RunResult>(std::move(empty));
  ReportContents all;
  all.repeats = true;
  const QString text = toMarkdown(makeReport({given}, all));
  for (const char* part : {" on , and", "0 variants", " timing", "## Variants", "Single repeats",
                           "Idle causes", "Gradient check\n"}) {
    EXPECT_FALSE(text.contains(QString::fromUtf8(part))) << part << " in\n" << text.toStdString();
  }
  EXPECT_TRUE(text.contains(QStringLiteral("failed · /tmp/toy"))) << text.toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("Nothing was measured.")));
}

/// "quick" was canceled after one of three repeats; "slow" has all of them.
ReportInput canceledInput() {
  record::RunResult canceled = *run();
  canceled.status = record::RunStatus::Canceled;
  canceled.variants = {variant("slow", 4.0, 3), variant("quick", 2.0, 1)};
  canceled.variants[1].status = record::RunStatus::Canceled;
  canceled.variants[1].reason = "canceled after 1 repeat";
  ReportInput given = input();
  given.run = std::make_shared<const record::RunResult>(std::move(canceled));
  given.experiment = Json::parse(R"({"repeat": 3})");
  return given;
}

TEST(Report, OfARunThatEndedEarlySaysSoAndWhyAndWhatIsKept) {
  record::RunResult failed = *canceledInput().run;
  failed.status = record::RunStatus::Failed;
  failed.reason = "the engine was killed";
  const LeadBlock lead = summaryOf(failed, 3);
  EXPECT_TRUE(lead.strong.startsWith(QStringLiteral("The run failed. slow is fastest: 4.01 s")))
      << lead.strong.toStdString();
  EXPECT_TRUE(lead.text.startsWith(QStringLiteral(
      "The engine was killed. Kept: slow (3 of 3 repeats), quick (1 of 3 repeats).")))
      << lead.text.toStdString();
  failed.variants.clear();
  EXPECT_EQ(summaryOf(failed, 3).strong.toStdString(), "The run failed. Nothing was measured.");
  EXPECT_TRUE(summaryOf(*canceledInput().run, 3)
                  .strong.startsWith(QStringLiteral("The run was canceled. ")));
}

TEST(Report, DoesNotRankAVariantThatEndedEarlyAsIfItWereWhole) {
  const ReportInput given = canceledInput();
  const QString text = toMarkdown(makeReport({given}, {}));
  EXPECT_TRUE(text.contains(QStringLiteral("slow is fastest: ")));
  EXPECT_TRUE(text.contains(QStringLiteral("| quick | 2.00 s (one repeat) | 1 of 3 |")))
      << text.toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("|  | canceled after 1 repeat |")));
  EXPECT_TRUE(text.contains(QStringLiteral("hatched: fewer than 3 repeats")));
  const QString several = toMarkdown(makeReport({given, given}, {}));
  EXPECT_TRUE(several.contains(QStringLiteral("is fastest, with slow: "))) << several.toStdString();
  record::RunResult none = *given.run;
  none.variants.erase(none.variants.begin());
  EXPECT_TRUE(summaryOf(none, 3).strong.contains(
      QStringLiteral("quick is fastest of what was measured: ")));
}

TEST(Report, WritesIdleSharesThatAddUp) {
  EXPECT_EQ(idleSentenceOf(run()->variants.front().devices.front()),
            QStringLiteral("cpu:0 idle 38.0 %: 8.0 warm-up, 30.0 starved by cpu:1"));
  EXPECT_EQ(idleSentenceOf({}), QStringLiteral(" idle 0.0 %"));
}

TEST(Report, SaysWhyTheStepsAreNotFaster) {
  record::RunResult result = *run();
  for (std::size_t i = 0; i < 2; ++i) {
    record::VariantResult& one = result.variants[i];
    one.devices.push_back(one.devices.front());
    one.explanation = Json::parse(R"({"basis": "measured", "ideal_ns": 610000, "parts": [
        {"cause": "contention", "ns": -10000}, {"cause": "imbalance", "ns": 190000},
        {"cause": "warmup", "ns": 0}, {"cause": "waiting", "ns": 210000}], "step_ns": 1000000})");
  }
  ReportInput explained = input();
  explained.run = std::make_shared<const record::RunResult>(result);
  const ReportDocument document = makeReport({explained}, {});
  const QString text = toMarkdown(document);
  EXPECT_TRUE(text.contains(QStringLiteral("Why it is not faster"))) << text.toStdString();
  for (const char* words : {"+ imbalance", "+ waiting", "+ contention", "= step", "190 µs"}) {
    EXPECT_TRUE(text.contains(QString::fromUtf8(words))) << words;
    EXPECT_TRUE(toHtml(document).contains(QString::fromUtf8(words))) << words;
  }
  EXPECT_FALSE(text.contains(QStringLiteral("+ warm-up")));
  EXPECT_TRUE(summaryOf(result).text.contains(
      QStringLiteral("its work would take 61 % of the step; most of the rest is waiting, 21 %")))
      << summaryOf(result).text.toStdString();
  EXPECT_GE(ReportPages(document).count(), 1U);
}

TEST(Report, DoesNotExplainOneDeviceNorWhatItCannotRead) {
  record::RunResult result = *run();
  result.variants[1].explanation =
      Json::parse(R"({"basis": "measured", "ideal_ns": 1, "parts": [], "step_ns": 1})");
  EXPECT_TRUE(explanationTable(result).rows.empty());
  result.variants[1].devices.push_back(result.variants[1].devices.front());
  EXPECT_EQ(explanationTable(result).rows.size(), 1U);
  result.variants[1].explanation["step_ns"] = 2;
  EXPECT_TRUE(explanationTable(result).rows.empty());
  EXPECT_TRUE(explanationSummary(result.variants[1]).isEmpty());
}

TEST(Report, OfManyVariantsPartsItsCharts) {
  record::RunResult many = *run();
  many.variants.assign(30, many.variants.front());
  ReportInput given = input();
  EXPECT_FALSE(toMarkdown(makeReport({given}, {})).contains(QStringLiteral("(1 of ")));
  given.run = std::make_shared<const record::RunResult>(std::move(many));
  const QString text = toMarkdown(makeReport({given}, {}));
  for (const char* title : {"Execution time (3 of 3): mean", "Idle causes: share"}) {
    EXPECT_TRUE(text.contains(QString::fromLatin1(title))) << title;
  }
}

TEST(Report, EscapesWhatPeopleNamedAndLoadsNothing) {
  const QString html = toHtml(makeReport({input()}, {}));
  EXPECT_FALSE(html.contains(QStringLiteral("<script")));
  EXPECT_FALSE(html.contains(QStringLiteral("<b>fast")));
  EXPECT_TRUE(html.contains(QStringLiteral("&lt;b&gt;fast")));
  EXPECT_FALSE(html.contains(QStringLiteral("<image")));
  EXPECT_FALSE(html.contains(QStringLiteral("src=")));
  EXPECT_FALSE(html.contains(QStringLiteral("url(")));
  EXPECT_FALSE(html.contains(QStringLiteral("href=\"http")));
  EXPECT_TRUE(html.contains(QStringLiteral("does not fit: cpu:0 needs 13 GiB")));
  EXPECT_TRUE(html.contains(QStringLiteral("<svg")));
}

TEST(Report, IsLightOrDarkAsTheReaderHasItAndLightOnPaper) {
  const ReportDocument document = makeReport({input()}, {});
  const QString html = toHtml(document);
  const QString when = QStringLiteral("@media screen and (prefers-color-scheme: dark)");
  ASSERT_TRUE(html.contains(when));
  const QString dark = html.mid(html.indexOf(when)).section(QChar(u'}'), 0, 0);
  const QString light = html.left(html.indexOf(when));
  for (const auto& [name, one, other] :
       {std::tuple{"--text: ", lightTheme().control.text, darkTheme().control.text},
        std::tuple{"--panel: ", lightTheme().control.panel, darkTheme().control.panel}}) {
    EXPECT_TRUE(light.contains(QString::fromUtf8(name) + one.name())) << name;
    EXPECT_TRUE(dark.contains(QString::fromUtf8(name) + other.name())) << name;
  }
  // Each chart is there once, in the colors of the page.
  EXPECT_TRUE(html.contains(QStringLiteral("<g style=\"fill:var(--c")));
  EXPECT_FALSE(html.contains(QStringLiteral("class=\"dark\"")));
}

TEST(Report, IsAlwaysLightOrDarkWhereThatIsAskedFor) {
  const ReportDocument document = makeReport({input()}, {});
  const QString light = toHtml(document, ReportTheme::Light);
  EXPECT_FALSE(light.contains(darkTheme().control.panel.name()));
  EXPECT_FALSE(light.contains(QStringLiteral("@media screen")));
  const QString dark = toHtml(document, ReportTheme::Dark);
  EXPECT_TRUE(dark.contains(QStringLiteral("@media screen {")));
  EXPECT_FALSE(dark.contains(QStringLiteral("prefers-color-scheme")));
  EXPECT_EQ(*reportThemeFromWord("dark"), ReportTheme::Dark);
  ASSERT_FALSE(reportThemeFromWord("pink"));
  EXPECT_EQ(reportThemeFromWord("pink").error().code, ErrorCode::Invalid);
}

TEST(Report, LeavesOutWhatIsSwitchedOff) {
  ReportContents none;
  none.charts = none.variants = none.definitions = none.gradients = none.idle = false;
  const QString html = toHtml(makeReport({input()}, none));
  EXPECT_FALSE(html.contains(QStringLiteral("<svg")));
  EXPECT_FALSE(html.contains(QStringLiteral("<table")));
  EXPECT_TRUE(html.contains(QStringLiteral("is fastest")));
}

TEST(Report, QuotesTheCommandThatRepeatsTheRun) {
  const QString text = toMarkdown(makeReport({input()}, {}));
  EXPECT_TRUE(text.contains(QStringLiteral("stagelane run '/tmp/it'\\''s'")));
}

TEST(Report, WritesEachFormatAndRefusesOthers) {
  const QTemporaryDir folder;
  const std::filesystem::path root = utf8(folder.path());
  const ReportDocument document = makeReport({input()}, {});
  for (const char* name : {"r.html", "r.pdf", "r.md"}) {
    ASSERT_TRUE(writeReport(document, root / name).has_value()) << name;
  }
  EXPECT_EQ(readFile(root / "r.pdf")->rfind("%PDF", 0), 0U);
  EXPECT_NE(readFile(root / "r.pdf")->find("/FontFile2"), std::string::npos);
  const Status unknown = writeReport(document, root / "r.docx");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::Invalid);
  const Status nowhere = writeReport(document, "/nowhere/at/all/r.html");
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_EQ(nowhere.error().code, ErrorCode::CannotWrite);
}

TEST(Report, RefusesAFolderThatIsNoRun) {
  const auto read = readReportInput("/nowhere/at/all");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::Invalid);
}

TEST(Report, BeginsWithItsQuestion) {
  ReportInput given = input();
  EXPECT_EQ(questionOf(given, {}).toStdString(),
            "Which of 2 ways to train this model on cpu:0, cpu:1 is fastest, and why are the "
            "others slower?");
  given.experiment = Json{{"model", {{"zoo", "gpt"}}}, {"task", "infer"}};
  EXPECT_TRUE(questionOf(given, {}).contains(QStringLiteral("ways to run gpt on")));
  const ReportContents asked{.question = QStringLiteral("  Is one cut enough? ")};
  const QString text = toMarkdown(makeReport({given}, asked));
  EXPECT_TRUE(text.contains(QStringLiteral("## Question\n\nIs one cut enough?\n")))
      << text.left(400).toStdString();
}

TEST(Report, SaysAllSettings) {
  ReportInput given = input();
  given.experiment = Json::parse(R"({"model": {"zoo": "mlp", "depth": 4},
      "input": {"shape": [32]}, "data": {"batch_size": 16, "batches": 2, "labels": "class",
      "seed": 7}, "loss": "mse", "optimizer": {"kind": "adam", "lr": 0.01}, "repeat": 3,
      "devices": ["cpu:0", {"id": "cpu:1", "max_memory": "8GiB"}], "clip_grad_norm": 0.5})");
  const QString text = toMarkdown(makeReport({given}, {}));
  for (const char* fact :
       {"Model: mlp, depth 4", "2 batches of 16, labels class, seed 7", "Loss: mse",
        "Optimizer: adam, lr 0.01", "Repeats: 3", "cpu:1 (8 GiB)", "Gradient clipping: 0.5"}) {
    EXPECT_TRUE(text.contains(QString::fromLatin1(fact))) << fact << " in " << text.toStdString();
  }
}

TEST(Report, SaysHowNearThePredictionsCame) {
  record::RunResult predicted = *run();
  predicted.variants[0].predicted = record::PredictedResult{"calibrated", 1'010'000, {}, 0.01};
  predicted.variants[1].predicted = record::PredictedResult{"calibrated", 900'000, {}, -0.1};
  const QString text = predictionOf(predicted);
  EXPECT_TRUE(text.contains(QStringLiteral("2 variants (calibrated)"))) << text.toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("The largest error is <b>fast</b>")))
      << text.toStdString();
  EXPECT_TRUE(predictionOf(*run()).isEmpty());
}

TEST(Report, HasThePartsOfEachOfSeveralRuns) {
  const QString text = toMarkdown(makeReport({input(), input()}, {}));
  EXPECT_EQ(text.count(QStringLiteral("## Question")), 1) << "asked once, for all";
  EXPECT_EQ(text.count(QStringLiteral("## Variants")), 2);
  EXPECT_EQ(text.count(QStringLiteral("## Reproduce")), 2);
  EXPECT_EQ(text.count(QStringLiteral("## Definitions")), 1);
}

TEST(Report, OfSeveralRunsSaysWhichIsFastestASampleAndWhatTheyDifferIn) {
  std::vector<ReportInput> runs{input(), input(), input()};
  // The second takes 10 % longer for a repeat of twice the samples; the third was not measured.
  record::RunResult larger = *run();
  larger.name = "larger";
  larger.variants = {variant("fast", 2.2, 3)};
  record::RunResult failed = *run();
  failed.name = "failed";
  failed.variants.clear();
  runs[1].run = std::make_shared<const record::RunResult>(larger);
  runs[2].run = std::make_shared<const record::RunResult>(failed);
  runs[0].experiment = runs[2].experiment = Json::parse(R"({"data": {"batch_size": 10}})");
  runs[1].experiment = Json::parse(R"({"data": {"batch_size": 20}})");
  const QString text = toMarkdown(makeReport(runs, {}));
  EXPECT_TRUE(text.contains(QStringLiteral("**2 · larger is fastest, with fast: ")))
      << text.left(900).toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("+81.9 %, beyond the spread of the repeats (p ")))
      << text.left(900).toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("3 · failed | nothing was measured")))
      << text.left(1600).toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("| batch size | 10 | 20 | 10 |")))
      << text.left(2000).toStdString();
}

TEST(Report, RanksVariantsByTheirMediansAndRunsByTheirMeans) {
  // The smaller median is not the smaller mean. Speed-ups of variants are ratios of medians; runs
  // are compared by Welch's test, which uses means.
  record::RunResult spiky = *run();
  spiky.name = "spiky";
  spiky.variants = {variant("steady", 2.0, 1), variant("spiky", 1.0, 1)};
  spiky.variants[0].seconds = {2.0, 2.0, 2.0};
  spiky.variants[1].seconds = {1.0, 1.0, 8.0};
  for (record::VariantResult& each : spiky.variants) record::fillStatistics(each);
  EXPECT_TRUE(summaryOf(spiky).strong.startsWith(
      QStringLiteral("spiky is fastest: 1.00 s per repeat in the median (mean 3.33")))
      << summaryOf(spiky).strong.toStdString();
  record::RunResult second = spiky;
  second.name = "second";
  spiky.variants.erase(spiky.variants.begin());
  second.variants.pop_back();
  std::vector<ReportInput> runs{input(), input()};
  runs[0].run = std::make_shared<const record::RunResult>(spiky);
  runs[1].run = std::make_shared<const record::RunResult>(second);
  const ReportDocument document = makeReport(runs, {});
  const QString sentence = QStringLiteral("2 · second is fastest, with steady: ");
  EXPECT_TRUE(toMarkdown(document).contains(sentence)) << toMarkdown(document).toStdString();
  EXPECT_TRUE(toHtml(document).contains(sentence));
}

TEST(Report, NeverCallsFastestWhatIsSlowerThanItsBaseByItsSpeedup) {
  record::RunResult noisy = *run();
  noisy.variants = {variant("slow", 3.0, 1), variant("other", 3.0, 1)};
  // The other one has the smaller mean and the larger median.
  noisy.variants[0].seconds = {3.0, 3.0, 9.0};
  noisy.variants[1].seconds = {3.1, 3.1, 3.1};
  for (record::VariantResult& each : noisy.variants) {
    record::fillStatistics(each);
    each.speedup = noisy.variants[0].medianS / each.medianS;
  }
  const LeadBlock lead = summaryOf(noisy);
  EXPECT_TRUE(lead.strong.startsWith(QStringLiteral("slow is fastest: 3.00 s per repeat")))
      << lead.strong.toStdString();
  noisy.variants[1].seconds = {2.9, 2.9, 2.9};
  record::fillStatistics(noisy.variants[1]);
  noisy.variants[1].speedup = 3.0 / 2.9;
  const LeadBlock other = summaryOf(noisy);
  EXPECT_TRUE(other.strong.endsWith(
      QStringLiteral("1.03× (bound 1.67×), which is within the spread of the repeats.")))
      << other.strong.toStdString();
  EXPECT_TRUE(other.text.contains(QStringLiteral("The base is slow, 3.00 s in the median.")))
      << other.text.toStdString();
  EXPECT_FALSE(summaryOf(*run()).strong.contains(QStringLiteral("explains")));
}

TEST(Report, WithoutABaseThereIsNoBound) {
  record::RunResult alone = *run();
  alone.variants = {variant("only", 2.0, 3)};
  alone.variants[0].speedup.reset();
  alone.variants[0].speedupBase.clear();
  alone.variants[0].bound->speedup = 0.0;
  ReportInput given = input();
  given.run = std::make_shared<const record::RunResult>(std::move(alone));
  const QString text = toMarkdown(makeReport({given}, {}));
  EXPECT_FALSE(text.contains(QStringLiteral("0.00×"))) << text.toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("| 3 | – | – | – |"))) << text.toStdString();
}

TEST(Report, ANoteKeepsItsLines) {
  const ReportContents contents{.note = QStringLiteral("first <b>\nsecond")};
  const ReportDocument document = makeReport({input()}, contents);
  EXPECT_TRUE(toHtml(document).contains(QStringLiteral("<p>first &lt;b&gt;<br>\nsecond</p>")));
  EXPECT_TRUE(toMarkdown(document).contains(QStringLiteral("first \\<b>  \nsecond\n")))
      << toMarkdown(document).toStdString();
  const QString pages = textOnPages(ReportPages(document));
  EXPECT_TRUE(pages.contains(QStringLiteral("first &lt;b&gt;<"))) << pages.toStdString();
  EXPECT_TRUE(pages.contains(QStringLiteral(">second<")));
}

TEST(Report, OfDifferentWorkSaysSoBeforeItSaysWhichIsFaster) {
  std::vector<ReportInput> runs{input(), input()};
  runs[0].experiment = Json::parse(R"({"model": {"zoo": "toy"}})");
  runs[1].experiment = Json::parse(R"({"model": {"zoo": "resnet50"}})");
  const QString text = toMarkdown(makeReport(runs, {}));
  const auto different = text.indexOf(QStringLiteral("Different models: a sample is not the same"));
  EXPECT_GT(different, 0);
  EXPECT_LT(different, text.indexOf(QStringLiteral("is fastest")));
}

TEST(Report, SaysWhatIsNoisyAndWhatIsAsFastWithinTheSpread) {
  record::RunResult several = *run();
  several.variants = {variant("first", 2.0, 3), variant("second", 2.005, 3),
                      variant("third", 4.0, 3)};
  several.variants[2].noisy = true;
  const QString text = summaryOf(several).text;
  EXPECT_TRUE(text.contains(QStringLiteral("Not significantly slower: second.")))
      << text.toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("(repeats vary by more than 5 %): third.")))
      << text.toStdString();
  EXPECT_FALSE(summaryOf(*run()).text.contains(QStringLiteral("Noisy")));
}

TEST(Report, OfManyVariantsNamesAFewAndCountsTheRest) {
  record::RunResult many = *run();
  many.variants.clear();
  for (int i = 0; i < 12; ++i) {
    many.variants.push_back(variant("v" + std::to_string(i), 2.0 + 0.001 * i, 3));
    many.variants.back().noisy = true;
  }
  const QString text = summaryOf(many).text;
  EXPECT_TRUE(text.contains(QStringLiteral("Not significantly slower: v1; v2; v3; v4 and 7 more.")))
      << text.toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("v0; v1; v2; v3 and 8 more."))) << text.toStdString();
}

TEST(Report, WhatNeverRanTakesNoRoomInTheCharts) {
  const QString text = toHtml(makeReport({input()}, {}));
  EXPECT_TRUE(text.contains(QStringLiteral("Not in the charts because they were not run: big.")));
  EXPECT_FALSE(text.contains(QStringLiteral(">big</text>"))) << "its name stands below no bar";
  EXPECT_TRUE(text.contains(QStringLiteral(">slow</text>")));
}

TEST(Report, HasTitleAndNoteOfWhoeverMadeIt) {
  ReportContents contents;
  contents.title = QStringLiteral("For Tuesday");
  contents.note = QStringLiteral("  the fan was loud ");
  const ReportDocument document = makeReport({input()}, contents);
  EXPECT_EQ(document.title.toStdString(), "For Tuesday");
  const QString text = toMarkdown(document);
  EXPECT_TRUE(text.startsWith(QStringLiteral("# For Tuesday\n")));
  const auto note = text.indexOf(QStringLiteral("## Note\n\nthe fan was loud\n"));
  EXPECT_GT(note, text.indexOf(QStringLiteral("is fastest")));
  EXPECT_LT(note, text.indexOf(QStringLiteral("## Settings")));
  contents.summary = false;
  EXPECT_TRUE(toMarkdown(makeReport({input()}, contents)).contains(QStringLiteral("the fan was")));
  EXPECT_FALSE(toMarkdown(makeReport({input()}, {})).contains(QStringLiteral("## Note")));
}

TEST(Report, AsMarkdownHasItsPicturesBesideIt) {
  const QTemporaryDir folder;
  const std::filesystem::path path(utf8(folder.filePath(QStringLiteral("my report.md"))));
  ASSERT_TRUE(writeReport(makeReport({input()}, {}), path).has_value());
  const auto text = readFile(path);
  ASSERT_TRUE(text.has_value());
  EXPECT_NE(text->find("](<my report-figures/figure-1.svg>)"), std::string::npos) << *text;
  const auto picture = readFile(path.parent_path() / "my report-figures/figure-1.svg");
  ASSERT_TRUE(picture.has_value());
  EXPECT_NE(picture->find("<svg"), std::string::npos);
}

TEST(Report, SaysWhatRecordingCostAndWhichLayersAreSlowWhereThatIsKnown) {
  ReportInput given = input();
  EXPECT_FALSE(toMarkdown(makeReport({given}, {})).contains(QStringLiteral("Recording overhead")));
  record::RunResult recorded = *run();
  recorded.variants[0].capture = record::CaptureResult{1200, 3, 0.25, std::pair(-0.1, 0.9)};
  given.run = std::make_shared<const record::RunResult>(std::move(recorded));
  given.layersOf = "fast";
  given.layers = {
      {QStringLiteral("layer1.0.conv1"), QStringLiteral("cpu:1"), 1'000'000, 3'000'000, 0.25}};
  const QString text = toMarkdown(makeReport({given}, {}));
  EXPECT_TRUE(text.contains(QStringLiteral("| slow | 1200 | 3 | 0.25 % | -0.10 % to 0.90 % |")))
      << text.toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("| layer1.0.conv1 | cpu:1 | 1.00 ms | 3.00 ms | 25.0")))
      << text.toStdString();
}

}  // namespace
}  // namespace stagelane::ui
