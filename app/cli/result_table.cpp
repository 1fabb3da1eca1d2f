#include "app/cli/result_table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <vector>

#include "app/cli/model_share_table.h"
#include "app/cli/rank_table.h"
#include "app/terminal/console.h"
#include "engine/base/text.h"
#include "engine/base/visible_text.h"
#include "engine/plan/strategies.h"
#include "engine/predict/explain.h"
#include "engine/record/fastest.h"

namespace stagelane::app {
namespace {

using record::RunResult;
using record::RunStatus;
using record::VariantResult;

std::string fixed(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

// Three significant digits of the mean; the deviation has the same decimals.
struct Scale {
  double factor = 1.0;
  const char* unit = "s";
  int decimals = 2;
};
Scale scaleOf(double seconds) {
  Scale scale;
  if (seconds < 1e-3) {
    scale = {1e6, "µs", 0};
  } else if (seconds < 1.0) {
    scale = {1e3, "ms", 0};
  }
  const double shown = seconds * scale.factor;
  scale.decimals = shown < 10.0 ? 2 : shown < 100.0 ? 1 : 0;
  return scale;
}

std::string inUnit(double seconds) {
  const Scale scale = scaleOf(seconds);
  return fixed(seconds * scale.factor, scale.decimals) + " " + scale.unit;
}

std::string latencyText(const VariantResult& variant) {
  return variant.latency ? inUnit(variant.latency->p50S) + ", " + inUnit(variant.latency->p99S)
                         : "-";
}

std::string times(const std::optional<double>& factor) {
  return factor ? fixed(*factor, 2) + "×" : "-";
}

/// The check of the gradients, or of the outputs of an inference.
std::string checkText(const VariantResult& variant) {
  const auto& check = variant.outputCheck ? variant.outputCheck : variant.gradientCheck;
  if (!check) return "-";
  std::array<char, 64> part{};
  std::string text = "bit-equal";
  if (!check->bitEqual) {
    std::snprintf(part.data(), part.size(), "differs by %.1e", check->maxRelError);
    text = part.data();
  }
  if (check->ownPrecisionError) {
    // GPUs are judged in float64, but train in the experiment's precision.
    std::snprintf(part.data(), part.size(), " (own precision: %.1e)", *check->ownPrecisionError);
    text += part.data();
  }
  return text;
}

std::string marksText(const VariantResult& variant) {
  std::string text;
  const auto add = [&text](const std::string& mark) { text += (text.empty() ? "" : ", ") + mark; };
  if (variant.status == RunStatus::NotRun) {
    add("not run");
  } else if (variant.status != RunStatus::Done) {
    add(std::string(record::word(variant.status)));
  }
  if (variant.noisy) add("noisy");
  if (variant.capture && variant.capture->dropped > 0) {
    add(std::to_string(variant.capture->dropped) + " records lost");
  }
  return text;
}

std::vector<std::string> rowOf(const VariantResult& variant, bool inference) {
  std::vector<std::string> row{
      variant.name,
      variant.splitSize > 0 ? std::to_string(variant.splitSize) : "-",
      secondsText(variant),
      times(variant.speedup),
      times(variant.speedupAllCores),
      variant.bound && variant.bound->speedup > 0.0 ? times(variant.bound->speedup) : "-",
      idleText(variant)};
  if (inference) {
    row.push_back(latencyText(variant));
    row.push_back(variant.throughput ? fixed(*variant.throughput, 1) : "-");
  }
  row.push_back(checkText(variant));
  row.push_back(marksText(variant));
  return row;
}

const VariantResult* variantById(const RunResult& run, const std::string& id) {
  for (const VariantResult& variant : run.variants) {
    if (variant.id == id) return &variant;
  }
  return nullptr;
}

/// The time that speed-ups are computed from.
std::string medianText(const VariantResult& variant) {
  return inUnit(variant.medianS) + (variant.seconds.size() > 1 ? " median" : "");
}

std::string baseSentence(const RunResult& run) {
  for (const VariantResult& variant : run.variants) {
    if (const VariantResult* base = variantById(run, variant.speedupBase)) {
      std::string text = "Speed-up of medians, relative to \"" + visible(base->name) + "\"";
      if (!base->seconds.empty()) text += ", " + medianText(*base);
      return text +
             "; all cores: relative to one worker with all cores; bound: the limit by stage times "
             "and schedule.\n";
    }
  }
  return {};
}

const VariantResult* fastestPipeline(const RunResult& run) {
  return record::fastestVariant(run, [](const VariantResult& variant) {
    return plan::strategyRow(variant.strategy).pipelined && !variant.explanation.is_null();
  });
}

/// From an even cut of the work to the measured step of the fastest pipeline.
std::string reasonsText(const RunResult& run) {
  const VariantResult* best = fastestPipeline(run);
  if (best == nullptr) return {};
  const auto explanation = predict::explanationFromJson(best->explanation);
  return explanation ? "\nWhy a step of \"" + visible(best->name) + "\" is not faster:\n" +
                           predict::toText(*explanation) + "\n"
                     : std::string();
}

/// The largest recording overhead of a step. The interval is the measured difference between
/// repeats with and without deeper recording, if both were measured.
std::string recordingSentence(const RunResult& run) {
  const VariantResult* dearest = nullptr;
  for (const VariantResult& variant : run.variants) {
    const bool known = variant.capture && variant.capture->overheadPct;
    if (known &&
        (dearest == nullptr || *variant.capture->overheadPct > *dearest->capture->overheadPct)) {
      dearest = &variant;
    }
  }
  if (dearest == nullptr) return {};
  std::string text = "Recording took up to " + fixed(*dearest->capture->overheadPct, 2) +
                     " % of a step (\"" + visible(dearest->name) + "\")";
  if (const auto& interval = dearest->capture->overheadCiPct) {
    text += "; repeats with deeper recording differed by " + fixed(interval->first, 2) + " to " +
            fixed(interval->second, 2) + " % (95 %)";
  }
  return text + ".\n";
}

/// Updates a second and staleness of each Hogwild variant.
std::string hogwildText(const RunResult& run) {
  std::string text;
  for (const VariantResult& variant : run.variants) {
    if (!variant.hogwild) continue;
    const record::HogwildResult& hogwild = *variant.hogwild;
    text += visible(variant.name) + ": " + std::to_string(hogwild.processes) +
            (hogwild.threads ? " threads, " : " processes, ") + std::to_string(hogwild.updates) +
            " updates, " + fixed(hogwild.updatesPerS, 0) + " updates/s; staleness: median " +
            fixed(hogwild.staleness.median, 0) + ", 99 % " + fixed(hogwild.staleness.p99, 0) +
            ", most " + std::to_string(hogwild.staleness.max) + "; loss " +
            fixed(hogwild.firstLoss, 4) + " to " + fixed(hogwild.lastLoss, 4) + "\n";
  }
  return text;
}

std::string repeatsSentence(const RunResult& run) {
  std::size_t most = 0;
  for (const VariantResult& variant : run.variants) most = std::max(most, variant.seconds.size());
  return visible(run.name + " on " + joined(run.devices)) + ", " + std::to_string(most) +
         (most == 1 ? " repeat" : " repeats") + ", timing " + visible(run.timing) + "\n\n";
}

}  // namespace

std::string secondsText(const VariantResult& variant) {
  if (variant.seconds.empty()) return "-";
  const Scale scale = scaleOf(variant.meanS);
  const std::string mean = fixed(variant.meanS * scale.factor, scale.decimals);
  if (variant.seconds.size() == 1) return mean + " " + scale.unit;
  return mean + " ± " + fixed(variant.stdS * scale.factor, scale.decimals) + " " + scale.unit;
}

std::string idleText(const VariantResult& variant) {
  std::string text;
  for (const record::DeviceResult& device : variant.devices) {
    text += (text.empty() ? "" : ", ") + device.id + " " +
            fixed(100.0 * (1.0 - device.utilisation), 0) + " %";
  }
  return text.empty() ? "-" : text;
}

std::string resultTable(const RunResult& run) {
  const bool inference =
      std::any_of(run.variants.begin(), run.variants.end(),
                  [](const VariantResult& variant) { return variant.latency.has_value(); });
  std::vector<std::string> head{"variant",   "split", "mean ± std", "speed-up",
                                "all cores", "bound", "idle"};
  if (inference) {
    head.insert(head.end(), {"latency p50, p99", "samples/s", "outputs", ""});
  } else {
    head.insert(head.end(), {"gradients", ""});
  }
  std::vector<std::vector<std::string>> rows{head};
  std::string reasons;
  for (const VariantResult& variant : run.variants) {
    rows.push_back(rowOf(variant, inference));
    if (!variant.reason.empty()) reasons += visible(variant.name + ": " + variant.reason) + "\n";
  }
  return repeatsSentence(run) + formatTable(rows) + "\n" + modelShareTable(run) + rankTable(run) +
         baseSentence(run) + hogwildText(run) + reasons + reasonsText(run) +
         recordingSentence(run) + "folder: " + visible(run.folder) + "\n";
}

}  // namespace stagelane::app
