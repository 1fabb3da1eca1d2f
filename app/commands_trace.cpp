// analyze and convert: what a trace says, and the trace in another form.

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "app/commands.h"
#include "app/console.h"
#include "app/trace_source.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "profiler/analysis/idle.h"
#include "profiler/formats/chrome.h"

namespace stagelane::app {
namespace {

struct AnalyzeOptions {
  std::string trace;
  std::string variant;
  std::string definitions = "stagelane";
  bool json = false;
};

struct ConvertOptions {
  std::string trace;
  std::string variant;
  std::string to;
  std::string out;
  bool perDevice = false;
};

Result<formats::ReadTrace> openTrace(const std::string& argument, const std::string& variant) {
  const auto path = resolveTrace(argument, variant);
  if (!path) {
    return tl::make_unexpected(path.error());
  }
  auto read = readTrace(*path);
  if (read && read->report.lost > 0) {
    printWarning(std::to_string(read->report.lost) + " records of " + path->string() +
                 " could not be read: " + read->report.firstProblem);
  }
  return read;
}

std::string percent(TimeNs part, TimeNs whole) {
  std::array<char, 32> text{};
  const double value =
      whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  std::snprintf(text.data(), text.size(), "%.1f %%", value);
  return text.data();
}

std::string breakdownText(const trace::Trace& trace) {
  const std::vector<trace::Step> steps = analysis::stepsOf(trace);
  if (steps.empty()) {
    return "The trace has no step: nothing was computed in it.\n";
  }
  const analysis::StepBreakdown step =
      analysis::breakDown(trace, steps[analysis::medianStep(steps)]);
  std::vector<std::vector<std::string>> rows{{"device"}};
  for (std::size_t cause = 0; cause < analysis::kCauseCount; ++cause) {
    const auto kind = static_cast<analysis::Cause>(cause);
    const bool present = std::any_of(
        step.devices.begin(), step.devices.end(),
        [cause](const analysis::DeviceStep& device) { return device.causeNs[cause] > 0; });
    if (present) {
      rows.front().emplace_back(analysis::word(kind));
    }
  }
  std::string sentences;
  for (std::size_t i = 0; i < step.devices.size(); ++i) {
    const analysis::DeviceStep& device = step.devices[i];
    rows.push_back({trace.devices().at(static_cast<std::size_t>(device.device))});
    for (std::size_t cause = 0; cause < analysis::kCauseCount; ++cause) {
      const std::string_view cell = analysis::word(static_cast<analysis::Cause>(cause));
      if (std::find(rows.front().begin(), rows.front().end(), cell) != rows.front().end()) {
        rows.back().push_back(percent(device.causeNs[cause], step.wallNs()));
      }
    }
    sentences += analysis::idleSentence(trace, step, i) + "\n";
  }
  return std::to_string(steps.size()) + (steps.size() == 1 ? " step" : " steps") +
         "; the median one takes " + humanTime(static_cast<double>(step.wallNs())) + "\n\n" +
         formatTable(rows) + "\n" + sentences;
}

int analyzePipeline(const AnalyzeOptions& options) {
  const auto timeline = readJsonFile(options.trace);
  if (!timeline) {
    return printError(timeline.error());
  }
  const auto answer = analysis::analyzePipelineForm(*timeline);
  if (!answer) {
    Error error = answer.error();
    error.context = options.trace + (error.context.empty() ? "" : " " + error.context);
    return printError(error);
  }
  return printJson(*answer);  // the form has no other shape
}

int analyze(const AnalyzeOptions& options) {
  if (options.definitions == "pipeline") {
    return analyzePipeline(options);
  }
  if (options.definitions == "hta") {
    return printError({ErrorCode::Invalid, "--definitions hta is not available in this version", "",
                       "use --definitions stagelane"});
  }
  if (options.definitions != "stagelane") {
    return printError({ErrorCode::Invalid, "'" + options.definitions + "' is no set of definitions",
                       "--definitions", "write stagelane, hta or pipeline"});
  }
  const auto read = openTrace(options.trace, options.variant);
  if (!read) {
    return printError(read.error());
  }
  return options.json ? printJson(analysis::analyzeJson(*read->trace))
                      : printText(breakdownText(*read->trace));
}

int convert(const ConvertOptions& options) {
  if (options.perDevice) {
    return printError({ErrorCode::Invalid, "--per-device is not available in this version", "",
                       "leave it out: one file then holds all devices"});
  }
  if (options.to != "perfetto" && options.to != "chrome" && options.to != "csv") {
    return printError({ErrorCode::Invalid, "'" + options.to + "' is no format of a trace", "--to",
                       "write perfetto, chrome or csv"});
  }
  const auto read = openTrace(options.trace, options.variant);
  if (!read) {
    return printError(read.error());
  }
  const Status written =
      options.to == "csv"      ? writeFileAtomically(options.out, formats::toCsv(*read->trace))
      : options.to == "chrome" ? formats::writeChrome(*read->trace, options.out)
                               : formats::writePerfetto(*read->trace, options.out);
  return written ? 0 : printError(written.error());
}

}  // namespace

void addAnalyzeCommand(const CommandLine& line) {
  auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* command =
      line.parser.add_subcommand("analyze", "Busy, waiting, copying, idle: per device of a trace");
  command->add_option("TRACE", options->trace, "A trace (.pftrace, Chrome .json), or a run folder")
      ->required();
  command->add_option("--variant", options->variant, "Which trace of a run folder");
  command->add_option("--definitions", options->definitions,
                      "stagelane (default), hta or pipeline");
  command->add_flag("--json", options->json, "One JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane analyze runs/20261121-101500-toy --variant pipeline\n"
      "  stagelane analyze traces/pipeline.pftrace --json\n"
      "  stagelane analyze timeline.json --definitions pipeline\n"
      "docs/formats.md says what the traces of other programs need.");
  command->callback(
      [&action = line.action, options] { action = [options] { return analyze(*options); }; });
}

void addConvertCommand(const CommandLine& line) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = line.parser.add_subcommand("convert", "A trace in another form");
  command->add_option("TRACE", options->trace, "A trace (.pftrace, Chrome .json), or a run folder")
      ->required();
  command->add_option("--variant", options->variant, "Which trace of a run folder");
  command->add_option("--to", options->to, "perfetto, chrome or csv")->required();
  command->add_option("-o,--out", options->out, "File to write")->required();
  command->add_flag("--per-device", options->perDevice, "One file a device, as HTA reads them");
  command->footer(
      "Examples:\n"
      "  stagelane convert traces/pipeline.pftrace --to csv -o pipeline.csv\n"
      "  stagelane convert runs/20261121-101500-toy --variant pipe --to chrome -o pipe.json");
  command->callback(
      [&action = line.action, options] { action = [options] { return convert(*options); }; });
}

}  // namespace stagelane::app
