// calibrate: measures what each block costs on this machine's devices, and keeps it.

#include <array>
#include <cstdio>
#include <memory>

#include "app/cli/command_application.h"
#include "app/cli/commands.h"
#include "app/engine_client/cost_source.h"
#include "app/engine_client/event_members.h"
#include "app/terminal/console.h"
#include "engine/base/text.h"
#include "engine/plan/experiment.h"
#include "ui/session/prediction/cost_facts.h"

namespace stagelane::app {
namespace {

constexpr double kMostSeconds = 86400.0;

struct CalibrateOptions {
  std::string experiment;
  std::vector<std::string> sets;
  double seconds = 60.0;
  bool onlyOccurring = false;
  bool json = false;
};

std::string time(TimeNs ns) { return humanTime(static_cast<double>(ns)); }

std::string workerOf(const predict::BlockCosts& block) {
  if (block.device) return block.device->value;
  return "cpu, " + std::to_string(block.threads) + (block.threads == 1 ? " thread" : " threads");
}

/// How much two measurements of the same thing differ, and what to do about it.
std::string noiseText(const Json& origin) {
  const double typical = numberAt(origin, "noise");
  const double worst = numberAt(origin, "worst_noise");
  std::string text = "Noise: the middle half of the passes of one size lies within " +
                     humanPercent(typical) + " of their median, " + humanPercent(worst) +
                     " at worst";
  constexpr double kSteady = 0.02;
  if (typical > ui::CostFacts::kNoisySpread) {
    return text + ": noisy. Close other programs and calibrate again.";
  }
  return text + (typical > kSteady ? ": fair." : ": steady.");
}

std::string table(const CostSource& source, const plan::Experiment& experiment) {
  std::vector<std::vector<std::string>> rows{
      {"block", "worker", "size", "F", "I", "W", "B", "kept", "noise"}};
  for (const predict::BlockCosts& block : source.table->blocks) {
    for (const predict::CostPoint& point : block.points) {
      rows.push_back({block.name, workerOf(block), std::to_string(point.samples),
                      time(point.forward), time(point.backwardInput), time(point.backwardWeight),
                      time(point.backward), humanBytes(point.savedBytes),
                      humanPercent(point.noise)});
    }
  }
  std::string text = experiment.name + ", measured times of a micro-batch\n\n" + formatTable(rows);
  for (const auto& [busy, factor] : source.table->contention) {
    std::array<char, 80> line{};
    std::snprintf(line.data(), line.size(),
                  "\n%d workers at once: everything takes %.3f times as long", busy, factor);
    text += line.data();
  }
  return text + "\n" + noiseText(source.table->origin) + "\nKept in " + source.file.string() + "\n";
}

Result<int> calibrate(const CalibrateOptions& options) {
  const CommandApplication application;

  const auto loaded = readExperimentArgument(options.experiment, options.sets);
  STAGELANE_CHECK(loaded);
  for (const std::string& warning : loaded->experiment.warnings) printWarning(warning);
  const auto source =
      costsFor(*loaded, {"", Calibrate::Always, options.seconds, options.onlyOccurring});
  STAGELANE_CHECK(source);
  if (source->canceled) {
    std::fputs("stagelane: canceled, nothing was kept\n", stderr);
    return kExitCanceled;
  }
  if (!options.json) return printText(table(*source, loaded->experiment));
  Json document = predict::toJson(*source->table);
  document["file"] = source->file.string();
  return printJson(document);
}

}  // namespace

void addCalibrateCommand(const CommandLine& line) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = line.parser.add_subcommand(
      "calibrate", "Measure what each block costs on each device, for exact predictions");
  command->add_option("EXPERIMENT", options->experiment, "Experiment file, preset or run folder")
      ->required();
  addSetOption(*command, options->sets);
  command
      ->add_option("--seconds", options->seconds,
                   "About how long it may take (60); more rounds and larger sizes fit into more")
      ->check(CLI::Validator(
          [seconds = &options->seconds](const std::string& text) {
            const bool read = CLI::detail::lexical_cast(text, *seconds);
            return read && *seconds > 0.0 && *seconds <= kMostSeconds
                       ? std::string()
                       : "must be a number of seconds above 0, at most a day (86400), found " +
                             text;
          },
          ""));
  command->add_flag("--only-occurring", options->onlyOccurring,
                    "Only the micro-batch sizes that the variants have, not half and double");
  command->add_flag("--json", options->json, "The cost table as one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane calibrate tutorial-resnet50-quick\n"
      "  stagelane calibrate my.json --seconds 120 --json > costs.json\n"
      "What is measured is kept in the workspace; predict and run find it there. A second\n"
      "calibration with other sizes adds to it. Leave the machine alone meanwhile.");
  line.onChosen(*command, [options] { return calibrate(*options); });
}

}  // namespace stagelane::app
