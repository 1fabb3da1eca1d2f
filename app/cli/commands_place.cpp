// place: which device runs each block of a model.

#include <memory>

#include "app/cli/command_application.h"
#include "app/cli/commands.h"
#include "app/engine_client/cost_source.h"
#include "app/terminal/console.h"
#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/plan/rows.h"
#include "engine/schedule/methods.h"
#include "engine/search/placement.h"

namespace stagelane::app {
namespace {

struct PlaceOptions {
  std::string model;
  std::string input;
  std::int64_t batch = 0;
  std::optional<std::int64_t> split;
  std::string devices;
  std::string costs;
  std::string mode = "optimal";
  std::string schedule{plan::pipelineStrategy().schedule};
  bool json = false;
};

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// `cpu:0`, or `cpu:0=8GiB` with its memory limit.
Json deviceJson(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return word;
  return {{"id", word.substr(0, equals)}, {"max_memory", word.substr(equals + 1)}};
}

Result<Json> inputJson(const PlaceOptions& options) {
  Json shape = Json::array();
  if (options.input.empty()) {
    for (const model::ZooEntry& entry : model::zoo()) {
      if (entry.name == options.model && !entry.defaultInput.empty()) shape = entry.defaultInput;
    }
    if (shape.empty()) {
      return fail(ErrorCode::Usage, "--input is missing", "",
                  "add the shape of one sample, for example --input 3,128,128");
    }
    return shape;
  }
  for (const std::string& word : parts(options.input)) {
    const Json size = Json::parse(word, nullptr, false);
    if (!size.is_number_integer() || size.get<std::int64_t>() < 1) {
      return fail(ErrorCode::Invalid, "'" + options.input + "' is not an input shape", "--input",
                  "write the sizes of one sample without the batch, for example 3,128,128");
    }
    shape.push_back(size);
  }
  return shape;
}

/// The experiment that the options describe; reading it validates the options.
Result<LoadedExperiment> experimentOf(const PlaceOptions& options) {
  STAGELANE_TRY(model, model::modelFromArgument(options.model));
  STAGELANE_TRY(shape, inputJson(options));
  Json devices = Json::array();
  for (const std::string& word : parts(options.devices)) devices.push_back(deviceJson(word));
  const Json variant{{"strategy", plan::singleStrategy().name},
                     {"split_size", options.split.value_or(options.batch)}};
  const Json document{{"stagelane", 1},
                      {"name", "place"},
                      {"model", (*model)->definition},
                      {"input", {{"shape", std::move(*shape)}}},
                      {"data", {{"labels", "normal"}, {"batch_size", options.batch}}},
                      {"loss", "mse"},
                      {"optimizer", {{"kind", "sgd"}, {"lr", 0.001}}},
                      {"devices", std::move(devices)},
                      {"variants", Json::array({variant})}};
  STAGELANE_TRY(experiment, plan::readExperiment(document, "", {}));
  return LoadedExperiment{{document, {}, "", false}, std::move(*experiment)};
}

Json jsonOf(const plan::Experiment& experiment, const search::Placement& placement,
            const PlaceOptions& options) {
  const model::Model& model = *experiment.model;
  Json stages = plan::stagesToJson(model, placement.stages);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i]["last"] = model.blocks[placement.stages[i].lastBlock].name;
  }
  const auto devices = plan::deviceOfEachBlock(placement.stages, model.blocks.size());
  return {{"placement", plan::placementOf(model, devices)},
          {"stages", std::move(stages)},
          {"bottleneck_ns", placement.bottleneckNs},
          {"least_bottleneck_ns", placement.leastBottleneckNs},
          {"step_ns", placement.stepNs},
          {"lower_bound_ns", placement.lowerBoundNs},
          {"gap", placement.gap},
          {"fits", placement.fits()},
          {"mode", options.mode},
          {"schedule", options.schedule},
          {"basis", predict::word(placement.basis)}};
}

std::string textOf(const plan::Experiment& experiment, const search::Placement& placement,
                   const PlaceOptions& options) {
  std::vector<std::vector<std::string>> rows{{"device", "first block", "last block", "blocks"}};
  for (const plan::Stage& stage : placement.stages) {
    rows.push_back({stage.group.text(), experiment.model->blocks[stage.firstBlock].name,
                    experiment.model->blocks[stage.lastBlock].name,
                    std::to_string(stage.lastBlock - stage.firstBlock + 1)});
  }
  const double above = placement.leastBottleneckNs > 0
                           ? static_cast<double>(placement.bottleneckNs) /
                                     static_cast<double>(placement.leastBottleneckNs) -
                                 1.0
                           : 0.0;
  std::string text = formatTable(rows);
  const std::vector<DeviceId> used = plan::rowsOf(placement.stages);
  std::string unused;
  for (const plan::DeviceSpec& device : experiment.devices) {
    if (!contains(used, device.id)) unused += (unused.empty() ? "" : ", ") + device.id.value;
  }
  if (!unused.empty()) text += "\ndevices without blocks: " + unused + "\n";
  const bool chunked = schedule::layoutOf(options.schedule).chunks > 1;
  text +=
      "\nslowest stage or link of a micro-batch: " +
      humanTime(static_cast<double>(placement.bottleneckNs)) +
      (placement.bottleneckNs == placement.leastBottleneckNs
           ? ", the smallest of all cuts into these stages\n"
           : ", " + humanPercent(above) + " above the smallest of all cuts into these stages\n");
  text += "step of the batch with " + options.schedule + ": " +
          humanTime(static_cast<double>(placement.stepNs)) + ", at most " +
          humanPercent(placement.gap) + " above the lower bound of all orders and all cuts " +
          (chunked ? "into these stages ("
                   : "over the given devices in this order, with or without each (") +
          humanTime(static_cast<double>(placement.lowerBoundNs)) + ")\n";
  if (!placement.fits()) text += "does not fit the devices' memory\n";
  return text + "costs: " + std::string(predict::word(placement.basis)) + "\n";
}

Status checkOptions(const PlaceOptions& options) {
  if (!search::placementModeFrom(options.mode)) {
    return fail(ErrorCode::Invalid, "'" + options.mode + "' is not a mode", "--mode",
                "write one of " + joined(search::placementModes()));
  }
  const auto& names = schedule::allScheduleNames();
  if (!contains(names, options.schedule)) {
    return fail(ErrorCode::Invalid, "unknown schedule \"" + options.schedule + "\"", "--schedule",
                "write one of " + joined(names));
  }
  return {};
}

/// Several stages per device if the schedule uses chunks.
std::vector<int> rowsFor(const std::string& schedule, std::size_t devices) {
  const schedule::ScheduleLayout layout = schedule::layoutOf(schedule);
  if (layout.chunks < 2) return {};
  return schedule::rowsOfStages(layout.layout, static_cast<int>(devices), layout.chunks);
}

Result<int> placeModel(const PlaceOptions& options) {
  const CommandApplication application;

  STAGELANE_CHECK(checkOptions(options));
  STAGELANE_TRY(loaded, experimentOf(options));
  STAGELANE_TRY(costs, costsFor(*loaded, {options.costs}));
  const plan::Experiment& experiment = loaded->experiment;
  search::PlacementTask task;
  task.experiment = &experiment;
  task.table = costs->table.get();
  task.variant.strategy = plan::pipelineStrategy().strategy;
  task.variant.name = "place";
  task.variant.schedule = options.schedule;
  task.variant.splitSize = options.split.value_or(options.batch);
  task.rowOfStage = rowsFor(options.schedule, experiment.devices.size());
  STAGELANE_TRY(placement, search::place(task, *search::placementModeFrom(options.mode)));
  return options.json ? printJson(jsonOf(experiment, *placement, options))
                      : printText(textOf(experiment, *placement, options));
}

}  // namespace

void addPlaceCommand(const CommandLine& line) {
  auto options = std::make_shared<PlaceOptions>();
  CLI::App* command =
      line.parser.add_subcommand("place", "Compute a placement of a model onto devices");
  command->add_option("MODEL", options->model, "Zoo model, or JSON file of layers")->required();
  command->add_option("--input", options->input, "Shape of one sample, for example 3,128,128");
  command->add_option("--batch", options->batch, "Samples in the batch")->required();
  command->add_option("--split", options->split,
                      "Samples in a micro-batch (default: the whole batch)");
  command
      ->add_option("--devices", options->devices,
                   "Devices in order, with optional memory limits: cpu:0,cpu:1=8GiB")
      ->required();
  addPathOption(*command, "--costs", options->costs,
                "Cost file (default: calibrated costs, else estimates)");
  command->add_option(
      "--mode", options->mode,
      "optimal (default), parameters, uniform, block-partition (torchgpipe), or auto, "
      "balanced, balanced_low_0, sequential (accelerate: by bytes)");
  command->add_option("--schedule", options->schedule,
                      "Schedule to simulate the placement with (default 1f1b)");
  command->add_flag("--json", options->json, "Print one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane place resnet50 --input 3,128,128 --batch 32 --split 4 --devices cpu:0,cpu:1\n"
      "  stagelane place resnet50 --input 3,128,128 --batch 32 --devices cuda:0=8GiB,cuda:1 "
      "--mode parameters --json");
  line.use(command, [options] { return placeModel(*options); });
}

}  // namespace stagelane::app
