#include "app/cli/predictions.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/cli/result_table.h"
#include "app/terminal/console.h"
#include "engine/base/text.h"
#include "engine/base/visible_text.h"
#include "engine/predict/simulator.h"
#include "engine/record/device_times.h"
#include "engine/record/rank_results.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/prediction/peak_range.h"

namespace stagelane::app {
namespace {

Result<Predicted> predictOne(const plan::Experiment& experiment, const plan::Variant& variant,
                             const ui::PredictionBasis& basis, bool changed) {
  STAGELANE_TRY(ordered, search::withOrder(experiment, variant, basis));
  STAGELANE_TRY(plan, ui::predictPlan(experiment, *ordered, basis));
  Predicted predicted{&variant, *plan, {}, 0};
  STAGELANE_TRY(explanation, predict::explain((*plan)->schedule, (*plan)->costs));
  predicted.explanation = std::move(*explanation);
  if (changed) {
    STAGELANE_TRY(unchanged, ui::predictStep(experiment, *ordered, {basis.costs, {}}));
    predicted.unchangedStepNs = unchanged->stepNs;
  }
  return predicted;
}

/// Not if the bound of a step is 0.
bool hasGap(const ui::PlanPrediction& plan) { return plan.lowerBoundNs > 0 || plan.stepNs == 0; }

std::vector<record::DeviceResult> devicesOf(const ui::PlanPrediction& plan) {
  std::vector<record::DeviceResult> devices;
  const std::vector<Bytes> moved = predict::transferBytes(plan.schedule, plan.costs);
  for (const analysis::DeviceStep& step : plan.breakdown.devices) {
    const auto row = static_cast<std::size_t>(step.device);
    devices.push_back(record::deviceTimes(plan.trace->devices(), row, plan.breakdown.wallNs(),
                                          step.causeNs, step.starvedBy));
    devices.back().transferBytes = moved.at(row);
    devices.back().peakBytes = plan.simulation.peakBytes.at(row);
  }
  return devices;
}

/// The error bar of the peak of a device that the plan uses.
Json peakRange(const plan::Experiment& experiment, const ui::PlanPrediction& plan,
               const std::string& device, const workspace::PeakHistory& history) {
  const ui::PeakRange range = ui::peakRangeOf(experiment, plan, DeviceId{device}, history);
  Json json{{"low_bytes", range.low},
            {"high_bytes", range.high},
            {"from", range.measured.devices > 0 ? "runs" : "bounds"}};
  if (range.measured.devices > 0) {
    json["measured_peaks"] = range.measured.devices;
    json["runs"] = range.measured.runs;
  }
  return json;
}

Json toJson(const plan::Experiment& experiment, const Predictions& all,
            const Predicted& predicted) {
  const ui::PlanPrediction& plan = *predicted.plan;
  const TimeNs base = plan.baseStepNs;
  Json devices = Json::array();
  for (const record::DeviceResult& device : devicesOf(plan)) {
    Json figures = record::toJson(device);
    figures["peak_range"] = peakRange(experiment, plan, device.id, all.peaks);
    devices.push_back(std::move(figures));
  }
  Json json{{"id", predicted.variant->id},
            {"name", predicted.variant->name},
            {"step_ns", plan.stepNs},
            {"speedup", plan.speedup()},
            {"base", {{"name", plan.baseName}, {"step_ns", base}}},
            {"bound",
             {{"step_ns", plan.bound.stepNs},
              {"perfect_cut_step_ns", plan.bound.perfectCutStepNs},
              {"speedup", plan.boundSpeedup()}}},
            {"lower_bound_ns", plan.lowerBoundNs},
            {"gap", hasGap(plan) ? Json(predict::gapOf(plan.stepNs, plan.lowerBoundNs)) : Json()},
            {"devices", std::move(devices)},
            {"basis", predict::word(plan.basis)},
            {"explanation", predict::toJson(predicted.explanation)}};
  if (const auto& sum = plan.costs.allReduce) {
    json["all_reduce"] =
        record::toJson(record::AllReduceResult{sum->bytes, sum->exposedNs, sum->hiddenPct});
  }
  if (plan.costs.estimatesProcesses) json["process_links"] = "estimate";
  if (!all.whatIf.empty()) json["unchanged_step_ns"] = predicted.unchangedStepNs;
  if (const QString reason = plan.impediment(); !reason.isEmpty()) {
    json["reason"] = ui::utf8(reason);
  }
  return json;
}

std::string times(double factor) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f×", factor);
  return factor > 0.0 ? text.data() : "-";
}

std::string gapText(const ui::PlanPrediction& plan) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%",
                100.0 * predict::gapOf(plan.stepNs, plan.lowerBoundNs));
  return hasGap(plan) ? text.data() : "-";
}

std::string steps(const Predictions& all) {
  std::vector<std::vector<std::string>> rows{
      {"variant", "split", "step", "speed-up", "bound", "gap", "idle", "basis"}};
  if (!all.whatIf.empty()) rows.front().insert(rows.front().begin() + 3, "unchanged");
  for (const Predicted& predicted : all.variants) {
    const ui::PlanPrediction& plan = *predicted.plan;
    record::VariantResult shown;
    shown.devices = devicesOf(plan);
    std::vector<std::string> row{predicted.variant->name,
                                 std::to_string(predicted.variant->splitSize),
                                 humanTime(static_cast<double>(plan.stepNs)),
                                 times(plan.speedup()),
                                 times(plan.boundSpeedup()),
                                 gapText(plan),
                                 idleText(shown),
                                 std::string(predict::word(plan.basis))};
    if (!all.whatIf.empty()) {
      row.insert(row.begin() + 3, humanTime(static_cast<double>(predicted.unchangedStepNs)));
    }
    rows.push_back(std::move(row));
  }
  return formatTable(rows);
}

/// Why plans cannot run, one line per reason.
std::string impediments(const Predictions& all) {
  std::string text;
  for (const Predicted& predicted : all.variants) {
    if (const QString reason = predicted.plan->impediment(); !reason.isEmpty()) {
      text += visible(predicted.variant->name + ": " + ui::utf8(reason)) + "\n";
    }
  }
  return text.empty() ? "" : "\n" + text;
}

/// From an even cut of the work to the step: one column per cause, one row per variant on several
/// devices.
std::string reasons(const Predictions& all) {
  std::vector<std::vector<std::string>> rows;
  for (const Predicted& predicted : all.variants) {
    if (predicted.plan->usedDevices < 2) continue;
    const predict::Explanation& explanation = predicted.explanation;
    std::vector<std::string> header{"variant", "ideal"};
    std::vector<std::string> row{predicted.variant->name,
                                 humanTime(static_cast<double>(explanation.idealNs))};
    for (const predict::LossPart& part : explanation.parts) {
      header.push_back("+ " + std::string(predict::word(part.loss)));
      row.push_back(part.ns == 0 ? "-" : humanTime(static_cast<double>(part.ns)));
    }
    header.emplace_back("= step");
    row.push_back(humanTime(static_cast<double>(explanation.stepNs)));
    if (rows.empty()) rows.push_back(std::move(header));
    rows.push_back(std::move(row));
  }
  return rows.empty()
             ? ""
             : "\nWhy it is not faster, from an even cut of the work:\n\n" + formatTable(rows);
}

/// All variants have the same base.
std::string baseSentence(const Predictions& all) {
  if (all.variants.empty() || all.variants.front().plan->baseStepNs == 0) return {};
  const ui::PlanPrediction& plan = *all.variants.front().plan;
  return "Speed-ups are relative to \"" + visible(plan.baseName) + "\", " +
         humanTime(static_cast<double>(plan.baseStepNs)) + ".\n";
}

std::string footnote(const Predictions& all) {
  std::string text = baseSentence(all);
  for (const std::string& change : all.whatIf) {
    text +=
        "What if " + visible(change) + " (factors multiply times; the order does not change).\n";
  }
  const bool estimated = std::any_of(
      all.variants.begin(), all.variants.end(),
      [](const Predicted& predicted) { return predicted.plan->basis == predict::Basis::Estimate; });
  if (estimated) text += "Estimates are from operations and bytes; `stagelane run` measures.\n";
  for (const Predicted& predicted : all.variants) {
    if (!predicted.plan->costs.estimatesProcesses) continue;
    text += "\"" + visible(predicted.variant->name) +
            "\": messages between processes are estimated; `stagelane calibrate` measures them "
            "between CPU workers.\n";
  }
  return text +
         "Gap: time above the lower bound of all orders and all cuts over the variant's "
         "devices (lower_bound_ns).\n";
}

}  // namespace

Result<Predictions> predictAll(const plan::Experiment& experiment, const ui::PredictionBasis& basis,
                               std::vector<std::string> whatIf) {
  Predictions all;
  all.whatIf = std::move(whatIf);
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include) continue;
    auto predicted = predictOne(experiment, variant, basis, !all.whatIf.empty());
    if (!predicted) {
      Error error = predicted.error();
      error.message = "variant \"" + variant.name + "\": " + error.message;
      return tl::make_unexpected(error);
    }
    all.simulatorNs += predicted->plan->simulatorNs;
    all.actions += predicted->plan->schedule.actionCount;
    all.variants.push_back(std::move(*predicted));
  }
  return all;
}

Json toJson(const plan::Experiment& experiment, const Predictions& all) {
  Json variants = Json::array();
  for (const Predicted& predicted : all.variants) {
    variants.push_back(toJson(experiment, all, predicted));
  }
  Json json{{"variants", std::move(variants)},
            {"simulator", {{"actions", all.actions}, {"wall_ns", all.simulatorNs}}}};
  if (!all.whatIf.empty()) json["what_if"] = all.whatIf;
  return json;
}

std::string predictionTable(const plan::Experiment& experiment, const Predictions& all) {
  return visible(experiment.name) + ", predicted step of one batch\n\n" + steps(all) +
         impediments(all) + reasons(all) + "\n" + footnote(all);
}

}  // namespace stagelane::app
