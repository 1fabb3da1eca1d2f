#include "app/cli/command_line.h"

#include <QLocale>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/engine_client/experiment_source.h"
#include "app/engine_client/signal_watch.h"
#include "app/terminal/console.h"
#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/base/version.h"

namespace stagelane::app {
namespace {

constexpr const char* kDescription =
    "Stagelane: train a neural network across devices and see where the time goes.\n"
    "Without a command, opens the window.";
constexpr const char* kFooter =
    "Examples:\n"
    "  stagelane                                  open the window with the last document\n"
    "  stagelane run toy                          run a preset and print the result\n"
    "  stagelane predict my.json --json           predict an experiment's step time\n"
    "  stagelane COMMAND --help                   help for one command\n"
    "Exit codes: 0 success, 2 usage, 3 invalid file or value, 4 no such device, 5 out of memory,\n"
    "6 engine failure, 7 gradients differ, 8 cannot write, 130 canceled.";

struct WindowArguments {
  WindowOptions options;
  std::string size;
};

void addWindowOptions(CLI::App& parser, WindowArguments& arguments,
                      const std::vector<std::string>& pages) {
  addPathOption(parser, "FILE", arguments.options.file,
                "Experiment file, preset, run folder or trace to open");
  parser.add_option("--page", arguments.options.page, joined(pages));
  parser.add_option("--size", arguments.size, "Window size in pixels, for example 1600x900");
  parser.add_option("--theme", arguments.options.theme, "light or dark");
  addOutOption(parser, "--shot", arguments.options.shot,
               "Write a screenshot of the window (PNG) and exit");
  addOutOption(parser, "--ui-map", arguments.options.uiMap,
               "Write a map of all controls (JSON) and exit");
  parser.add_flag("--stay", arguments.options.stay,
                  "Stay open after --shot and --ui-map and keep the map up to date");
}

bool parseNumber(std::string_view text, int& value) {
  const auto end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc{} && read.ptr == end && value > 0 && value <= 32767;
}

Status parseSize(const std::string& text, WindowOptions& options) {
  const std::size_t cross = text.find('x');
  if (text.empty() ||
      (cross != std::string::npos && parseNumber(text.substr(0, cross), options.width) &&
       parseNumber(text.substr(cross + 1), options.height))) {
    return {};
  }
  return fail(ErrorCode::Invalid, "'" + text + "' is not a window size", "--size",
              "write WIDTHxHEIGHT in pixels, for example 1600x900");
}

Status checkWord(const std::string& option, const std::string& value,
                 const std::vector<std::string>& words) {
  if (value.empty() || contains(words, value)) return {};
  return fail(ErrorCode::Invalid, "'" + value + "' is not a value of " + option, option,
              "write one of " + joined(words));
}

bool hasDisplay() {
  const auto isSet = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM");
}

Result<int> openWindow(WindowArguments& arguments, const WindowProgram& window) {
  WindowOptions& options = arguments.options;
  for (const Status& checked :
       {parseSize(arguments.size, options), checkWord("--page", options.page, window.pages),
        checkWord("--theme", options.theme, {"light", "dark"})}) {
    STAGELANE_CHECK(checked);
  }
  if (!hasDisplay()) {
    return fail(ErrorCode::Usage, "cannot open the window: no display", "",
                "use `stagelane run EXPERIMENT`, or set QT_QPA_PLATFORM=offscreen for "
                "--shot and --ui-map");
  }
  return window.run(options);
}

void addCommands(const CommandLine& line) {
  addRunCommand(line);
  addSweepCommand(line);
  addPredictCommand(line);
  addCalibrateCommand(line);
  addPlaceCommand(line);
  addSuggestCommand(line);
  addDeviceMapCommand(line);
  addSummaryCommand(line);
  addScheduleCommand(line);
  addAnalyzeCommand(line);
  addCompareCommand(line);
  addConvertCommand(line);
  addChartCommand(line);
  addReportCommand(line);
  addExportCommand(line);
  addRunsCommand(line);
  addDevicesCommand(line);
  addModelsCommand(line);
}

// A first word that is not a command: a file, folder or preset opens the window; anything else is
// reported as an unknown command.
Status checkFirstWord(const std::string& word, const CLI::App& parser) {
  if (word.empty() || word.front() == '-' || word.find('/') != std::string::npos) return {};
  std::vector<std::string> commands;
  for (const CLI::App* command : parser.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
  }
  std::error_code failed;
  if (contains(commands, word) || std::filesystem::exists(word, failed) ||
      std::filesystem::path(word).has_extension() || presetFile(word)) {
    return {};
  }
  const std::string near = nearest(word, commands);
  return fail(ErrorCode::Usage, "'" + word + "' is not a command or a file", "",
              near.empty() ? "`stagelane --help` lists the commands"
                           : "did you mean `stagelane " + near + "`?");
}

// A value of the wrong kind is an invalid value; everything else is wrong usage.
int reportParseError(const CLI::ParseError& problem, const CLI::App& parser) {
  const auto kind = static_cast<CLI::ExitCodes>(problem.get_exit_code());
  const bool value = kind == CLI::ExitCodes::ConversionError ||
                     kind == CLI::ExitCodes::ValidationError ||
                     kind == CLI::ExitCodes::InvalidError;
  std::string help = "stagelane";
  for (const CLI::App* command : parser.get_subcommands()) help += " " + command->get_name();
  return printError({value ? ErrorCode::Invalid : ErrorCode::Usage, problem.what(), "",
                     "`" + help + " --help` lists the options"});
}

}  // namespace

void addSetOption(CLI::App& command, std::vector<std::string>& sets) {
  command.add_option("--set", sets, "Change one value: /json/pointer=VALUE; repeatable")
      ->allow_extra_args(false);
}

void addRanksOption(CLI::App& command, int& ranks) {
  constexpr int kMostRanks = 256;  // as stagelane-engine's --ranks
  command
      .add_option("--ranks", ranks,
                  "Processes on this host, to which the devices are dealt (default: as many as the "
                  "experiment needs)")
      ->check(CLI::Range(1, kMostRanks));
}

CLI::Option* addPathOption(CLI::App& command, const std::string& names, std::string& path,
                           const std::string& help) {
  return command.add_option(names, path, help)->each([names](const std::string& text) {
    if (text.empty()) {
      throw CLI::ArgumentMismatch(names + ": the path is empty; name a file or folder");
    }
  });
}

CLI::Option* addOutOption(CLI::App& command, const std::string& names, std::string& path,
                          const std::string& help) {
  return addPathOption(command, names, path, help)->each([names](const std::string& text) {
    if (text == "-") {
      throw CLI::ArgumentMismatch(names + ": cannot write to standard output; name a file");
    }
  });
}

int runCommandLine(int argc, char** argv, const WindowProgram& program) {
  CLI::App parser(kDescription, "stagelane");
  parser.footer(kFooter);
  parser.set_version_flag(
      "--version", "stagelane " + std::string(version()) + " (" + std::string(gitRevision()) + ")");
  parser.require_subcommand(0, 1);
  WindowArguments window;
  addWindowOptions(parser, window, program.pages);
  Action action = [&window, &program] { return openWindow(window, program); };
  addCommands({parser, action});

  if (const Status known = checkFirstWord(argc > 1 ? argv[1] : "", parser); !known) {
    return printError(known.error());
  }
  try {
    parser.parse(argc, argv);
  } catch (const CLI::Success& help) {
    parser.exit(help);
    return printText("");
  } catch (const CLI::ParseError& problem) {
    return reportParseError(problem, parser);
  }
  // Only the window's numbers follow the locale.
  if (!parser.get_subcommands().empty()) {
    QLocale::setDefault(QLocale::c());
    cancelOnSignals();
  }
  const Result<int> code = action();
  return code ? *code : printError(code.error());
}

}  // namespace stagelane::app
