// analyze: the figures of a trace, by one of three sets of definitions.

#include <filesystem>
#include <memory>

#include "app/cli/analysis_text.h"
#include "app/cli/commands.h"
#include "app/cli/trace_source.h"
#include "app/terminal/console.h"
#include "profiler/analysis/hta.h"
#include "profiler/analysis/idle.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/trace_formats.h"

namespace stagelane::app {
namespace {

/// A set of definitions, not the strategy.
constexpr std::string_view kPipelineForm = "pipeline";

struct AnalyzeOptions {
  std::string trace;
  std::string variant;
  std::string definitions = "stagelane";
  bool includeLastStep = false;
  bool json = false;
};

Result<int> analyzePipeline(const AnalyzeOptions& options) {
  STAGELANE_TRY(timeline, readJsonFile(options.trace));
  const auto answer = analysis::analyzePipelineForm(*timeline);
  if (!answer) {
    Error error = answer.error();
    error.context = options.trace + (error.context.empty() ? "" : " " + error.context);
    return tl::make_unexpected(error);
  }
  return printJson(*answer);
}

/// HTA's definitions need Kineto's rows, streams and correlations.
Result<std::string> kinetoJson(const AnalyzeOptions& options) {
  STAGELANE_TRY(path, resolveTrace(options.trace, options.variant));
  std::error_code failed;
  if (!std::filesystem::exists(*path, failed)) {
    return fail(ErrorCode::Invalid, "no such file", path->string(), "use a Kineto JSON file");
  }
  const Result<std::string> beginning = formats::readBeginning(*path);
  if (beginning && !formats::startOfJson(*beginning)) {
    return fail(ErrorCode::Invalid, "not a Kineto JSON file, which HTA's definitions need",
                path->string() + ", byte 0",
                "write one with `stagelane convert TRACE --to chrome -o FILE.json`");
  }
  return formats::readUnpacked(*path);
}

Result<int> analyzeHta(const AnalyzeOptions& options) {
  STAGELANE_TRY(bytes, kinetoJson(options));
  const Json answer = analysis::analyzeHta(
      std::move(*bytes), options.includeLastStep ? analysis::LastProfilerStep::Included
                                                 : analysis::LastProfilerStep::Dropped);
  if (answer.contains("warning")) printWarning(answer.at("warning").get<std::string>());
  return options.json ? printJson(answer) : printText(htaText(answer));
}

Result<int> analyze(const AnalyzeOptions& options) {
  if (options.includeLastStep && options.definitions != "hta") {
    return fail(ErrorCode::Usage, "only HTA's definitions have ProfilerSteps",
                "--include-last-profiler-step", "add --definitions hta");
  }
  if (options.definitions == kPipelineForm) return analyzePipeline(options);
  if (options.definitions == "hta") return analyzeHta(options);
  if (options.definitions != "stagelane") {
    return fail(ErrorCode::Invalid, "'" + options.definitions + "' is not a set of definitions",
                "--definitions", "write stagelane, hta or pipeline");
  }
  STAGELANE_TRY(read, openTrace(options.trace, options.variant));
  return options.json ? printJson(analysis::analyzeJson(*read->trace))
                      : printText(breakdownText(*read->trace));
}

}  // namespace

void addAnalyzeCommand(const CommandLine& line) {
  auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* command = line.parser.add_subcommand(
      "analyze", "Show compute, transfer and idle time per device of a trace");
  command
      ->add_option("TRACE", options->trace,
                   "Trace (" + formats::readFormatsText() + "), or run folder")
      ->required();
  command->add_option("--variant", options->variant, "Variant of a run folder whose trace to use");
  command->add_option("--definitions", options->definitions,
                      "Set of definitions: stagelane (default), hta (HTA 0.5.0) or pipeline");
  command->add_flag("--include-last-profiler-step", options->includeLastStep,
                    "hta: include the last ProfilerStep#, which HTA excludes by default");
  command->add_flag("--json", options->json, "Print one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane analyze runs/20261121-101500-toy --variant pipeline\n"
      "  stagelane analyze traces/pipeline.pftrace --json\n"
      "  stagelane analyze kineto.json --definitions hta\n"
      "  stagelane analyze timeline.json --definitions pipeline\n"
      "docs/reference/analysis.md defines the figures, docs/reference/formats.md what traces of\n"
      "other programs need.");
  line.use(command, [options] { return analyze(*options); });
}

}  // namespace stagelane::app
