#pragma once

/// The commands of `stagelane`. Each function adds one command (or a few related ones) to the
/// parser; the command sets the action to run after parsing.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace stagelane::app {

/// What a command does. @returns the exit code, or the error to print
using Action = std::function<Result<int>()>;

/// The parser, and the action that parsing chose.
struct CommandLine {
  CLI::App& parser;
  Action& action;

  /// The action of a command, if it is the one on the command line.
  void use(CLI::App* command, Action run) const {
    command->callback([&chosen = action, run = std::move(run)] { chosen = run; });
  }
};

/// The option `--set` of every command that takes an experiment.
void addSetOption(CLI::App& command, std::vector<std::string>& sets);

/// The option `--ranks` of commands that start or predict several processes; `ranks` is
/// kRanksNeeded without it.
void addRanksOption(CLI::App& command, int& ranks);

/// The option for a file or folder. An empty path is wrong usage: it would otherwise count as an
/// option that is not there.
CLI::Option* addPathOption(CLI::App& command, const std::string& names, std::string& path,
                           const std::string& help);
/// One to write, which cannot be "-".
CLI::Option* addOutOption(CLI::App& command, const std::string& names, std::string& path,
                          const std::string& help);

void addRunCommand(const CommandLine& line);
void addSweepCommand(const CommandLine& line);
void addPredictCommand(const CommandLine& line);
void addCalibrateCommand(const CommandLine& line);
void addPlaceCommand(const CommandLine& line);
void addSuggestCommand(const CommandLine& line);
void addDeviceMapCommand(const CommandLine& line);
void addSummaryCommand(const CommandLine& line);
void addModelsCommand(const CommandLine& line);
void addScheduleCommand(const CommandLine& line);
void addAnalyzeCommand(const CommandLine& line);
void addCompareCommand(const CommandLine& line);
void addConvertCommand(const CommandLine& line);
void addChartCommand(const CommandLine& line);
void addReportCommand(const CommandLine& line);
void addExportCommand(const CommandLine& line);
void addRunsCommand(const CommandLine& line);
void addDevicesCommand(const CommandLine& line);

}  // namespace stagelane::app
