// compare: two traces or runs, one step of each side by side.

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/compare_text.h"
#include "app/cli/predictions.h"
#include "app/cli/trace_source.h"
#include "app/terminal/console.h"
#include "engine/base/visible_text.h"
#include "engine/record/run_record.h"
#include "profiler/analysis/compare.h"
#include "profiler/formats/trace_formats.h"
#include "ui/session/prediction/run_plan.h"
#include "ui/session/run/run_comparison.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  std::string left;
  std::string right;
  std::string variant;
  std::string rightVariant;
  std::optional<std::size_t> step;
  bool predicted = false;
  bool json = false;
};

/// One trace of the comparison and its step.
struct Side {
  std::string name;
  trace::TracePtr trace;
  trace::Step step;
};

bool isFolder(const std::string& argument) {
  std::error_code failed;
  return fs::is_directory(argument, failed);
}

Result<Side> withStep(std::string name, trace::TracePtr trace, std::optional<std::size_t> number) {
  const Result<trace::Step> step = analysis::stepToCompare(*trace, number);
  if (!step) {
    Error error = step.error();
    error.context = error.context.empty() ? name : error.context + " of " + name;
    return tl::make_unexpected(error);
  }
  return Side{std::move(name), std::move(trace), *step};
}

Result<Side> openSide(const std::string& argument, const std::string& variant,
                      std::optional<std::size_t> number) {
  // --variant applies only to run folders.
  const std::string chosen = isFolder(argument) ? variant : std::string();
  STAGELANE_TRY(read, openTrace(argument, chosen));
  return withStep(chosen.empty() ? argument : argument + " (" + chosen + ")", read->trace, number);
}

/// Predicts a variant of a run with the plan and the costs of the run.
Result<Side> predictedSide(const std::string& folder, const std::string& variant) {
  STAGELANE_TRY(run, ui::readRunPlan(folder));
  STAGELANE_TRY(all, predictAll(run->experiment, ui::orEstimated(run->table()), {}));
  std::string ids;
  for (const Predicted& predicted : all->variants) {
    if (predicted.variant->id == variant || all->variants.size() == 1) {
      return withStep("prediction of " + predicted.variant->id, predicted.plan->trace, {});
    }
    ids += (ids.empty() ? "" : ", ") + predicted.variant->id;
  }
  return fail(ErrorCode::Invalid, "no prediction for a variant '" + variant + "'", folder,
              "choose one with --variant: " + ids);
}

int printSides(const Side& left, const Side& right, bool json) {
  const analysis::StepComparison comparison =
      analysis::compareSteps(*left.trace, left.step, *right.trace, right.step);
  if (!json) {
    return printText("left:  " + visible(left.name) + "\nright: " + visible(right.name) + "\n\n" +
                     comparisonText(comparison));
  }
  return printJson({{"left", left.name},
                    {"right", right.name},
                    {"trace", analysis::comparisonJson(comparison, *left.trace, *right.trace)}});
}

Result<int> compareTraces(const CompareOptions& options) {
  STAGELANE_TRY(left, openSide(options.left, options.variant, options.step));
  const std::string other = options.rightVariant.empty() ? options.variant : options.rightVariant;
  STAGELANE_TRY(right, openSide(options.right, other, options.step));
  return printSides(*left, *right, options.json);
}

Result<int> compareWithPrediction(const CompareOptions& options) {
  if (!options.right.empty() || !isFolder(options.left)) {
    return fail(ErrorCode::Usage, "--predicted compares one run folder with its prediction", "",
                "write `stagelane compare RUN --variant ID --predicted`");
  }
  STAGELANE_TRY(measured, openSide(options.left, options.variant, options.step));
  std::string variant = options.variant;
  if (variant.empty()) {
    const auto path = resolveTrace(options.left, variant);
    variant = path ? path->stem().string() : variant;
  }
  STAGELANE_TRY(predicted, predictedSide(options.left, variant));
  return printSides(*predicted, *measured, options.json);
}

struct RunSide {
  record::RunResult result;
  Json experiment;
};

Result<RunSide> openRunSide(const std::string& folder) {
  STAGELANE_TRY(run, record::openRun(folder));
  STAGELANE_TRY(experiment, readJsonFile(record::RunFolder{folder}.experiment().string()));
  return RunSide{*run, *experiment};
}

Result<const record::VariantResult*> variantOf(const RunSide& run, const std::string& id,
                                               const std::string& folder) {
  std::string ids;
  for (const record::VariantResult& variant : run.result.variants) {
    if (variant.id == id) return &variant;
    ids += (ids.empty() ? "" : ", ") + variant.id;
  }
  return fail(ErrorCode::Invalid, "the run has no variant '" + id + "'", folder,
              "use one of: " + ids);
}

/// All variants of both runs, or the selected ones.
Result<ui::RunComparison> compareResults(const CompareOptions& options, const RunSide& left,
                                         const RunSide& right) {
  if (options.variant.empty()) {
    return ui::compareRuns(left.result, left.experiment, right.result, right.experiment);
  }
  const auto leftVariant = variantOf(left, options.variant, options.left);
  const auto rightVariant = variantOf(
      right, options.rightVariant.empty() ? options.variant : options.rightVariant, options.right);
  for (const auto* const chosen : {&leftVariant, &rightVariant}) {
    if (!*chosen) return tl::make_unexpected(chosen->error());
  }
  ui::RunComparison comparison;
  comparison.settings = ui::settingDifferences(left.experiment, right.experiment);
  comparison.variants = {
      ui::compareVariants({**leftVariant, left.experiment}, {**rightVariant, right.experiment})};
  return comparison;
}

bool hasTrace(const std::string& folder, const std::string& variant) {
  std::error_code failed;
  return fs::exists(record::RunFolder{folder}.trace(variant), failed);
}

/// The steps of a variant that both runs traced; null if a trace is missing, or, with a warning,
/// cannot be read. @errors Invalid for a step that a trace does not have
Result<Json> tracePart(const CompareOptions& options, const ui::VariantComparison& variant,
                       std::string& text) {
  const bool leftHas = hasTrace(options.left, variant.leftId);
  const bool rightHas = hasTrace(options.right, variant.rightId);
  if (!leftHas || !rightHas) {
    if (leftHas || rightHas) printWarning("only one of the runs has a trace of " + variant.leftId);
    return nullptr;
  }
  const auto left = openSide(options.left, variant.leftId, options.step);
  const auto right = openSide(options.right, variant.rightId, options.step);
  for (const auto* const side : {&left, &right}) {
    if (!*side && options.step) return tl::make_unexpected(side->error());
    if (!*side) {
      printWarning("traces of " + variant.leftId + " are not compared: " + describe(side->error()));
      return nullptr;
    }
  }
  const analysis::StepComparison comparison =
      analysis::compareSteps(*left->trace, left->step, *right->trace, right->step);
  text = comparisonText(comparison);
  return analysis::comparisonJson(comparison, *left->trace, *right->trace);
}

Result<int> compareRunFolders(const CompareOptions& options) {
  STAGELANE_TRY(left, openRunSide(options.left));
  STAGELANE_TRY(right, openRunSide(options.right));
  STAGELANE_TRY(comparison, compareResults(options, *left, *right));
  Json json = {{"left", options.left},
               {"right", options.right},
               {"settings", Json::array()},
               {"variants", Json::array()},
               {"only_left", comparison->onlyLeft},
               {"only_right", comparison->onlyRight}};
  for (const ui::SettingDifference& setting : comparison->settings) {
    json["settings"].push_back(ui::toJson(setting));
  }
  std::string text = settingsText(*comparison);
  for (const ui::VariantComparison& variant : comparison->variants) {
    std::string traceText;
    json["variants"].push_back(ui::toJson(variant));
    STAGELANE_TRY(trace, tracePart(options, variant, traceText));
    json["variants"].back()["trace"] = std::move(*trace);
    text += variantText(variant) + traceText + "\n";
  }
  return options.json ? printJson(json) : printText(text);
}

Result<int> compare(const CompareOptions& options) {
  if (!options.rightVariant.empty() && options.variant.empty()) {
    return fail(ErrorCode::Usage, "--with selects only the variant of B", "--with",
                "select the variant of A with --variant");
  }
  if (options.predicted && !options.rightVariant.empty()) {
    return fail(ErrorCode::Usage, "--with selects a variant of B, but --predicted has no B",
                "--with", "select the variant of A with --variant");
  }
  if (options.predicted) return compareWithPrediction(options);
  if (options.right.empty()) {
    return fail(ErrorCode::Usage, "only one trace or run to compare", "",
                "add a second one or --predicted");
  }
  for (const std::string& side : {options.left, options.right}) {
    std::error_code failed;
    if (!fs::exists(side, failed)) {
      return fail(ErrorCode::Invalid, "no such file", side,
                  "use a trace (" + formats::readFormatsText() + "), or a run folder");
    }
  }
  const bool runs = isFolder(options.left) && isFolder(options.right);
  return runs ? compareRunFolders(options) : compareTraces(options);
}

}  // namespace

void addCompareCommand(const CommandLine& line) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = line.parser.add_subcommand(
      "compare", "Compare two runs or traces action by action and show what got slower");
  command->add_option("A", options->left, "Trace or run folder")->required();
  command->add_option("B", options->right, "Trace or run folder");
  command->add_option("--variant", options->variant, "Variant of the run folders to compare");
  command->add_option("--with", options->rightVariant, "Variant of B, if not the same as of A");
  command
      ->add_option("--step", options->step,
                   "Timed step of both, from 0 (default: each trace's median step)")
      ->check([](const std::string& text) {
        return text.find('-') == std::string::npos ? std::string()
                                                   : text + ": expected a number ≥ 0";
      });
  command->add_flag("--predicted", options->predicted, "Compare the run A with its prediction");
  command->add_flag("--json", options->json, "Print one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane compare before/ after/\n"
      "  stagelane compare run/ run/ --variant gpipe --with 1f1b\n"
      "  stagelane compare run/ --variant pipeline --predicted\n"
      "  stagelane compare a.pftrace b.json --step 0 --json");
  line.use(command, [options] { return compare(*options); });
}

}  // namespace stagelane::app
