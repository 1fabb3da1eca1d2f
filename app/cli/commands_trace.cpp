// convert: a trace in another format.

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/trace_source.h"
#include "app/terminal/console.h"
#include "engine/base/text.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/trace_formats.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
  std::string trace;
  std::string variant;
  std::string to;
  std::string out;
  bool perDevice = false;
};

Status write(const ConvertOptions& options, const formats::ReadTrace& read) {
  const trace::Trace& trace = *read.trace;
  const formats::EventDetails* const details = read.details.get();
  if (options.perDevice) return formats::writeChromePerDevice(trace, options.out);
  return formats::formatNamed(options.to)->write(trace, options.out, details);
}

bool isSameFile(const std::string& left, const std::string& right) {
  std::error_code problem;
  return fs::equivalent(left, right, problem) && fs::is_regular_file(left, problem);
}

/// "3 events of unsupported kinds are not written: N (2), O (1)"
std::string otherKindsText(const std::map<char, std::uint64_t>& kinds) {
  std::uint64_t count = 0;
  std::string list;
  for (const auto& [kind, events] : kinds) {
    count += events;
    const bool readable = kind > ' ' && kind <= '~';
    list += (list.empty() ? "" : ", ") + std::string(1, readable ? kind : '?') + " (" +
            std::to_string(events) + ")";
  }
  return std::to_string(count) +
         (count == 1 ? " event of an unsupported kind is" : " events of unsupported kinds are") +
         " not written: " + list;
}

Result<int> convert(ConvertOptions options) {
  if (options.out == "-") {
    if (options.perDevice) {
      return fail(ErrorCode::Usage, "--per-device writes a folder, not standard output", "-o",
                  "name a folder after -o");
    }
    options.out = "/dev/stdout";
  }
  if (options.to.empty()) {
    const formats::TraceFormat* format = formats::writtenFormatOf(options.out);
    options.to = options.perDevice ? "chrome" : format == nullptr ? "" : format->name;
  }
  if (options.to.empty()) {
    return fail(ErrorCode::Usage, "cannot tell which format to write", "--to",
                "use --to with one of: " + joined(formats::writtenFormatNames()) +
                    "; or give the file after -o the format's extension");
  }
  if (isSameFile(options.trace, options.out)) {
    return fail(ErrorCode::Invalid, "a trace cannot be written over itself", options.out,
                "use another file with -o");
  }
  const formats::TraceFormat* format = formats::formatNamed(options.to);
  if (format == nullptr || format->write == nullptr) {
    return fail(ErrorCode::Invalid, "'" + options.to + "' is not a format for writing traces",
                "--to", "use one of: " + joined(formats::writtenFormatNames()));
  }
  if (options.perDevice && options.to != "chrome") {
    return fail(ErrorCode::Invalid, "--per-device supports only Chrome JSON", "--to",
                "write --to chrome, or remove --per-device");
  }
  const bool needsDetails = format->writesDetails && !options.perDevice;
  STAGELANE_TRY(read, openTrace(options.trace, options.variant,
                                needsDetails ? formats::Keep::Details : formats::Keep::Trace));
  if (read->details && read->details->leftOut() > 0) {
    printWarning("the arguments of " + std::to_string(read->details->leftOut()) +
                 " events are not written: invalid JSON, or too many");
  }
  if (read->details && !read->details->otherKinds.empty()) {
    printWarning(otherKindsText(read->details->otherKinds));
  }
  STAGELANE_CHECK(write(options, *read));
  return 0;
}

}  // namespace

void addConvertCommand(const CommandLine& line) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = line.parser.add_subcommand("convert", "Convert a trace to another format");
  command
      ->add_option("TRACE", options->trace,
                   "Trace (" + formats::readFormatsText() + "), or run folder")
      ->required();
  command->add_option("--variant", options->variant, "Variant of a run folder whose trace to use");
  command->add_option(
      "--to", options->to,
      joined(formats::writtenFormatNames()) + "; default: by the extension of the file after -o");
  addPathOption(*command, "-o,--out", options->out,
                "File to write (compressed if it ends in .gz or .zst), or - for standard output; a "
                "folder with --per-device")
      ->required();
  command->add_flag("--per-device", options->perDevice,
                    "Write Chrome JSON for HTA, one rankN.json per device");
  command->footer(
      "Examples:\n"
      "  stagelane convert traces/pipeline.pftrace --to csv -o pipeline.csv\n"
      "  stagelane convert runs/20261121-101500-toy --variant pipe --to chrome -o "
      "pipe.json.gz\n"
      "  stagelane convert report.sqlite --to perfetto -o report.pftrace\n"
      "  stagelane convert traces/pipeline.pftrace --to csv -o - | head\n"
      "  stagelane convert trace.json --per-device -o for-hta");
  line.use(command, [options] { return convert(*options); });
}

}  // namespace stagelane::app
