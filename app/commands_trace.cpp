// convert: a trace in another form.

#include <memory>

#include "app/commands.h"
#include "app/console.h"
#include "app/trace_source.h"
#include "engine/base/files.h"
#include "profiler/formats/chrome.h"

namespace stagelane::app {
namespace {

struct ConvertOptions {
  std::string trace;
  std::string variant;
  std::string to;
  std::string out;
  bool perDevice = false;
};

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
