#pragma once

/// The commands of `stagelane`. Each function adds one command (or a few of a kind) to the parser;
/// what a command does runs after parsing, through the action it leaves.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace stagelane::app {

/// @returns the exit code; an error is printed by whoever called it
using Action = std::function<Result<int>()>;

/// The parser, and the action that parsing chose.
struct CommandLine {
  CLI::App& parser;
  Action& action;

  /// `chosen` becomes the action where `command` was typed.
  void onChosen(CLI::App& command, Action chosen) const {
    command.callback([&action = action, chosen = std::move(chosen)] { action = chosen; });
  }
};

/// The option `--set` of every command that takes an experiment.
void addSetOption(CLI::App& command, std::vector<std::string>& sets);

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
