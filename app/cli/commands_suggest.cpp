// suggest: the split size, schedule and placement with the shortest step.

#include <array>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/cli/command_application.h"
#include "app/cli/commands.h"
#include "app/engine_client/cost_source.h"
#include "app/engine_client/experiment_source.h"
#include "app/terminal/console.h"
#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/base/visible_text.h"
#include "engine/plan/rows.h"
#include "engine/predict/simulator.h"
#include "engine/search/advice.h"
#include "engine/search/resolve.h"
#include "engine/search/suggestion.h"

namespace stagelane::app {
namespace {

struct SuggestOptions {
  std::string experiment;
  std::vector<std::string> sets;
  std::string costs;
  bool largestBatch = false;
  bool json = false;
};

struct Answer {
  search::Suggestion suggestion;
  std::optional<search::LargestBatch> largest;
};

/// A placement has one device for each block, so it cannot express replicas or several stages on a
/// device.
Json placementOf(const model::Model& model, const std::vector<plan::Stage>& stages) {
  const auto rows = plan::stageRowsOf(stages);
  if (!rows.areSingle() || rows.rows() < rows.stages()) return {};
  return plan::placementOf(model, plan::deviceOfEachBlock(stages, model.blocks.size()));
}

Json jsonOf(const search::Advice* advice) {
  if (advice == nullptr) return {};
  return {{"text", advice->text}, {"source", advice->source}, {"url", advice->url}};
}

Json jsonOf(const model::Model& model, const search::KindPlan& kind) {
  return {{"strategy", plan::word(kind.strategy)},
          {"schedule", kind.schedule},
          {"split_size", kind.splitSize},
          {"replicas", kind.replicas},
          {"placement", placementOf(model, kind.stages)},
          {"stages", plan::stagesToJson(model, kind.stages)},
          {"step_ns", kind.stepNs},
          {"peak_bytes", kind.peakBytes},
          {"bytes_moved", kind.bytesMoved},
          {"fits", kind.fits()},
          {"reason", kind.reason},
          {"advice", jsonOf(search::adviceOn(plan::strategyRow(kind.strategy), kind.replicas))}};
}

Json jsonOf(const plan::Experiment& experiment, const Answer& answer) {
  const search::Suggestion& found = answer.suggestion;
  const model::Model& model = *experiment.model;
  const auto devices = plan::deviceOfEachBlock(found.best.stages, model.blocks.size());
  Json curve = Json::array();
  for (const search::SuggestedPlan& point : found.curve) {
    curve.push_back({{"split_size", point.splitSize},
                     {"step_ns", point.stepNs},
                     {"schedule", point.schedule},
                     {"fits", point.excess == 0}});
  }
  Json json{{"split_size", found.best.splitSize},
            {"schedule", found.best.schedule},
            {"placement", plan::placementOf(model, devices)},
            {"stages", plan::stagesToJson(model, found.best.stages)},
            {"step_ns", found.best.stepNs},
            {"lower_bound_ns", found.lowerBoundNs},
            {"gap", found.gap},
            {"fits", found.best.excess == 0},
            {"closed_form",
             {{"alpha_ns", found.closedForm.alphaNs},
              {"beta_ns", found.closedForm.betaNs},
              {"split_size", found.closedForm.splitSize}}},
            {"curve", std::move(curve)},
            {"basis", predict::word(found.basis)}};
  json["kinds"] = Json::array();
  for (const search::KindPlan& kind : found.kinds) json["kinds"].push_back(jsonOf(model, kind));
  if (answer.largest) {
    json["largest_batch"] =
        answer.largest->limited
            ? Json{{"batch", answer.largest->batch}, {"split_size", answer.largest->splitSize}}
            : Json();
  }
  return json;
}

std::string format(const char* pattern, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), pattern, value);
  return text.data();
}

std::string time(TimeNs ns) { return humanTime(static_cast<double>(ns)); }

std::string comparison(const search::Suggestion& found) {
  if (!found.asWritten) return "";
  const search::SuggestedPlan& own = *found.asWritten;
  const double ratio =
      static_cast<double>(own.stepNs) / static_cast<double>(std::max<TimeNs>(1, found.best.stepNs));
  if (own.stepNs <= found.best.stepNs && own.excess == 0) {
    return "The experiment's variant \"" + visible(own.placedBy) + "\" (" + own.schedule +
           ", split " + std::to_string(own.splitSize) + ") is as fast: " + time(own.stepNs) + ".\n";
  }
  return "The best variant of the experiment, \"" + visible(own.placedBy) + "\" (" + own.schedule +
         ", split " + std::to_string(own.splitSize) + "), takes " + time(own.stepNs) + ": " +
         format("%.2f× ", ratio) + "as long" +
         (own.excess > 0 ? ", and does not fit the devices' memory" : "") + ".\n";
}

std::string closedFormText(const plan::Experiment& experiment, const search::Suggestion& found) {
  if (found.closedForm.splitSize <= 0.0) return "";
  return "The slowest stage takes about " + humanTime(found.closedForm.alphaNs) + " + " +
         humanTime(found.closedForm.betaNs) +
         " per sample, so the closed form √(αB / (β(p − 1))) gives split " +
         format("%.1f", found.closedForm.splitSize) + " of " +
         std::to_string(experiment.data.batchSize) +
         "; smaller micro-batches fill the pipeline sooner but incur the fixed cost more often.\n";
}

std::string largestText(const Answer& answer) {
  if (!answer.largest) return "";
  if (!answer.largest->limited) {
    return "No device has a \"max_memory\", so nothing limits the batch.\n";
  }
  if (answer.largest->batch == 0) {
    return "Micro-batches of one sample do not fit the devices' memory.\n";
  }
  return "The largest batch that fits with the same number of micro-batches is " +
         std::to_string(answer.largest->batch) + ", with split " +
         std::to_string(answer.largest->splitSize) + ".\n";
}

/// What others advise, with the sources.
std::string sourcesText(const search::Suggestion& found) {
  std::string text;
  std::vector<const search::Advice*> told;
  for (const search::KindPlan& kind : found.kinds) {
    const auto* advice = search::adviceOn(plan::strategyRow(kind.strategy), kind.replicas);
    if (advice == nullptr || contains(told, advice)) continue;
    told.push_back(advice);
    text += "\n" + std::string(plan::word(kind.strategy)) + ": " + std::string(advice->text) +
            " (" + std::string(advice->source) + ", " + std::string(advice->url) + ")";
  }
  return text.empty() ? "" : text + "\n";
}

/// The best plan of each kind, one line each.
std::string kindsText(const search::Suggestion& found) {
  std::vector<std::vector<std::string>> rows{
      {"kind", "replicas", "schedule", "split", "step", "peak", "moved", "why"}};
  for (const search::KindPlan& kind : found.kinds) {
    rows.push_back({std::string(plan::word(kind.strategy)), std::to_string(kind.replicas),
                    kind.schedule, std::to_string(kind.splitSize), time(kind.stepNs),
                    humanBytes(kind.peakBytes), humanBytes(kind.bytesMoved), kind.reason});
  }
  return rows.size() < 2
             ? ""
             : "Of each kind the best plan:\n\n" + formatTable(rows) + sourcesText(found) + "\n";
}

std::string textOf(const plan::Experiment& experiment, const Answer& answer) {
  const search::Suggestion& found = answer.suggestion;
  const search::SuggestedPlan& best = found.best;
  std::string text = visible(experiment.name) + "\n\nUse schedule " + best.schedule +
                     " with split_size " + std::to_string(best.splitSize) +
                     " and these stages:\n\n";
  std::vector<std::vector<std::string>> stages{{"device", "first block", "last block"}};
  for (const plan::Stage& stage : best.stages) {
    stages.push_back({stage.group.text(), experiment.model->blocks[stage.firstBlock].name,
                      experiment.model->blocks[stage.lastBlock].name});
  }
  std::string unused;
  const std::vector<DeviceId> used = plan::rowsOf(best.stages);
  for (const plan::DeviceSpec& device : experiment.devices) {
    if (!contains(used, device.id)) unused += (unused.empty() ? "" : ", ") + device.id.value;
  }
  text += formatTable(stages) +
          (unused.empty() ? "" : "\nDevices without blocks: " + unused + "\n") + "\nA step takes " +
          time(best.stepNs) + "; no order of these stages takes less than " +
          time(found.lowerBoundNs) + " (gap " + format("%.1f %%", 100.0 * found.gap) + ").\n";
  if (best.excess > 0) {
    text +=
        "It needs " + humanBytes(best.excess) + " more than a device has; no tested plan fits.\n";
  }
  text += comparison(found) + closedFormText(experiment, found) + largestText(answer) + "\n" +
          kindsText(found);
  std::vector<std::vector<std::string>> curve{{"split", "step", "schedule", "fits"}};
  for (const search::SuggestedPlan& point : found.curve) {
    curve.push_back({std::to_string(point.splitSize), time(point.stepNs), point.schedule,
                     point.excess == 0 ? "yes" : "no"});
  }
  return text + formatTable(curve) + "\ncosts: " + std::string(predict::word(found.basis)) + "\n";
}

Result<Answer> answerOf(const plan::Experiment& experiment, const predict::CostTable* table,
                        bool largest) {
  const search::SuggestTask task{&experiment, table, 3};
  STAGELANE_TRY(found, search::suggest(task));
  Answer answer{std::move(*found), {}};
  if (largest) {
    STAGELANE_TRY(batch, search::largestBatch(task, answer.suggestion.best));
    answer.largest = *batch;
  }
  return answer;
}

Result<int> suggestPlan(const SuggestOptions& options) {
  const CommandApplication application;

  STAGELANE_TRY(loaded, readExperimentArgument(options.experiment, options.sets));
  STAGELANE_TRY(costs, costsFor(*loaded, {options.costs}));
  loaded->experiment = search::resolveStages(std::move(loaded->experiment), costs->table.get());
  STAGELANE_TRY(answer, answerOf(loaded->experiment, costs->table.get(), options.largestBatch));
  return options.json ? printJson(jsonOf(loaded->experiment, *answer))
                      : printText(textOf(loaded->experiment, *answer));
}

}  // namespace

void addSuggestCommand(const CommandLine& line) {
  auto options = std::make_shared<SuggestOptions>();
  CLI::App* command = line.parser.add_subcommand(
      "suggest", "Find the split size, schedule and placement with the shortest step");
  command->add_option("EXPERIMENT", options->experiment, "Experiment file, preset or run folder")
      ->required();
  addSetOption(*command, options->sets);
  addPathOption(*command, "--costs", options->costs,
                "Cost file (default: calibrated costs, else estimates)");
  command->add_flag("--largest-batch", options->largestBatch,
                    "Also find the largest batch that fits the devices' max_memory");
  command->add_flag("--json", options->json, "Print one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane suggest tutorial-resnet50\n"
      "  stagelane suggest my.json --costs measured.json --json\n"
      "  stagelane suggest my.json --set /data/batch_size=64 --largest-batch");
  line.use(command, [options] { return suggestPlan(*options); });
}

}  // namespace stagelane::app
