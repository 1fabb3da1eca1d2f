#include "ui/runs/compare/runs_side_by_side.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "engine/base/find.h"
#include "profiler/analysis/statistics.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/setting_text.h"
#include "ui/session/run/run_comparison.h"
#include "ui/session/run/run_words.h"

namespace stagelane::ui {
namespace {

using record::DeviceResult;
using record::VariantResult;

const QString kNone = u"–"_s;

/// Less is better, more is better, or neither.
enum class Better { Less, More, Neither };

RunTone toneOf(double change, Better better) {
  if (better == Better::Neither || change == 0.0) return RunTone::Muted;
  return (change < 0.0) == (better == Better::Less) ? RunTone::Good : RunTone::Bad;
}

/// A figure that every run may have, and how to write it.
struct Figure {
  QString name;
  std::function<std::optional<double>(const VariantResult&)> value;
  std::function<QString(double)> text;
  std::function<QString(double from, double to)> change;
  Better better = Better::Neither;
};

QString relativeChange(double from, double to) {
  return from == 0.0 ? QString() : percentDifferenceText((to - from) / from);
}

QString pointsChange(double from, double to) {
  const double points = 100.0 * (to - from);
  if (std::abs(points) < 0.05) return QObject::tr("±0 points");
  const QString sign = points < 0 ? QString(QChar(0x2212)) : u"+"_s;
  return QObject::tr("%1%2 points").arg(sign, numberText(std::abs(points), 1));
}

QString timesChange(double from, double to) {
  const QString sign = to < from ? QString(QChar(0x2212)) : u"+"_s;
  return sign + timesText(std::abs(to - from));
}

/// "±0 %", "+0.00×": smaller than the shown digits.
bool saysNothing(const QString& change) {
  return std::none_of(change.begin(), change.end(),
                      [](QChar c) { return c >= QChar(u'1') && c <= QChar(u'9'); });
}

SideBySideRow rowOf(const Figure& figure, const std::vector<LoadedRun>& runs) {
  SideBySideRow row;
  row.name = figure.name;
  std::optional<double> first;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const VariantResult* variant = runs[i].variant();
    const std::optional<double> value = variant == nullptr ? std::nullopt : figure.value(*variant);
    row.values.append(value ? figure.text(*value) : kNone);
    if (i == 0) first = value;
    const bool differs =
        i > 0 && first && value && *first != *value && row.values.last() != row.values.first();
    row.changes.append(differs ? figure.change(*first, *value) : QString());
    row.tones.push_back(differs && !saysNothing(row.changes.last())
                            ? toneOf(*value - *first, figure.better)
                            : RunTone::Muted);
  }
  return row;
}

const DeviceResult* deviceOf(const VariantResult& variant, const std::string& id) {
  return findBy(variant.devices, &DeviceResult::id, id);
}

template <class Read>
std::function<std::optional<double>(const VariantResult&)> ofDevice(const std::string& id,
                                                                    Read read) {
  return [id, read](const VariantResult& variant) -> std::optional<double> {
    const DeviceResult* device = deviceOf(variant, id);
    return device == nullptr ? std::nullopt : std::optional<double>(read(*device));
  };
}

QString bytesOf(double bytes) { return bytesText(static_cast<Bytes>(bytes)); }

std::vector<Figure> generalFigures() {
  return {
      {QObject::tr("Step time"),
       [](const VariantResult& variant) -> std::optional<double> {
         return variant.stepNs > 0 ? std::optional<double>(static_cast<double>(variant.stepNs))
                                   : std::nullopt;
       },
       [](double ns) { return timeText(static_cast<TimeNs>(ns)); }, relativeChange, Better::Less},
      {QObject::tr("Speed-up"), [](const VariantResult& variant) { return variant.speedup; },
       timesText, timesChange, Better::More},
      {QObject::tr("Last loss"),
       [](const VariantResult& variant) -> std::optional<double> {
         return variant.loss.empty() ? std::nullopt : std::optional<double>(variant.loss.back());
       },
       [](double loss) { return preciseText(loss, 4); }, relativeChange, Better::Neither}};
}

std::vector<Figure> deviceFigures(const std::vector<LoadedRun>& runs) {
  std::vector<std::string> ids;
  for (const LoadedRun& run : runs) {
    for (const DeviceResult& device :
         run.variant() == nullptr ? std::vector<DeviceResult>{} : run.variant()->devices) {
      if (!contains(ids, device.id)) ids.push_back(device.id);
    }
  }
  std::vector<Figure> figures;
  for (const std::string& id : ids) {
    figures.push_back({QObject::tr("Idle %1").arg(qstring(id)),
                       ofDevice(id, [](const DeviceResult& one) { return 1.0 - one.utilisation; }),
                       [](double share) { return percentText(share, 1); }, pointsChange,
                       Better::Less});
  }
  for (const std::string& id : ids) {
    figures.push_back(
        {QObject::tr("Peak %1").arg(qstring(id)),
         ofDevice(id, [](const DeviceResult& one) { return static_cast<double>(one.peakBytes); }),
         bytesOf, relativeChange, Better::Less});
  }
  figures.push_back({QObject::tr("Copied per step"),
                     [](const VariantResult& variant) -> std::optional<double> {
                       double sum = 0.0;
                       for (const DeviceResult& device : variant.devices) {
                         sum += static_cast<double>(device.transferBytes);
                       }
                       return variant.devices.empty() ? std::nullopt : std::optional<double>(sum);
                     },
                     bytesOf, relativeChange, Better::Neither});
  return figures;
}

QString probabilityText(double p) {
  return p < 0.001 ? u"p < 0.001"_s : u"p = %1"_s.arg(preciseText(p, 2));
}

/// The time of a repeat, and what Welch's test says about its change.
SideBySideRow timeRow(const std::vector<LoadedRun>& runs) {
  SideBySideRow row;
  row.name = QObject::tr("Time per repeat");
  const VariantResult* first = runs.front().variant();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const VariantResult* variant = runs[i].variant();
    const bool known = variant != nullptr && !variant->seconds.empty();
    row.values.append(known ? repeatsText(variant->meanS, variant->stdS, variant->seconds.size())
                            : kNone);
    QString change;
    RunTone tone = RunTone::Muted;
    if (i > 0 && known && first != nullptr && !first->seconds.empty() && first->meanS > 0.0) {
      const auto test = analysis::welchTest(first->seconds, variant->seconds);
      change = percentDifferenceText((variant->meanS - first->meanS) / first->meanS);
      change += test ? u", %1"_s.arg(probabilityText(test->p)) : QObject::tr(", unknown spread");
      tone = test && test->p < kSignificantP ? toneOf(variant->meanS - first->meanS, Better::Less)
                                             : RunTone::Muted;
    }
    row.changes.append(change);
    row.tones.push_back(tone);
  }
  return row;
}

/// Settings that differ between the runs' documents, the first run's values first.
void addDifferences(const std::vector<const Json*>& documents, const QString& prefix,
                    std::vector<SideBySideRow>& rows) {
  std::set<std::string> pointers;
  for (std::size_t i = 1; i < documents.size(); ++i) {
    for (const SettingDifference& one : settingDifferences(*documents.front(), *documents[i])) {
      pointers.insert(one.pointer);
    }
  }
  for (const std::string& pointer : pointers) {
    if (pointer.rfind("/variants", 0) == 0) continue;
    SideBySideRow row;
    row.name = prefix + settingName(pointer);
    for (const Json* document : documents) {
      const Json::json_pointer place(pointer);
      row.values.append(document->contains(place) ? settingText(document->at(place)) : kNone);
    }
    rows.push_back(std::move(row));
  }
}

void addIfDifferent(const QString& name, const QStringList& values,
                    std::vector<SideBySideRow>& rows) {
  if (std::any_of(values.begin(), values.end(),
                  [&](const QString& value) { return value != values.front(); })) {
    rows.push_back({name, values, {}, {}});
  }
}

/// The placement by block, or the name of a placement mode.
std::map<QString, QString> placementOf(const VariantResult* variant) {
  std::map<QString, QString> map;
  if (variant != nullptr && variant->placement.is_object()) {
    for (const auto& [prefix, device] : variant->placement.items()) {
      const QString blocks = prefix.empty() ? QObject::tr("the whole model") : qstring(prefix);
      map[QObject::tr("placement of %1").arg(blocks)] = settingText(device);
    }
  } else if (variant != nullptr && !variant->placement.is_null()) {
    map[QObject::tr("placement")] = settingText(variant->placement);
  }
  return map;
}

/// Settings that only the experiments have for the variants: recompute, chunks, …
void addEntrySettings(const std::vector<LoadedRun>& runs, std::vector<SideBySideRow>& rows) {
  static const std::set<std::string> kAlone{"strategy", "schedule", "split_size", "placement"};
  std::vector<Json> settings;
  std::set<std::string> keys;
  for (const LoadedRun& run : runs) {
    settings.push_back(run.variant() == nullptr ? Json::object()
                                                : variantSettings(*run.variant(), run.experiment));
    for (const auto& [key, value] : settings.back().items()) {
      if (kAlone.count(key) == 0) keys.insert(key);
    }
  }
  for (const std::string& key : keys) {
    QStringList values;
    for (const Json& each : settings) {
      values.append(each.contains(key) ? settingText(each.at(key)) : kNone);
    }
    addIfDifferent(settingName("/" + key), values, rows);
  }
}

void addVariantSettings(const std::vector<LoadedRun>& runs, std::vector<SideBySideRow>& rows) {
  const auto each = [&runs](const std::function<QString(const VariantResult&)>& read) {
    QStringList values;
    for (const LoadedRun& run : runs) {
      values.append(run.variant() == nullptr ? kNone : read(*run.variant()));
    }
    return values;
  };
  addIfDifferent(QObject::tr("strategy"),
                 each([](const VariantResult& one) { return strategyText(one); }), rows);
  addIfDifferent(QObject::tr("schedule"), each([](const VariantResult& one) {
                   return one.schedule.empty() ? kNone : qstring(one.schedule);
                 }),
                 rows);
  addIfDifferent(QObject::tr("split size"),
                 each([](const VariantResult& one) { return QString::number(one.splitSize); }),
                 rows);
  addEntrySettings(runs, rows);
  std::vector<std::map<QString, QString>> placements;
  std::set<QString> names;
  for (const LoadedRun& run : runs) {
    placements.push_back(placementOf(run.variant()));
    for (const auto& [name, device] : placements.back()) names.insert(name);
  }
  for (const QString& name : names) {
    QStringList values;
    for (const auto& placement : placements) {
      const auto found = placement.find(name);
      values.append(found == placement.end() ? kNone : found->second);
    }
    addIfDifferent(name, values, rows);
  }
}

struct Fastest {
  const LoadedRun* run = nullptr;
  const VariantResult* variant = nullptr;
};

/// " (run 15: −11.6 %)": the change relative to the first run, as in the table; empty if the first
/// run is neither of the two.
QString changeToFirst(const std::vector<LoadedRun>& runs, const Fastest& best,
                      const Fastest& slowest) {
  const bool bestIsFirst = best.run == &runs.front();
  const Fastest& first = bestIsFirst ? best : slowest;
  const Fastest& other = bestIsFirst ? slowest : best;
  if (first.run != &runs.front() || first.variant->meanS <= 0.0) return {};
  return u" (%1: %2)"_s.arg(
      other.run->title,
      percentDifferenceText((other.variant->meanS - first.variant->meanS) / first.variant->meanS));
}

QString capitalized(QString sentence) {
  sentence[0] = sentence[0].toUpper();
  return sentence;
}

/// "Run 24 has no repeat to compare."
QString unmeasuredSentence(const QStringList& titles) {
  if (titles.isEmpty()) return {};
  return capitalized(QObject::tr("%1 %2 no repeat to compare.")
                         .arg(titles.join(QObject::tr(" and ")),
                              titles.size() == 1 ? QObject::tr("has") : QObject::tr("have")));
}

std::vector<const Json*> experimentsOf(const std::vector<LoadedRun>& runs) {
  std::vector<const Json*> experiments;
  for (const LoadedRun& run : runs) experiments.push_back(&run.experiment);
  return experiments;
}

/// "Different models and batch sizes: a repeat is not the same work in these runs."; empty if it
/// is.
QString differentWorkSentence(const std::vector<LoadedRun>& runs) {
  const QString different = differentWork(experimentsOf(runs), WorkOf::Repeat);
  return different.isEmpty()
             ? QString()
             : QObject::tr("Different %1: a repeat is not the same work in these runs.")
                   .arg(different);
}

/// "Run 15 is 43.2 ms per repeat faster than run 14 (11.6 %), beyond the spread of the repeats."
QString fasterSentence(const std::vector<LoadedRun>& runs, const Fastest& best,
                       const Fastest& slowest, RunTone& tone) {
  const double differenceS = slowest.variant->meanS - best.variant->meanS;
  const auto test = analysis::welchTest(slowest.variant->seconds, best.variant->seconds);
  const bool beyond = test && test->p < kSignificantP;
  const QString spread = !test    ? QObject::tr("; the spread of a single repeat is unknown")
                         : beyond ? QObject::tr(", beyond the spread of the repeats")
                                  : QObject::tr(", within the spread of the repeats");
  tone = beyond ? RunTone::Good : RunTone::Muted;
  return capitalized(QObject::tr("%1 is %2 per repeat faster than %3%4%5.")
                         .arg(best.run->title, secondsText(differenceS), slowest.run->title,
                              changeToFirst(runs, best, slowest), spread));
}

void fillSentence(const std::vector<LoadedRun>& runs, SideBySide& comparison) {
  Fastest best;
  Fastest slowest;
  QStringList unmeasured;
  for (const LoadedRun& run : runs) {
    const VariantResult* variant = run.variant();
    if (variant == nullptr || variant->seconds.empty()) {
      unmeasured.append(run.title);
      continue;
    }
    best =
        best.run == nullptr || variant->meanS < best.variant->meanS ? Fastest{&run, variant} : best;
    slowest = slowest.run == nullptr || variant->meanS >= slowest.variant->meanS
                  ? Fastest{&run, variant}
                  : slowest;
  }
  QStringList sentences{differentWorkSentence(runs)};
  if (best.run != slowest.run) {
    sentences.append(fasterSentence(runs, best, slowest, comparison.tone));
  }
  sentences.append(unmeasuredSentence(unmeasured));
  if (!sentences.front().isEmpty()) comparison.tone = RunTone::Warning;
  sentences.removeAll(QString());
  comparison.sentence = sentences.join(QChar(u' '));
}

/// Runs of different work are neither better nor worse.
void muteOtherWork(const std::vector<LoadedRun>& runs, SideBySide& comparison) {
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (differentWork({&runs.front().experiment, &runs[i].experiment}, WorkOf::Repeat).isEmpty()) {
      continue;
    }
    for (SideBySideRow& row : comparison.figures) row.tones[i] = RunTone::Muted;
  }
}

}  // namespace

SideBySide sideBySide(const std::vector<LoadedRun>& runs) {
  SideBySide comparison;
  std::vector<const Json*> experiments;
  std::vector<const Json*> environments;
  for (const LoadedRun& run : runs) {
    comparison.titles.append(run.title);
    comparison.variants.append(qstring(run.variantId));
    experiments.push_back(&run.experiment);
    environments.push_back(&run.environment);
    comparison.repeats.push_back(run.variant() == nullptr ? std::vector<double>{}
                                                          : run.variant()->seconds);
  }
  addVariantSettings(runs, comparison.settings);
  addDifferences(experiments, {}, comparison.settings);
  const std::size_t before = comparison.settings.size();
  addDifferences(environments, u"machine › "_s, comparison.settings);
  if (comparison.settings.size() == before) {
    comparison.same = QObject::tr("Same machine and build.");
  }
  comparison.figures.push_back(timeRow(runs));
  // A copy: the list grows below.
  const std::vector<RunTone> ofTime = comparison.figures.front().tones;
  std::vector<Figure> figures = generalFigures();
  const std::vector<Figure> ofDevices = deviceFigures(runs);
  figures.insert(figures.end(), ofDevices.begin(), ofDevices.end());
  for (const Figure& figure : figures) {
    SideBySideRow row = rowOf(figure, runs);
    // Figures derived from the time are at most as significant as the time itself.
    const bool followsTime =
        row.name == QObject::tr("Step time") || row.name == QObject::tr("Speed-up");
    for (std::size_t i = 0; followsTime && i < row.tones.size(); ++i) {
      row.tones[i] = ofTime[i] == RunTone::Muted ? RunTone::Muted : row.tones[i];
    }
    if (row.values.count(kNone) < row.values.size()) comparison.figures.push_back(std::move(row));
  }
  const bool several = std::any_of(comparison.repeats.begin(), comparison.repeats.end(),
                                   [](const auto& seconds) { return seconds.size() > 1; });
  if (several) {
    comparison.figuresNote = QObject::tr(
        "Welch's test compares the times of the repeats. Step time and idle are from the median "
        "step, the speed-up from medians; their spread is unknown.");
  }
  fillSentence(runs, comparison);
  muteOtherWork(runs, comparison);
  return comparison;
}

}  // namespace stagelane::ui
