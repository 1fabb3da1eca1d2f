// predict: what an experiment will cost, without running it.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <QCoreApplication>

#include "app/commands.h"
#include "app/console.h"
#include "app/experiment_source.h"
#include "app/result_table.h"
#include "engine/base/text.h"
#include "engine/predict/simulator.h"
#include "profiler/formats/perfetto.h"
#include "ui/models/formatting.h"
#include "ui/models/prediction.h"

namespace stagelane::app {
namespace {

struct PredictOptions {
  std::string experiment;
  std::string costs;
  std::vector<std::string> whatIf;
  std::vector<std::string> sets;
  std::string trace;
  bool json = false;
};

struct Predicted {
  const plan::Variant* variant = nullptr;
  ui::PlanPredictionPtr plan;
};

struct Predictions {
  std::vector<Predicted> variants;
  const Predicted* base = nullptr;  ///< shortest step of one device
  std::size_t actions = 0;
  TimeNs wallNs = 0;
};

Status checkAvailable(const PredictOptions& options) {
  const std::string hint =
      "leave it out; costs are estimated from the model's operations and bytes";
  if (!options.costs.empty()) {
    return fail(ErrorCode::Invalid, "--costs is not available in this version", "", hint);
  }
  if (!options.whatIf.empty()) {
    return fail(ErrorCode::Invalid, "--what-if is not available in this version", "",
                "change the experiment with --set instead");
  }
  return {};
}

Result<Predictions> predictAll(const plan::Experiment& experiment) {
  Predictions all;
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include) {
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    auto plan = ui::predictPlan(experiment, variant);
    if (!plan) {
      Error error = plan.error();
      error.message = "variant \"" + variant.name + "\": " + error.message;
      return tl::make_unexpected(error);
    }
    all.wallNs += std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now() - begin)
                      .count();
    all.actions += (*plan)->schedule.actionCount;
    all.variants.push_back({&variant, *plan});
  }
  for (const Predicted& predicted : all.variants) {
    const bool single = predicted.variant->strategy == plan::Strategy::Single &&
                        predicted.variant->threads == 0 && predicted.plan->impediment().isEmpty();
    if (single && (all.base == nullptr || predicted.plan->stepNs < all.base->plan->stepNs)) {
      all.base = &predicted;
    }
  }
  // Where no single device holds the model, model parallel is what the others are compared with.
  for (const Predicted& predicted : all.variants) {
    if (all.base == nullptr && predicted.variant->strategy == plan::Strategy::ModelParallel &&
        predicted.plan->impediment().isEmpty()) {
      all.base = &predicted;
    }
  }
  return all;
}

TimeNs baseStepNs(const Predictions& all, const Predicted& predicted) {
  return all.base != nullptr ? all.base->plan->stepNs : predicted.plan->baseStepNs;
}

double ratio(TimeNs numerator, TimeNs denominator) {
  return denominator > 0 ? static_cast<double>(numerator) / static_cast<double>(denominator) : 0.0;
}

std::vector<record::DeviceResult> devicesOf(const ui::PlanPrediction& plan) {
  std::vector<record::DeviceResult> devices;
  const std::vector<std::string>& names = plan.trace->devices();
  for (const analysis::DeviceStep& step : plan.breakdown.devices) {
    const auto row = static_cast<std::size_t>(step.device);
    record::DeviceResult device;
    device.id = names.at(row);
    device.busyNs = step.busyNs();
    device.utilisation = ratio(step.busyNs(), plan.breakdown.wallNs());
    for (std::size_t cause = 0; cause < analysis::kCauseCount; ++cause) {
      if (const auto kind = static_cast<analysis::Cause>(cause); !analysis::isBusy(kind)) {
        device.idle[std::string(analysis::word(kind))] = step.causeNs[cause];
      }
    }
    for (const auto& [blamed, ns] : step.starvedBy) {
      device.starvedBy[names.at(static_cast<std::size_t>(blamed))] = ns;
    }
    for (std::size_t event = 0; event < plan.trace->size(); ++event) {
      const auto track = plan.trace->event(event).track;
      const trace::Transfer* transfer = plan.trace->transferOf(event);
      if (transfer != nullptr && plan.trace->tracks().at(track).device == step.device) {
        device.transferBytes += transfer->bytes;
      }
    }
    if (row < plan.simulation.peakBytes.size()) {
      device.peakBytes = plan.simulation.peakBytes[row];
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

Json toJson(const Predictions& all, const Predicted& predicted) {
  const ui::PlanPrediction& plan = *predicted.plan;
  const TimeNs base = baseStepNs(all, predicted);
  const TimeNs lower = plan.bound.perfectCutStepNs;
  Json devices = Json::array();
  for (const record::DeviceResult& device : devicesOf(plan)) {
    devices.push_back(record::toJson(device));
  }
  Json json{{"id", predicted.variant->id},
            {"name", predicted.variant->name},
            {"step_ns", plan.stepNs},
            {"speedup", ratio(base, plan.stepNs)},
            {"bound",
             {{"step_ns", plan.bound.stepNs},
              {"perfect_cut_step_ns", plan.bound.perfectCutStepNs},
              {"speedup", ratio(base, plan.bound.stepNs)}}},
            {"lower_bound_ns", lower},
            {"gap", lower > 0 ? ratio(plan.stepNs, lower) - 1.0 : 0.0},
            {"devices", std::move(devices)},
            {"basis", predict::word(plan.basis)}};
  if (const QString reason = plan.impediment(); !reason.isEmpty()) {
    json["reason"] = ui::utf8(reason);
  }
  return json;
}

Json toJson(const Predictions& all) {
  Json variants = Json::array();
  for (const Predicted& predicted : all.variants) {
    variants.push_back(toJson(all, predicted));
  }
  return {{"variants", std::move(variants)},
          {"simulator", {{"actions", all.actions}, {"wall_ns", all.wallNs}}}};
}

std::string times(double factor) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f×", factor);
  return factor > 0.0 ? text.data() : "-";
}

std::string table(const plan::Experiment& experiment, const Predictions& all) {
  std::vector<std::vector<std::string>> rows{
      {"variant", "split", "step", "speed-up", "bound", "idle", "basis"}};
  for (const Predicted& predicted : all.variants) {
    const ui::PlanPrediction& plan = *predicted.plan;
    const TimeNs base = baseStepNs(all, predicted);
    record::VariantResult shown;
    shown.devices = devicesOf(plan);
    rows.push_back({predicted.variant->name, std::to_string(predicted.variant->splitSize),
                    humanTime(static_cast<double>(plan.stepNs)), times(ratio(base, plan.stepNs)),
                    times(ratio(base, plan.bound.stepNs)), idleText(shown),
                    std::string(predict::word(plan.basis))});
  }
  return experiment.name + ", predicted step of one batch\n\n" + formatTable(rows) +
         "\nEstimates come from operations and bytes; `stagelane run` measures.\n";
}

// One file for one variant, else one each with the variant's id before the ending.
Status writeTraces(const Predictions& all, const std::filesystem::path& out) {
  if (std::error_code ignored; std::filesystem::is_directory(out, ignored)) {
    return fail(ErrorCode::CannotWrite, "is a folder", out.string(), "Name a file: trace.pftrace");
  }
  for (const Predicted& predicted : all.variants) {
    std::filesystem::path path = out;
    if (all.variants.size() > 1) {
      path.replace_filename(out.stem().string() + "-" + predicted.variant->id +
                            out.extension().string());
    }
    if (const Status written = formats::writePerfetto(*predicted.plan->trace, path); !written) {
      return written;
    }
  }
  return {};
}

int predict(const PredictOptions& options) {
  int argc = 1;
  std::string name = "stagelane";
  std::array<char*, 2> argv{name.data(), nullptr};
  const QCoreApplication application(argc, argv.data());

  if (const Status available = checkAvailable(options); !available) {
    return printError(available.error());
  }
  const auto loaded = readExperimentArgument(options.experiment, options.sets);
  if (!loaded) {
    return printError(loaded.error());
  }
  for (const std::string& warning : loaded->experiment.warnings) {
    printWarning(warning);
  }
  const auto all = predictAll(loaded->experiment);
  if (!all) {
    return printError(all.error());
  }
  if (!options.trace.empty()) {
    if (const Status written = writeTraces(*all, options.trace); !written) {
      return printError(written.error());
    }
  }
  return options.json ? printJson(toJson(*all)) : printText(table(loaded->experiment, *all));
}

}  // namespace

void addPredictCommand(const CommandLine& line) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command =
      line.parser.add_subcommand("predict", "What an experiment will cost, without running it");
  command->add_option("EXPERIMENT", options->experiment, "Experiment file, preset or run folder")
      ->required();
  command
      ->add_option("--set", options->sets, "/json/pointer=VALUE changes one value; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--costs", options->costs, "Cost file (not available in this version)");
  command
      ->add_option("--what-if", options->whatIf, "A change to try (not available in this version)")
      ->allow_extra_args(false);
  command->add_option("--trace", options->trace,
                      "Write the predicted trace, one file a variant (.pftrace)");
  command->add_flag("--json", options->json, "One JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane predict tutorial-resnet50\n"
      "  stagelane predict my.json --set /data/batch_size=64 --json\n"
      "  stagelane predict toy --trace /tmp/toy.pftrace");
  command->callback(
      [&action = line.action, options] { action = [options] { return predict(*options); }; });
}

}  // namespace stagelane::app
