// calibrate: measures and saves each block's costs on this machine's devices.

#include <array>
#include <cstdio>
#include <memory>

#include "app/cli/command_application.h"
#include "app/cli/commands.h"
#include "app/engine_client/cost_source.h"
#include "app/engine_client/event_members.h"
#include "app/terminal/console.h"
#include "engine/base/text.h"
#include "engine/base/visible_text.h"
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
  int ranks = kRanksNeeded;
  bool json = false;
};

std::string time(TimeNs ns) { return humanTime(static_cast<double>(ns)); }

std::string workerOf(const predict::BlockCosts& block) {
  if (block.device) return block.device->value;
  return "cpu, " + std::to_string(block.threads) + (block.threads == 1 ? " thread" : " threads");
}

/// How noisy the measurements are, and what to do about it.
std::string noiseText(const Json& origin) {
  const double typical = numberAt(origin, "noise");
  const double worst = numberAt(origin, "worst_noise");
  std::string text = "Noise: the middle half of the passes of one size is within " +
                     humanPercent(typical) + " of their median, " + humanPercent(worst) +
                     " at worst";
  constexpr double kSteady = 0.02;
  if (typical > ui::CostFacts::kNoisySpread) {
    return text + ": noisy. Close other programs and calibrate again.";
  }
  return text + (typical > kSteady ? ": fair." : ": steady.");
}

/// Messages between processes, one line for each link.
std::string linksText(const std::vector<predict::ProcessLink>& links) {
  std::string text;
  for (const predict::ProcessLink& link : links) {
    const std::string rate =
        link.bytesPerSecond > 0.0
            ? ", then " + humanBytes(static_cast<Bytes>(link.bytesPerSecond)) + "/s"
            : std::string();
    text += "\nMessage " +
            (link.from && link.to ? "from " + link.from->value + " to " + link.to->value
                                  : std::string("between processes of this host")) +
            ": " + time(link.latencyNs) + rate;
  }
  return text;
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
  std::string text =
      visible(experiment.name) + ", measured times of a micro-batch\n\n" + formatTable(rows);
  for (const auto& [busy, factor] : source.table->contention) {
    std::array<char, 80> line{};
    std::snprintf(line.data(), line.size(), "\n%d workers at once: each takes %.3f times as long",
                  busy, factor);
    text += line.data();
  }
  text += linksText(source.table->processLinks);
  return text + "\n" + noiseText(source.table->origin) + "\nSaved in " +
         visible(source.file.string()) + "\n";
}

Result<int> calibrate(const CalibrateOptions& options) {
  const CommandApplication application;

  STAGELANE_TRY(loaded, readExperimentArgument(options.experiment, options.sets));
  for (const std::string& warning : loaded->experiment.warnings) printWarning(warning);
  STAGELANE_TRY(source, costsFor(*loaded, {"", Calibrate::Always, options.seconds,
                                           options.onlyOccurring, options.ranks}));
  if (source->canceled) {
    // The signal may come after the last measurement.
    printNote(source->table == nullptr
                  ? std::string("stagelane: canceled, nothing was saved\n")
                  : "stagelane: canceled after the last measurement; saved in " +
                        visible(source->file.string()) + "\n");
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
      "calibrate", "Measure each block's costs on each device, for better predictions");
  command->add_option("EXPERIMENT", options->experiment, "Experiment file, preset or run folder")
      ->required();
  addSetOption(*command, options->sets);
  command
      ->add_option(
          "--seconds", options->seconds,
          "Approximate time limit (default 60); a higher limit allows more rounds and larger sizes")
      ->check(CLI::Validator(
          [seconds = &options->seconds](const std::string& text) {
            const bool read = CLI::detail::lexical_cast(text, *seconds);
            return read && *seconds > 0.0 && *seconds <= kMostSeconds
                       ? std::string()
                       : "expected a number of seconds > 0 and ≤ 86400 (one day), found " + text;
          },
          ""));
  command->add_flag("--only-occurring", options->onlyOccurring,
                    "Measure only the micro-batch sizes of the variants, not half and double");
  addRanksOption(*command, options->ranks);
  command->add_flag("--json", options->json, "Print the cost table as one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane calibrate tutorial-resnet50-quick\n"
      "  stagelane calibrate my.json --seconds 120 --json > costs.json\n"
      "Saves the measurements in the workspace, where predict and run use them. A second\n"
      "calibration with other sizes adds to them. Do not use the machine in the meantime.");
  line.use(command, [options] { return calibrate(*options); });
}

}  // namespace stagelane::app
