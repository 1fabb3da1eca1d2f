// schedule: the order of the devices' actions, by name or from a CSV file.

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/work_notes.h"
#include "app/terminal/console.h"
#include "engine/base/files.h"
#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/lowering.h"
#include "engine/schedule/methods.h"
#include "engine/schedule/text_forms.h"
#include "engine/schedule/unit_play.h"
#include "engine/search/synthesis.h"

namespace stagelane::app {
namespace {

struct ScheduleOptions {
  std::string name;
  std::optional<std::int64_t> devices;
  std::optional<std::int64_t> microBatches;
  std::optional<std::int64_t> chunks;
  std::string format = "text";
  bool json = false;
};

// More than anyone views, and small enough for every integer type used below.
constexpr std::int64_t kLargest = 1'000'000;

/// Devices × micro-batches from which the search for an order takes seconds.
constexpr std::int64_t kLongSearch = 5'000;

Status checkRange(const char* option, std::int64_t value) {
  if (value >= 1 && value <= kLargest) return {};
  return fail(ErrorCode::Invalid, std::to_string(value) + " is not a value of " + option, option,
              "write a number from 1 to 1000000");
}

/// Size options for a file are only checked.
Status checkSize(const char* option, std::optional<std::int64_t> asked, std::int64_t found) {
  if (!asked || *asked == found) return {};
  return fail(ErrorCode::Invalid,
              "the file has " + std::to_string(found) + ", not " + std::to_string(*asked), option,
              "remove the option; the file defines its sizes");
}

Result<schedule::Schedule> readSchedule(const ScheduleOptions& options) {
  STAGELANE_TRY(text, readFile(options.name));
  STAGELANE_TRY(schedule, schedule::fromCsv(*text, options.name));
  if (const Status sound = schedule::validate(schedule::lower(*schedule)); !sound) {
    Error error = sound.error();
    error.context = options.name;
    return tl::make_unexpected(error);
  }
  for (const Status& checked :
       {checkSize("--devices", options.devices, schedule->devices),
        checkSize("--microbatches", options.microBatches, schedule->microBatches),
        checkSize("--chunks", options.chunks, schedule::chunksOf(*schedule))}) {
    STAGELANE_CHECK(checked);
  }
  return schedule;
}

Result<search::Synthesis> searchOrder(int devices, int microBatches,
                                      std::optional<std::int64_t> chunks) {
  std::atomic<std::int64_t> tried{0};
  const WorkNotes notes([&tried] {
    const std::int64_t count = tried;
    return "searching: " + std::to_string(count) + (count == 1 ? " order" : " orders") + " tried";
  });
  const search::OnTried onTried = [&tried] { ++tried; };
  return chunks ? search::synthesizeUnit(devices, microBatches, static_cast<int>(*chunks), onTried)
                : search::synthesizeUnit(devices, microBatches, onTried);
}

Result<schedule::Schedule> makeSchedule(const ScheduleOptions& options) {
  const auto extension = std::filesystem::path(options.name).extension();
  if (extension == ".csv" || extension == ".CSV") return readSchedule(options);
  if (!options.devices || !options.microBatches) {
    return fail(ErrorCode::Usage, "--devices and --microbatches are missing", "",
                "for example: stagelane schedule 1f1b --devices 2 --microbatches 4");
  }
  if (options.name == schedule::kAutoSchedule) {
    const auto devices = static_cast<int>(*options.devices);
    const auto microBatches = static_cast<int>(*options.microBatches);
    if (*options.devices * *options.microBatches >= kLongSearch) {
      printNote("searching for an order, which takes some seconds\n");
    }
    STAGELANE_TRY(found, searchOrder(devices, microBatches, options.chunks));
    if (found->cutShort) {
      printWarning("the search was cut short, because the order is long: " +
                   std::to_string(found->schedule.stages) + " stages with " +
                   std::to_string(microBatches) + " micro-batches");
    }
    return std::move(found->schedule);
  }
  schedule::Sizes sizes{
      static_cast<int>(*options.devices), static_cast<int>(*options.microBatches), {}};
  if (options.chunks) sizes.chunks = static_cast<int>(*options.chunks);
  return schedule::generate(options.name, sizes);
}

Result<int> printSchedule(const ScheduleOptions& options) {
  const std::string format = options.json ? "json" : options.format;
  const std::vector<std::string> formats{"text", "csv", "json", "svg"};
  if (!contains(formats, format)) {
    return fail(ErrorCode::Invalid, "'" + format + "' is not a schedule format", "--format",
                "write text, csv, json or svg");
  }
  for (const Status& checked : {checkRange("--chunks", options.chunks.value_or(1)),
                                checkRange("--devices", options.devices.value_or(1)),
                                checkRange("--microbatches", options.microBatches.value_or(1))}) {
    STAGELANE_CHECK(checked);
  }
  STAGELANE_TRY(schedule, makeSchedule(options));
  if (format == "json") return printJson(schedule::toJson(*schedule));
  std::string text = format == "text"  ? schedule::toText(*schedule)
                     : format == "csv" ? schedule::toCsv(*schedule)
                                       : schedule::toSvg(*schedule);
  if (text.empty() || text.back() != '\n') text += '\n';
  return printText(text);
}

/// One line per schedule: name, description and paper.
std::string scheduleTable() {
  std::size_t width = 0;
  for (const std::string& name : schedule::allScheduleNames()) width = std::max(width, name.size());
  std::string text = "Schedules:\n";
  for (const schedule::Method& method : schedule::methods()) {
    const std::string name(method.name);
    text += "  " + name + std::string(width + 2 - name.size(), ' ') +
            std::string(method.description) +
            (method.paper.empty() ? "" : " (" + std::string(method.paper) + ")") + "\n";
  }
  return text;
}

}  // namespace

void addScheduleCommand(const CommandLine& line) {
  auto options = std::make_shared<ScheduleOptions>();
  CLI::App* command = line.parser.add_subcommand(
      "schedule", "Show the order in which devices process micro-batches");
  command
      ->add_option("NAME", options->name,
                   joined(schedule::allScheduleNames()) + ", or a file ending in .csv")
      ->required();
  command->add_option("--devices", options->devices, "Number of devices");
  command->add_option("--microbatches", options->microBatches, "Number of micro-batches");
  command->add_option("--chunks", options->chunks,
                      "Stages per device (default: 2 for methods with chunks, the better of 1 "
                      "and 2 for auto, else 1)");
  command->add_option("--format", options->format, "text (default), csv, json or svg");
  command->add_flag("--json", options->json, "Same as --format json");
  command->footer(
      scheduleTable() +
      "Examples:\n"
      "  stagelane schedule 1f1b --devices 2 --microbatches 4\n"
      "  stagelane schedule zbv --devices 4 --microbatches 8 --format json\n"
      "  stagelane schedule interleaved-1f1b --devices 4 --microbatches 8 --chunks 3\n"
      "  stagelane schedule gpipe --devices 4 --microbatches 8 --format svg > gpipe.svg\n"
      "  stagelane schedule mine.csv --format json\n"
      "A cell like 0F3 is stage 0, forward, micro-batch 3; B is a backward, I and W are its "
      "halves\n"
      "(gradient of the input, gradient of the weights). json and svg simulate the schedule with\n"
      "F = I = W = 1 and B = 2 for all stages of a device together, without transfers.");
  line.use(command, [options] { return printSchedule(*options); });
}

}  // namespace stagelane::app
