#include "ui/report/report_comparison.h"

#include <algorithm>
#include <map>

#include "engine/record/fastest.h"
#include "profiler/analysis/statistics.h"
#include "ui/kit/text/formatting.h"
#include "ui/report/report_selection.h"
#include "ui/report/report_settings.h"
#include "ui/session/document/setting_text.h"
#include "ui/session/run/run_comparison.h"
#include "ui/session/run/run_words.h"

namespace stagelane::ui {
namespace {

/// The fastest variant of a run, and the times of its repeats in seconds per sample.
struct Contender {
  QString name;
  int repeatsAsked = 0;
  const record::VariantResult* variant = nullptr;
  std::vector<double> seconds;
  analysis::Summary summary;
};

double samplesOf(const ReportInput& input) {
  const auto number = [&input](const char* pointer) {
    const Json value = input.experiment.is_object()
                           ? input.experiment.value(Json::json_pointer(pointer), Json(1))
                           : Json(1);
    return value.is_number() ? std::max(1.0, value.get<double>()) : 1.0;
  };
  return number("/data/batch_size") * number("/data/batches");
}

std::vector<Contender> contendersOf(const std::vector<ReportInput>& runs) {
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const int asked = record::repeatsAsked(&runs[i].experiment);
    Contender contender{numberedName(runs, i), asked, fastestWhole(*runs[i].run, asked), {}, {}};
    if (contender.variant != nullptr) {
      for (const double seconds : contender.variant->seconds) {
        contender.seconds.push_back(seconds / samplesOf(runs[i]));
      }
      contender.summary = analysis::summarize(contender.seconds);
    }
    contenders.push_back(std::move(contender));
  }
  return contenders;
}

const Contender* firstOf(const std::vector<Contender>& contenders) {
  const Contender* first = nullptr;
  for (const Contender& contender : contenders) {
    const bool faster = first == nullptr || contender.summary.mean < first->summary.mean;
    first = contender.variant != nullptr && faster ? &contender : first;
  }
  return first;
}

QString spreadOf(const Contender& contender) {
  return contender.seconds.size() < 2 ? secondsText(contender.summary.mean)
                                      : u"%1 ± %2"_s.arg(secondsText(contender.summary.mean),
                                                         secondsText(contender.summary.std));
}

/// "+12.0 %, beyond the spread of the repeats (p = 0.003)"
QString behindText(const Contender& contender, const Contender& first) {
  const QString more = percentDifferenceText(contender.summary.mean / first.summary.mean - 1.0);
  const auto test = analysis::welchTest(first.seconds, contender.seconds);
  if (!test) return more + u", unknown spread"_s;
  return u"%1, %2 the spread of the repeats (%3)"_s.arg(
      more, test->p < kSignificantP ? u"beyond"_s : u"within"_s,
      test->p < 0.001 ? u"p < 0.001"_s : u"p = %1"_s.arg(test->p, 0, 'g', 2));
}

/// Runs of different work cannot show which training method is fastest.
QString otherWorkText(const std::vector<ReportInput>& runs) {
  std::vector<const Json*> experiments;
  for (const ReportInput& run : runs) experiments.push_back(&run.experiment);
  const QString different = differentWork(experiments, WorkOf::Sample);
  return different.isEmpty()
             ? QString()
             : u"Different %1: a sample is not the same work in these runs."_s.arg(different);
}

LeadBlock leadOf(const std::vector<Contender>& contenders) {
  const Contender* first = firstOf(contenders);
  if (first == nullptr) return {u"Nothing was measured."_s, {}};
  QStringList rest;
  for (const Contender& contender : contenders) {
    if (&contender == first || contender.variant == nullptr) continue;
    rest << u"%1: %2."_s.arg(contender.name, behindText(contender, *first));
  }
  return {u"%1 is fastest, with %2: %3 per sample."_s.arg(
              first->name, qstring(first->variant->name), spreadOf(*first)),
          rest.join(QChar(u' '))};
}

TableBlock contenderTable(const std::vector<Contender>& contenders) {
  TableBlock table;
  table.header = {u"Run"_s, u"fastest variant"_s, u"per sample"_s, u"per repeat"_s,
                  u"n"_s,   u"speed-up"_s,        u"more time"_s};
  const Contender* first = firstOf(contenders);
  for (const Contender& contender : contenders) {
    if (contender.variant == nullptr) {
      table.rows.push_back({{contender.name}, u"nothing was measured"_s, false});
      continue;
    }
    const record::VariantResult& variant = *contender.variant;
    table.rows.push_back(
        {{contender.name, qstring(variant.name), spreadOf(contender), secondsText(variant.meanS),
          repeatsDoneText(variant, contender.repeatsAsked),
          variant.speedup ? timesText(*variant.speedup) : u"–"_s,
          &contender == first
              ? u"–"_s
              : percentDifferenceText(contender.summary.mean / first->summary.mean - 1.0)},
         {},
         &contender == first});
  }
  table.note =
      u"The variant with the smallest median of each run. Mean ± standard deviation; per sample: "
      "the time of a repeat divided by its samples."_s;
  return table;
}

/// Every setting in which a run differs from the first one.
TableBlock settingsTable(const std::vector<ReportInput>& runs) {
  std::map<std::string, QStringList> rows;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    for (const auto& setting : settingDifferences(runs[0].experiment, runs[i].experiment)) {
      auto row = rows.find(setting.pointer);
      if (row == rows.end()) {
        // A run without a difference has the value of the first one.
        QStringList values;
        values.fill(settingText(setting.left), static_cast<qsizetype>(runs.size()));
        row = rows.emplace(setting.pointer, std::move(values)).first;
      }
      row->second[static_cast<qsizetype>(i)] = settingText(setting.right);
    }
  }
  TableBlock table;
  table.header = {u"Setting"_s};
  for (std::size_t i = 0; i < runs.size(); ++i) table.header << numberedName(runs, i);
  for (const auto& [pointer, values] : rows) {
    table.rows.push_back({QStringList{settingName(pointer)} + values, {}, false});
  }
  return table;
}

}  // namespace

QString numberedName(const std::vector<ReportInput>& runs, std::size_t run) {
  return u"%1 · %2"_s.arg(run + 1).arg(qstring(runs[run].run->name));
}

void addComparison(const std::vector<ReportInput>& runs, const ReportContents& contents,
                   std::vector<ReportBlock>& blocks) {
  if (runs.size() < 2) return;
  QStringList names;
  for (std::size_t i = 0; i < runs.size(); ++i) names << numberedName(runs, i);
  const QString title = contents.title.trimmed();
  const QString question = contents.question.trimmed();
  blocks.emplace_back(TitleBlock{title.isEmpty() ? u"%1 runs compared"_s.arg(runs.size()) : title,
                                 names.join(u", "_s)});
  blocks.emplace_back(HeadingBlock{u"Question"_s});
  blocks.emplace_back(ParagraphBlock{
      question.isEmpty()
          ? u"Which of %1 runs takes the least time per sample, and is the difference larger "
            "than the spread of the repeats?"_s.arg(runs.size())
          : question});
  const std::vector<Contender> contenders = contendersOf(runs);
  if (const QString other = otherWorkText(runs); !other.isEmpty()) {
    blocks.emplace_back(ParagraphBlock{other});
  }
  blocks.emplace_back(leadOf(contenders));
  blocks.emplace_back(HeadingBlock{u"Runs"_s});
  blocks.emplace_back(contenderTable(contenders));
  if (TableBlock settings = settingsTable(runs); !settings.rows.empty()) {
    blocks.emplace_back(HeadingBlock{u"Settings that differ"_s});
    appendRows(std::move(settings), blocks);
  }
}

}  // namespace stagelane::ui
