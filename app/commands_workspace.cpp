// runs and devices: what there is.

#include <array>
#include <cstdio>
#include <memory>

#include "app/command_application.h"
#include "app/commands.h"
#include "app/console.h"
#include "app/engine_query.h"
#include "engine/base/text.h"
#include "engine/workspace/workspace.h"

namespace stagelane::app {
namespace {

Result<std::vector<workspace::RunEntry>> knownRuns(const std::filesystem::path& workspace) {
  auto index = workspace::RunIndex::open(workspace);
  if (!index) {
    return tl::make_unexpected(index.error());
  }
  if (const Status refreshed = (*index)->refresh(); !refreshed) {
    return tl::make_unexpected(refreshed.error());
  }
  return (*index)->list();
}

Json toJson(const workspace::RunEntry& entry) {
  Json json{{"folder", entry.folder},   {"name", entry.name},
            {"status", entry.status},   {"started_at", entry.startedAt},
            {"devices", entry.devices}, {"variants", entry.variants}};
  if (!entry.bestVariant.empty()) {
    json["best_variant"] = entry.bestVariant;
    json["best_speedup"] = entry.bestSpeedup;
  }
  return json;
}

std::string timesText(double factor) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f×", factor);
  return text.data();
}

int listRuns(bool json) {
  const std::filesystem::path workspace = workspace::workspaceRoot();
  const auto runs = knownRuns(workspace);
  if (!runs) {
    return printError(runs.error());
  }
  if (json) {
    Json document{{"workspace", workspace.string()}, {"runs", Json::array()}};
    for (const workspace::RunEntry& entry : *runs) {
      document["runs"].push_back(toJson(entry));
    }
    return printJson(document);
  }
  if (runs->empty()) {
    return printText("No runs in " + workspace.string() + " yet. Try: stagelane run toy\n");
  }
  std::vector<std::vector<std::string>> rows{{"started", "status", "name", "best", "folder"}};
  for (const workspace::RunEntry& entry : *runs) {
    const std::string best =
        entry.bestVariant.empty() ? "-" : timesText(entry.bestSpeedup) + " " + entry.bestVariant;
    rows.push_back({entry.startedAt, entry.status, entry.name, best, entry.folder});
  }
  return printText(formatTable(rows));
}

int listDevices(bool json) {
  const CommandApplication application;
  const auto devices = queryDevices();
  if (!devices) {
    return printError(devices.error());
  }
  if (json) {
    return printJson({{"devices", *devices}});
  }
  std::vector<std::vector<std::string>> rows{{"device", "what it is", "memory", "usable"}};
  for (const Json& device : *devices) {
    const bool usable = device.value("usable", false);
    const auto memory = device.value("memory_bytes", Bytes{0});
    rows.push_back({device.value("id", ""), device.value("name", ""),
                    memory > 0 ? humanBytes(memory) : "-",
                    usable ? "yes" : "no: " + device.value("reason", "")});
  }
  return printText(formatTable(rows));
}

}  // namespace

void addRunsCommand(const CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = line.parser.add_subcommand("runs", "Runs of this workspace, newest first");
  command->add_flag("--json", *json, "One JSON document");
  command->footer(
      "Example:\n  stagelane runs\n"
      "The workspace is $STAGELANE_WORKSPACE, else $XDG_DATA_HOME/stagelane.");
  command->callback([&action = line.action, json] { action = [json] { return listRuns(*json); }; });
}

void addDevicesCommand(const CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      line.parser.add_subcommand("devices", "Devices of this machine, and why one is unusable");
  command->add_flag("--json", *json, "One JSON document");
  command->footer("Example:\n  stagelane devices");
  command->callback(
      [&action = line.action, json] { action = [json] { return listDevices(*json); }; });
}

}  // namespace stagelane::app
