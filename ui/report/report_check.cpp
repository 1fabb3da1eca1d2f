#include "ui/report/report_check.h"

#include <algorithm>
#include <optional>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

const record::GradientCheckResult* checkOf(const record::VariantResult& variant) {
  if (variant.outputCheck) return &*variant.outputCheck;
  return variant.gradientCheck ? &*variant.gradientCheck : nullptr;
}

QString dash() { return u"–"_s; }

}  // namespace

bool isInference(const record::RunResult& run) {
  return std::any_of(
      run.variants.begin(), run.variants.end(),
      [](const record::VariantResult& variant) { return variant.latency.has_value(); });
}

QString checkSummary(const record::RunResult& run) {
  const bool inference = isInference(run);
  const QString what = inference ? u"outputs"_s : u"gradients"_s;
  const QString reference = inference ? u"the forward pass of one worker"_s : u"plain autograd"_s;
  std::size_t checked = 0, equal = 0;
  double worst = 0.0;
  std::optional<double> worstOwn;
  for (const auto& variant : run.variants) {
    const auto* check = checkOf(variant);
    if (check == nullptr) continue;
    ++checked;
    equal += check->bitEqual ? 1U : 0U;
    worst = std::max(worst, check->maxRelError);
    if (check->ownPrecisionError) {
      worstOwn = std::max(worstOwn.value_or(0.0), *check->ownPrecisionError);
    }
  }
  const QString capital = what.left(1).toUpper() + what.mid(1);
  if (checked == 0) return u"%1 were not checked."_s.arg(capital);
  const QString own = worstOwn
                          ? u" In the experiment's own precision, they differ by at most %1."_s.arg(
                                QString::number(*worstOwn, 'g', 2))
                          : QString();
  if (equal == checked) {
    return u"The %1 of %2 match %3 bit for bit."_s.arg(
               what,
               countedText(static_cast<std::int64_t>(checked), u"checked variant"_s,
                           u"checked variants"_s),
               reference) +
           own;
  }
  return u"%1 differ from %2 by at most %3 (relative)."_s.arg(capital, reference,
                                                              QString::number(worst, 'g', 2)) +
         own;
}

QString checkCell(const record::VariantResult& variant) {
  const auto* check = checkOf(variant);
  if (check == nullptr) return dash();
  return check->bitEqual ? u"bit-equal"_s : QString::number(check->maxRelError, 'g', 2);
}

std::vector<QString> checkDifferences(const record::RunResult& run) {
  std::vector<QString> sentences;
  for (const auto& variant : run.variants) {
    const auto* check = checkOf(variant);
    if (check == nullptr || (check->bitEqual && !check->ownPrecisionError)) continue;
    const QString found =
        check->bitEqual
            ? u"bit-equal"_s
            : u"largest relative error %1"_s.arg(QString::number(check->maxRelError, 'g', 3));
    const QString own = check->ownPrecisionError
                            ? u"; %1 in the experiment's own precision"_s.arg(
                                  QString::number(*check->ownPrecisionError, 'g', 3))
                            : QString();
    sentences.push_back(u"%1: %2, against %3%4."_s.arg(qstring(variant.name), found,
                                                       qstring(check->reference), own));
  }
  return sentences;
}

QString latencyCell(const record::VariantResult& variant) {
  if (!variant.latency) return dash();
  return u"%1, %2"_s.arg(secondsText(variant.latency->p50S), secondsText(variant.latency->p99S));
}

QString throughputCell(const record::VariantResult& variant) {
  return variant.throughput ? QString::number(*variant.throughput, 'f', 1) : dash();
}

}  // namespace stagelane::ui
