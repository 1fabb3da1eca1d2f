#include "ui/report/report_explanation.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/predict/explain.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

using predict::Explanation;
using predict::Loss;

QString nameOf(Loss loss) {
  return loss == Loss::Warmup ? u"warm-up"_s : qstring(predict::word(loss));
}

TimeNs nsOf(const Explanation& explanation, Loss loss) {
  TimeNs sum = 0;
  for (const predict::LossPart& part : explanation.parts) sum += part.loss == loss ? part.ns : 0;
  return sum;
}

/// A single device cannot be partitioned differently.
std::optional<Explanation> explanationOf(const record::VariantResult& variant) {
  if (variant.seconds.empty() || variant.devices.size() < 2 || variant.explanation.is_null()) {
    return std::nullopt;
  }
  auto explanation = predict::explanationFromJson(variant.explanation);
  return explanation ? std::optional(std::move(*explanation)) : std::nullopt;
}

using Explained = std::pair<const record::VariantResult*, Explanation>;

std::vector<Loss> causesOf(const std::vector<Explained>& explained) {
  std::vector<Loss> causes;
  for (const Loss loss : {Loss::Contention, Loss::Imbalance, Loss::Warmup, Loss::Waiting,
                          Loss::Drain, Loss::Recompute, Loss::Transfers, Loss::Host}) {
    const bool any = std::any_of(explained.begin(), explained.end(), [loss](const Explained& one) {
      return nsOf(one.second, loss) != 0;
    });
    if (any) causes.push_back(loss);
  }
  return causes;
}

QString percentOf(TimeNs ns, TimeNs whole) {
  return QString::number(100.0 * static_cast<double>(ns) / static_cast<double>(whole), 'f', 0) +
         u" %"_s;
}

}  // namespace

TableBlock explanationTable(const record::RunResult& run) {
  std::vector<Explained> explained;
  for (const record::VariantResult& variant : run.variants) {
    if (auto explanation = explanationOf(variant)) {
      explained.emplace_back(&variant, std::move(*explanation));
    }
  }
  TableBlock table;
  if (explained.empty()) return table;
  const std::vector<Loss> causes = causesOf(explained);
  table.header = {u"Variant"_s, u"ideal"_s};
  for (const Loss loss : causes) table.header << u"+ "_s + nameOf(loss);
  table.header << u"= step"_s;
  for (const auto& [variant, explanation] : explained) {
    QStringList cells{qstring(variant->name), timeText(explanation.idealNs)};
    for (const Loss loss : causes) {
      const TimeNs ns = nsOf(explanation, loss);
      cells << (ns == 0 ? u"–"_s : timeText(ns));
    }
    cells << timeText(explanation.stepNs);
    table.rows.push_back({cells, {}, false});
  }
  table.note =
      u"For the median step. Ideal: the step's work evenly distributed over all devices. "
      u"Imbalance: "
      "the extra work of the busiest device. Warm-up, waiting, drain: its idle time before, "
      "between and after its actions. Contention: extra time of its actions compared with the "
      "calibration; negative if they were faster."_s;
  return table;
}

QString explanationSummary(const record::VariantResult& variant) {
  const auto explanation = explanationOf(variant);
  if (!explanation || explanation->stepNs <= 0) return {};
  QString text = u"Evenly distributed, its work would take %1 of the step"_s.arg(
      percentOf(explanation->idealNs, explanation->stepNs));
  const auto most = std::max_element(explanation->parts.begin(), explanation->parts.end(),
                                     [](const auto& a, const auto& b) { return a.ns < b.ns; });
  if (most != explanation->parts.end() && most->ns > 0) {
    text += u"; most of the rest is %1, %2"_s.arg(nameOf(most->loss),
                                                  percentOf(most->ns, explanation->stepNs));
  }
  return text + QChar(u'.');
}

}  // namespace stagelane::ui
