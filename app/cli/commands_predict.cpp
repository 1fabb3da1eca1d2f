// predict: an experiment's step time and memory, without running it.

#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/command_application.h"
#include "app/cli/commands.h"
#include "app/cli/predictions.h"
#include "app/engine_client/cost_source.h"
#include "app/engine_client/experiment_source.h"
#include "app/terminal/console.h"
#include "engine/plan/rank_layout.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/what_if.h"
#include "engine/search/resolve.h"
#include "engine/workspace/workspace.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::app {
namespace {

struct PredictOptions {
  std::string experiment;
  std::string costs;
  std::vector<std::string> whatIf;
  std::vector<std::string> sets;
  std::string trace;
  int ranks = kRanksNeeded;
  bool noCalibrate = false;
  bool json = false;
};

Result<predict::WhatIf> whatIfOf(const PredictOptions& options,
                                 const plan::Experiment& experiment) {
  predict::WhatIf whatIf;
  for (const std::string& text : options.whatIf) {
    STAGELANE_CHECK(predict::addWhatIf(text, experiment, whatIf));
  }
  return whatIf;
}

// One file for one variant, else one per variant with its id before the extension.
Status writeTraces(const Predictions& all, const std::filesystem::path& out) {
  if (std::error_code ignored; std::filesystem::is_directory(out, ignored)) {
    return fail(ErrorCode::CannotWrite, "cannot write the trace: the path is a folder",
                out.string(), "use a file name, for example trace.pftrace");
  }
  for (const Predicted& predicted : all.variants) {
    std::filesystem::path path = out;
    if (all.variants.size() > 1) {
      path.replace_filename(out.stem().string() + "-" + predicted.variant->id +
                            out.extension().string());
    }
    STAGELANE_CHECK(formats::writePerfetto(*predicted.plan->trace, path));
  }
  return {};
}

/// Rejects what cannot be predicted, before costs are measured for it. Skips open orders, because
/// the search for them needs the costs.
Status checkPlans(plan::Experiment experiment, const predict::WhatIf& whatIf) {
  for (plan::Variant& variant : experiment.variants) {
    variant.include = variant.include && !plan::hasOpenOrder(variant);
  }
  STAGELANE_CHECK(predictAll(experiment, {nullptr, whatIf}, {}));
  return {};
}

/// For a run with `--ranks`.
Status deal(int ranks, plan::Experiment& experiment) {
  if (ranks == kRanksNeeded) return {};
  for (const plan::Variant& variant : experiment.variants) {
    if (variant.include) STAGELANE_CHECK(plan::ranksOfRows(experiment, variant, ranks, true));
  }
  experiment.dealtRanks = ranks;
  return {};
}

Result<int> predict(const PredictOptions& options) {
  const CommandApplication application;

  STAGELANE_TRY(loaded, readExperimentArgument(options.experiment, options.sets));
  STAGELANE_CHECK(plan::requireIncluded(loaded->experiment));
  STAGELANE_CHECK(deal(options.ranks, loaded->experiment));
  STAGELANE_TRY(whatIf, whatIfOf(options, loaded->experiment));
  STAGELANE_CHECK(checkPlans(loaded->experiment, *whatIf));
  const Calibrate calibrate = options.noCalibrate ? Calibrate::Never : Calibrate::IfMissing;
  CostRequest request{options.costs, calibrate};
  request.ranks = options.ranks;
  STAGELANE_TRY(costs, costsFor(*loaded, request));
  if (costs->canceled) {
    std::fputs("stagelane: canceled\n", stderr);
    return kExitCanceled;
  }
  for (const std::string& warning : loaded->experiment.warnings) printWarning(warning);
  loaded->experiment = search::resolveStages(std::move(loaded->experiment), costs->table.get());
  const ui::PredictionBasis basis{costs->table.get(), *whatIf};
  STAGELANE_TRY(all, predictAll(loaded->experiment, basis, options.whatIf));
  all->peaks = workspace::readPeakHistory(workspace::workspaceRoot(), loaded->experiment);
  if (!options.trace.empty()) STAGELANE_CHECK(writeTraces(*all, options.trace));
  return options.json ? printJson(toJson(loaded->experiment, *all))
                      : printText(predictionTable(loaded->experiment, *all));
}

}  // namespace

void addPredictCommand(const CommandLine& line) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command = line.parser.add_subcommand(
      "predict", "Predict an experiment's step time and memory without running it");
  command->add_option("EXPERIMENT", options->experiment, "Experiment file, preset or run folder")
      ->required();
  addSetOption(*command, options->sets);
  addPathOption(*command, "--costs", options->costs,
                "Cost file with the times of the model's blocks "
                "(docs/reference/experiment.md). Default: the newest "
                "calibration");
  command
      ->add_option("--what-if", options->whatIf,
                   "Try a change; repeatable: links=free, contention=free, host=free, 'DEVICE xF' "
                   "or 'BLOCKS xF', where F multiplies times: 'cuda:1 x0.5' takes half as long")
      ->allow_extra_args(false);
  addOutOption(*command, "--trace", options->trace,
               "Write the predicted traces, one file per variant (.pftrace)");
  addRanksOption(*command, options->ranks);
  command->add_flag("--no-calibrate", options->noCalibrate,
                    "Estimate costs that are not measured yet instead of measuring them");
  command->add_flag("--json", options->json, "Print one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane predict tutorial-resnet50\n"
      "  stagelane predict my.json --set /data/batch_size=64 --json\n"
      "  stagelane predict my.json --costs costs.json --what-if links=free\n"
      "  stagelane predict my.json --what-if 'cuda:1 x0.5' --what-if 'layer3 x0.8'\n"
      "  stagelane predict toy --trace /tmp/toy.pftrace");
  line.use(command, [options] { return predict(*options); });
}

}  // namespace stagelane::app
