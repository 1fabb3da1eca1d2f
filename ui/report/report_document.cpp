#include "ui/report/report_document.h"

#include <algorithm>
#include <optional>

#include "engine/base/apportion.h"
#include "engine/record/fastest.h"
#include "engine/record/left_out.h"
#include "engine/trace/cause.h"
#include "profiler/analysis/idle.h"
#include "profiler/analysis/statistics.h"
#include "ui/frame/banner_text.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/sentence.h"
#include "ui/kit/text/translation.h"
#include "ui/plots/chart.h"
#include "ui/report/report.h"
#include "ui/report/report_check.h"
#include "ui/report/report_comparison.h"
#include "ui/report/report_explanation.h"
#include "ui/report/report_figures.h"
#include "ui/report/report_selection.h"
#include "ui/report/report_settings.h"
#include "ui/session/run/run_comparison.h"
#include "ui/session/run/run_table_model.h"
#include "ui/session/run/run_words.h"

namespace stagelane::ui {
namespace {

using record::VariantResult;

using trace::kShownIdleCauses;

QString spread(const VariantResult& variant) {
  if (variant.seconds.size() < 2) return secondsText(variant.meanS) + u" (one repeat)"_s;
  return spreadText(variant.meanS, variant.stdS);
}

QString share(double percent) { return QString::number(percent, 'f', 1); }

/// Busy first, then the causes, rounded together so that they add up and are the same everywhere.
std::vector<double> sharesOf(const record::DeviceResult& device) {
  std::vector<TimeNs> idle;
  for (const trace::Cause cause : kShownIdleCauses) {
    const auto found = device.idle.find(std::string(word(cause)));
    idle.push_back(found == device.idle.end() ? 0 : found->second);
  }
  return roundedBusyAndIdle({device.busyNs}, idle, 1);
}

QString wordsOf(trace::Cause cause, const record::DeviceResult& device) {
  return qstring(trace::idleWords(
      cause, device.starvedBy.size() == 1 ? device.starvedBy.begin()->first : std::string()));
}

double idlePercent(const record::DeviceResult& device) {
  const double busy = sharesOf(device).front();
  return busy > 0.0 ? std::max(0.0, 100.0 - busy) : 100.0 * (1.0 - device.utilisation);
}

const VariantResult* named(const record::RunResult& run, const std::string& id) {
  for (const auto& variant : run.variants) {
    if (variant.id == id) return &variant;
  }
  return nullptr;
}

/// "cpu:0 is idle 38.0 %, most of it starved by cpu:1; cpu:1 19.0 %."
QString idleSummary(const VariantResult& variant) {
  QStringList parts;
  for (const auto& device : variant.devices) {
    QString text =
        u"%1%2 %3 %"_s.arg(qstring(device.id), parts.isEmpty() ? u" is idle"_s : QString(),
                           share(idlePercent(device)));
    const auto most =
        std::max_element(device.idle.begin(), device.idle.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const bool worthACause = idlePercent(device) >= 0.5;
    if (parts.isEmpty() && worthACause && most != device.idle.end() && most->second > 0) {
      for (const trace::Cause cause : kShownIdleCauses) {
        if (most->first != word(cause)) continue;
        text += u", most of it "_s + wordsOf(cause, device);
      }
    }
    parts << text;
  }
  return parts.isEmpty() ? QString() : parts.join(u"; "_s) + QChar(u'.');
}

QString baseSummary(const record::RunResult& run, const VariantResult& best) {
  const VariantResult* base = named(run, best.speedupBase);
  if (base == nullptr || base->seconds.empty()) return {};
  return base->id == best.id ? u"It is the base of the speed-ups."_s
                             : u"The base is %1, %2 in the median."_s.arg(
                                   qstring(base->name), secondsText(base->medianS));
}

/// The median time of a repeat, from which speed-ups are computed, and the spread.
QString medianText(const VariantResult& variant) {
  return variant.seconds.size() < 2 ? u"%1, one repeat"_s.arg(secondsText(variant.medianS))
                                    : u"%1 per repeat in the median (mean %2)"_s.arg(
                                          secondsText(variant.medianS), spread(variant));
}

/// ", 1.02× (bound 1.50×), which …": empty for the base and without one.
QString speedupSummary(const record::RunResult& run, const VariantResult& best) {
  const VariantResult* base = named(run, best.speedupBase);
  if (!best.speedup || base == nullptr || base->id == best.id) return {};
  QString text = u", %1"_s.arg(timesText(*best.speedup));
  if (best.bound) text += u" (bound %1)"_s.arg(timesText(best.bound->speedup));
  const auto test = analysis::welchTest(base->seconds, best.seconds);
  const bool beyond = !test || (test->p < kSignificantP && best.meanS < base->meanS);
  return beyond ? text : text + u", which is within the spread of the repeats"_s;
}

/// "a; b; c and 9 more"; the table lists all of them.
QString namesText(const QStringList& names) {
  constexpr qsizetype kMostNames = 4;
  // A single name is no longer than "and 1 more".
  const bool all = names.size() <= kMostNames + 1;
  const QString text = names.mid(0, all ? names.size() : kMostNames).join(u"; "_s);
  return all ? text : u"%1 and %2 more"_s.arg(text).arg(names.size() - kMostNames);
}

/// Variants that are not significantly slower, and variants with noisy repeats.
QString spreadSummary(const record::RunResult& run, const VariantResult& best, int asked) {
  QStringList within;
  QStringList noisy;
  for (const VariantResult& variant : run.variants) {
    if (variant.noisy) noisy << qstring(variant.name);
    if (&variant == &best || variant.seconds.empty()) continue;
    if (isCutShort(variant, asked) && !isCutShort(best, asked)) continue;
    const auto test = analysis::welchTest(best.seconds, variant.seconds);
    if (test && test->p >= kSignificantP) within << qstring(variant.name);
  }
  QStringList sentences;
  if (!within.isEmpty()) sentences << u"Not significantly slower: %1."_s.arg(namesText(within));
  if (!noisy.isEmpty()) {
    sentences << u"Noisy (repeats vary by more than 5 %): %1."_s.arg(namesText(noisy));
  }
  return sentences.join(QChar(u' '));
}

QString predictionSummary(const VariantResult& variant) {
  if (!variant.predicted || variant.predicted->stepNs <= 0 || variant.stepNs <= 0) return {};
  return u"Its step was predicted (%1) as %2 and measured as %3 (prediction %4)."_s.arg(
      qstring(variant.predicted->basis), timeText(variant.predicted->stepNs),
      timeText(variant.stepNs), percentDifferenceText(variant.predicted->error));
}

/// Shared by all rows of the table of variants.
struct RowsOf {
  const VariantResult* best = nullptr;
  int repeatsAsked = 0;
  bool inference = false;
};

TableRow rowOf(const VariantResult& variant, const RowsOf& rows) {
  if (variant.seconds.empty()) return {{qstring(variant.name)}, endText(variant), false};
  QStringList idle, peak;
  for (const auto& device : variant.devices) {
    idle << share(idlePercent(device));
    peak << bytesText(device.peakBytes);
  }
  const auto optionalTimes = [](const std::optional<double>& value) {
    return value ? timesText(*value) : u"–"_s;
  };
  const QString dash = u"–"_s;
  QStringList cells{qstring(variant.name),
                    spread(variant),
                    repeatsDoneText(variant, rows.repeatsAsked),
                    optionalTimes(variant.speedup),
                    optionalTimes(variant.speedupAllCores),
                    variant.bound && variant.speedup ? timesText(variant.bound->speedup) : dash,
                    variant.predicted ? percentDifferenceText(variant.predicted->error) : dash,
                    idle.join(u", "_s),
                    peak.join(u", "_s)};
  if (rows.inference) cells << latencyCell(variant) << throughputCell(variant);
  cells << checkCell(variant);
  return {cells, {}, &variant == rows.best};
}

/// The variant's row and, if it ended early, the reason below it.
void addRows(const VariantResult& variant, const RowsOf& rows, TableBlock& table) {
  table.rows.push_back(rowOf(variant, rows));
  const bool ended =
      variant.status == record::RunStatus::Failed || variant.status == record::RunStatus::Canceled;
  if (ended && !variant.seconds.empty()) {
    table.rows.push_back({{QString()}, endText(variant), false});
  }
}

TableBlock variantTable(const record::RunResult& run, int asked) {
  TableBlock table;
  table.header = {u"Variant"_s,    u"time per repeat"_s,   u"n"_s,
                  u"speed-up"_s,   u"all cores"_s,         u"bound"_s,
                  u"prediction"_s, u"idle % per device"_s, u"peak"_s};
  const bool inference = isInference(run);
  if (inference) {
    table.header << u"latency p50, p99"_s << u"samples/s"_s << u"outputs"_s;
  } else {
    table.header << u"gradients"_s;
  }
  const VariantResult* best = fastestWhole(run, asked);
  for (const auto& variant : run.variants) {
    if (!record::isLeftOut(variant)) addRows(variant, {best, asked, inference}, table);
  }
  const VariantResult* base = best == nullptr ? nullptr : named(run, best->speedupBase);
  table.note =
      u"Mean ± standard deviation. Speed-up: ratio of the medians, relative to %1; \"all "
      "cores\": relative to one worker with all cores; \"prediction\": error of the predicted "
      "step, in percent of the measured one."_s.arg(base == nullptr ? u"the base"_s
                                                                    : qstring(base->name));
  return table;
}

TableBlock repeatTable(const record::RunResult& run) {
  TableBlock table;
  table.header = {u"Variant"_s, u"repeat"_s, u"time (s)"_s};
  for (const auto& variant : run.variants) {
    for (std::size_t i = 0; i < variant.seconds.size(); ++i) {
      table.rows.push_back({{qstring(variant.name), QString::number(i + 1),
                             QString::number(variant.seconds[i], 'g', 6)},
                            {},
                            false});
    }
  }
  return table;
}

/// Appends the blocks of one run.
class RunReport {
 public:
  RunReport(const ReportInput& input, const ReportContents& contents,
            std::vector<ReportBlock>& blocks)
      : m_input(input),
        m_run(*input.run),
        m_asked(record::repeatsAsked(&input.experiment)),
        m_tabled(withBest(input.run, kMostTabled, m_asked)),
        m_pictured(picturedRun(input)),
        m_contents(contents),
        m_blocks(blocks) {}

  /// A single run answers the report's question; each of several runs has a summary only.
  void append(const QString& title, bool alone) {
    m_blocks.emplace_back(TitleBlock{title, subtitle(), !alone});
    if (m_contents.summary && !alone) {
      m_blocks.emplace_back(summaryOf(m_run, m_asked));
    } else if (m_contents.summary) {
      m_blocks.emplace_back(HeadingBlock{u"Question"_s});
      m_blocks.emplace_back(ParagraphBlock{questionOf(m_input, m_contents.question)});
      m_blocks.emplace_back(summaryOf(m_run, m_asked));
    }
    addFacts(settingsOf(m_input), u"Settings"_s);
    if (m_contents.variants) {
      addTable(u"Variants"_s, variantTable(*m_tabled, m_asked));
      addSentence(moreVariantsText(*m_tabled, m_run));
    }
    if (m_contents.charts || m_contents.timelines || m_contents.idle) {
      addSentence(picturedText(*m_pictured, m_run));
    }
    addCharts();
    addPrediction();
    addTimelines();
    addIdle();
    addGradients();
    if (m_contents.machine) {
      addFacts(machineOf(m_input.environment), u"Machine and build"_s);
      addTable(u"Recording overhead"_s, captureTable(*m_tabled));
    }
    if (m_contents.repeats) addTable(u"Single repeats"_s, repeatTable(*m_tabled));
    heading(u"Reproduce"_s);
    m_blocks.emplace_back(CodeBlock{
        u"stagelane run '%1'"_s.arg(qstring(m_run.folder).replace(QChar(u'\''), u"'\\''"_s))});
  }

 private:
  [[nodiscard]] QString subtitle() const {
    const QString when = m_input.started.isEmpty() ? QString() : m_input.started + u" · "_s;
    const QString end = statusText(m_run.status) + u" · "_s + qstring(m_run.folder);
    const auto variants = static_cast<std::int64_t>(m_run.variants.size());
    if (variants == 0) return when + end;
    return when + u"%1, %2 timing, %3"_s.arg(countedText(variants, u"variant"_s, u"variants"_s),
                                             qstring(m_run.timing), end);
  }

  void heading(const QString& text) { m_blocks.emplace_back(HeadingBlock{text}); }

  void addFacts(FactsBlock block, const QString& title) {
    if (block.facts.empty()) return;
    if (!title.isEmpty()) heading(title);
    m_blocks.emplace_back(std::move(block));
  }

  void addTable(const QString& title, TableBlock table) {
    if (table.rows.empty()) return;
    heading(title);
    appendRows(std::move(table), m_blocks);
  }

  void addSentence(const QString& text) {
    if (!text.isEmpty()) m_blocks.emplace_back(ParagraphBlock{text});
  }

  void addCharts() {
    if (!m_contents.charts) return;
    for (const ChartKind kind : allChartKinds()) {
      // The prediction has its own section.
      if (kind != ChartKind::Prediction && chartHasData(kind, *m_pictured)) addChart(kind);
    }
    const QStringList left = leftOutOfCharts(m_run);
    if (left.isEmpty() || !chartHasData(ChartKind::Time, m_run)) return;
    m_blocks.emplace_back(
        ParagraphBlock{u"Not in the charts because they were not run: %1."_s.arg(namesText(left))});
  }

  void addChart(ChartKind kind) {
    for (FigureBlock& figure : chartFigures(kind, m_pictured, m_input)) {
      m_blocks.emplace_back(std::move(figure));
    }
  }

  void addPrediction() {
    const QString text = predictionOf(m_run);
    if (!m_contents.prediction || text.isEmpty()) return;
    heading(u"Prediction against measurement"_s);
    m_blocks.emplace_back(ParagraphBlock{text});
    if (chartHasData(ChartKind::Prediction, *m_pictured)) addChart(ChartKind::Prediction);
  }

  void addTimelines() {
    if (!m_contents.timelines) return;
    for (const auto& variant : m_pictured->variants) {
      const auto found = m_input.timelines.find(variant.id);
      if (found == m_input.timelines.end()) continue;
      m_blocks.emplace_back(timelineFigure(qstring(variant.name), found->second));
    }
  }

  void addIdle() {
    if (!m_contents.idle) return;
    if (TableBlock table = explanationTable(*m_tabled); !table.rows.empty()) {
      heading(u"Why it is not faster"_s);
      m_blocks.emplace_back(std::move(table));
    }
    addTable(u"Slowest layers"_s, layerTable(m_input));
    if (!m_run.variants.empty()) heading(u"Idle causes"_s);
    for (const auto& variant : m_pictured->variants) {
      if (variant.devices.empty()) continue;
      QStringList sentences;
      for (const auto& device : variant.devices) sentences << idleSentenceOf(device);
      m_blocks.emplace_back(
          ParagraphBlock{qstring(variant.name) + u" — "_s + sentences.join(u"; "_s) + QChar(u'.')});
    }
  }

  void addGradients() {
    if (!m_contents.gradients || m_run.variants.empty()) return;
    heading(isInference(m_run) ? u"Output check"_s : u"Gradient check"_s);
    m_blocks.emplace_back(ParagraphBlock{checkSummary(m_run)});
    for (const QString& sentence : checkDifferences(*m_pictured)) {
      m_blocks.emplace_back(ParagraphBlock{sentence});
    }
  }

  const ReportInput& m_input;
  const record::RunResult& m_run;
  int m_asked;                        ///< repeats of each variant
  RunResultPtr m_tabled, m_pictured;  ///< the run with what its tables and its pictures show
  const ReportContents& m_contents;
  std::vector<ReportBlock>& m_blocks;
};

/// Inserts the note below the summary at the report's beginning.
void addNote(const QString& note, std::vector<ReportBlock>& blocks) {
  if (note.trimmed().isEmpty()) return;
  const auto lead = std::find_if(blocks.begin(), blocks.end(), [](const ReportBlock& block) {
    return std::holds_alternative<LeadBlock>(block);
  });
  const auto title = blocks.empty() ? blocks.end() : blocks.begin() + 1;
  const auto place = lead == blocks.end() ? title : lead + 1;
  blocks.insert(place, {HeadingBlock{u"Note"_s}, ParagraphBlock{note.trimmed()}});
}

void addDefinitions(std::vector<ReportBlock>& blocks) {
  blocks.emplace_back(HeadingBlock{u"Definitions"_s});
  for (const char* text :
       {"Time per repeat: wall time of one repeat, all its batches. n: number of repeats.",
        "Step: one batch. Its figures are from the median step; with an even number of repeats, "
        "means of the two middle steps.",
        "Speed-up: median time of the base divided by the median time of the variant. Bound: "
        "the largest speed-up that these action times and this schedule allow with free "
        "transfers.",
        "A step lasts from its earliest start to the latest optimizer end over all devices. For "
        "each device it is split into busy time and idle time, which add up to the step exactly.",
        "Warm-up: before a device's first work. Drain: after its last work, until all devices' "
        "work is done; tail: after that. Starved: waiting for a tensor that another device has "
        "not produced yet. Transfer: waiting for the copy. Host: the tensor has arrived, but "
        "the action has not started.",
        "Gradient check: the gradients of a variant against plain autograd on one worker with "
        "the same micro-batches (for inference: the outputs against its forward pass); "
        "bit-equal means that no bit differs. Latency: from the start of a micro-batch's first "
        "forward to the end of its last one."}) {
    blocks.emplace_back(ParagraphBlock{QString::fromUtf8(text)});
  }
}

/// "The run failed. "; empty for a completed run.
QString endOf(const record::RunResult& run) {
  switch (run.status) {
    case record::RunStatus::Failed: return u"The run failed. "_s;
    case record::RunStatus::Canceled: return u"The run was canceled. "_s;
    default: return {};
  }
}

/// The reason for its end, as a sentence; may be empty.
QString reasonOf(const record::RunResult& run) {
  const QString reason = asSentence(qstring(run.reason).trimmed());
  return reason.isEmpty() || reason.endsWith(QChar(u'.')) ? reason : reason + QChar(u'.');
}

}  // namespace

QString idleSentenceOf(const record::DeviceResult& device) {
  const std::vector<double> shares = sharesOf(device);
  QStringList words;
  for (std::size_t i = 0; i < kShownIdleCauses.size(); ++i) {
    if (shares[i + 1] <= 0.0) continue;
    words << share(shares[i + 1]) + QChar(u' ') + wordsOf(kShownIdleCauses[i], device);
  }
  const double idle = std::max(0.0, shares[0] > 0.0 ? 100.0 - shares[0] : 0.0);
  QString text = u"%1 idle %2 %"_s.arg(qstring(device.id), share(idle));
  return words.isEmpty() ? text : text + u": "_s + words.join(u", "_s);
}

LeadBlock summaryOf(const record::RunResult& run, int asked) {
  const QString ended = endOf(run);
  const VariantResult* best = fastestWhole(run, asked);
  if (best == nullptr) return {ended + u"Nothing was measured."_s, reasonOf(run)};
  const bool cutShort = isCutShort(*best, asked);
  const QString strong =
      ended + u"%1 is fastest%2: %3%4."_s.arg(qstring(best->name),
                                              cutShort ? u" of what was measured"_s : QString(),
                                              medianText(*best), speedupSummary(run, *best));
  QStringList rest{reasonOf(run),
                   ended.isEmpty() ? QString() : keptText(run, asked),
                   spreadSummary(run, *best, asked),
                   baseSummary(run, *best),
                   idleSummary(*best),
                   explanationSummary(*best),
                   predictionSummary(*best),
                   checkSummary(run)};
  rest.removeAll(QString());
  return {strong, rest.join(QChar(u' '))};
}

ReportDocument makeReport(const std::vector<ReportInput>& runs, const ReportContents& contents) {
  const FileNumbers numbers;
  ReportDocument document;
  const bool alone = runs.size() < 2;
  if (contents.summary) addComparison(runs, contents, document.blocks);
  const QString title = contents.title.trimmed();
  QStringList names;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const QString name = qstring(runs[i].run->name);
    names << name;
    RunReport(runs[i], contents, document.blocks)
        .append(alone && !title.isEmpty() ? title
                : alone                   ? name
                                          : numberedName(runs, i),
                alone);
  }
  names.removeDuplicates();
  document.title = title.isEmpty() ? names.join(u", "_s) : title;
  addNote(contents.note, document.blocks);
  if (contents.definitions) addDefinitions(document.blocks);
  document.footer = u"Stagelane"_s;
  if (!runs.empty()) {
    const QString version = memberText(runs.front().environment, "stagelane");
    const QString torch = memberText(runs.front().environment, "torch");
    if (!version.isEmpty()) document.footer += QChar(u' ') + version;
    if (!torch.isEmpty()) document.footer += u" · LibTorch "_s + torch;
  }
  return document;
}

}  // namespace stagelane::ui
