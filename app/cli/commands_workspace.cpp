// runs and devices: list them.

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "app/cli/command_application.h"
#include "app/cli/commands.h"
#include "app/engine_client/engine_query.h"
#include "app/engine_client/event_members.h"
#include "app/engine_client/remote/host_check.h"
#include "app/engine_client/remote/hosts.h"
#include "app/terminal/console.h"
#include "engine/base/text.h"
#include "engine/base/visible_text.h"
#include "engine/plan/hosts.h"
#include "engine/workspace/run_index.h"
#include "engine/workspace/run_search.h"
#include "engine/workspace/workspace.h"

namespace stagelane::app {
namespace {

struct RunsOptions {
  bool json = false;
  bool rebuild = false;
  std::string search;
  std::vector<std::string> tags;
  std::string status;
  bool favorites = false;
};

/// The options as one search, in the syntax of the window's search field.
std::string searchText(const RunsOptions& options) {
  std::string text = options.search;
  for (const std::string& tag : options.tags) text += " tag:\"" + tag + "\"";
  if (!options.status.empty()) text += " status:" + options.status;
  return options.favorites ? text + " is:favorite" : text;
}

Result<std::vector<workspace::RunEntry>> knownRuns(const std::filesystem::path& workspace,
                                                   const RunsOptions& options) {
  const workspace::RunSearch search(searchText(options));
  if (const std::string problem = search.problem(); !problem.empty()) {
    return fail(ErrorCode::Invalid, problem, options.search,
                "`stagelane runs --help` lists the search terms");
  }
  STAGELANE_TRY(index, workspace::RunIndex::open(workspace));
  STAGELANE_TRY(read, options.rebuild ? (*index)->rebuild() : (*index)->refresh());
  if (const std::optional<Error>& unkept = (*index)->problem()) {
    if (options.rebuild) return tl::make_unexpected(*unkept);
    printWarning(describe(*unkept));
  }
  for (const auto& [folder, why] : (*index)->unreadable()) {
    printWarning("the folder " + folder + " cannot be read (" + why +
                 "); its run is listed with the data last read");
  }
  auto runs = (*index)->list();
  if (runs) {
    runs->erase(std::remove_if(
                    runs->begin(), runs->end(),
                    [&search](const workspace::RunEntry& entry) { return !search.matches(entry); }),
                runs->end());
  }
  return runs;
}

std::string bestText(const workspace::BestVariant& best) {
  if (best.speedup <= 0.0) return best.id.empty() ? "-" : best.id;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f× ", best.speedup);
  return text.data() + best.id;
}

Result<int> listRuns(const RunsOptions& options) {
  const std::filesystem::path workspace = workspace::workspaceRoot();
  STAGELANE_TRY(runs, knownRuns(workspace, options));
  if (options.json) {
    Json document{{"workspace", workspace.string()}, {"runs", Json::array()}};
    for (const workspace::RunEntry& entry : *runs) {
      document["runs"].push_back(workspace::toJson(entry));
    }
    return printJson(document);
  }
  if (runs->empty() && !searchText(options).empty()) {
    return printText("No run in " + visible(workspace.string()) + " matches the search.\n");
  }
  if (runs->empty()) {
    return printText("No runs in " + visible(workspace.string()) +
                     " yet. Try: stagelane run toy\n");
  }
  std::vector<std::vector<std::string>> rows{
      {"run", "started", "status", "name", "best", "tags", "folder"}};
  for (const workspace::RunEntry& entry : *runs) {
    rows.push_back({(entry.labels.favourite ? "★ " : "") + std::to_string(entry.number),
                    entry.startedAt, entry.status, entry.name, bestText(entry.best),
                    joined(entry.labels.tags), entry.folder});
  }
  return printText(formatTable(rows));
}

struct DevicesOptions {
  std::string host;
  std::string engine;
  bool json = false;
};

/// The devices of a host, with their names in an experiment. Keeps the host in the workspace.
Result<Json> devicesOfHost(const DevicesOptions& options) {
  const std::filesystem::path workspace = workspace::workspaceRoot();
  RemoteHost host = hostNamed(workspace, options.host);
  if (!options.engine.empty()) host.engine = options.engine;
  STAGELANE_TRY(checked, checkHost(host));
  STAGELANE_CHECK(saveHost(workspace, *checked));
  Json document{{"host", checked->name},
                {"engine", checked->engine},
                {"version", checked->version},
                {"devices", checked->devices}};
  for (Json& device : document["devices"]) {
    if (!device.is_object()) continue;
    device["id"] = plan::onHost(checked->name, {textAt(device, "id")}).value;
  }
  return document;
}

Result<int> listDevices(const DevicesOptions& options) {
  const CommandApplication application;
  Json document;
  if (options.host.empty()) {
    STAGELANE_TRY(found, queryDevices());
    document["devices"] = std::move(*found);
  } else {
    STAGELANE_TRY(found, devicesOfHost(options));
    document = std::move(*found);
  }
  if (options.json) return printJson(document);
  std::vector<std::vector<std::string>> rows{{"device", "description", "memory", "usable"}};
  for (const Json& device : document["devices"]) {
    const bool usable = flagAt(device, "usable");
    const auto memory = static_cast<Bytes>(numberAt(device, "memory_bytes"));
    rows.push_back({textAt(device, "id"), textAt(device, "name"),
                    memory > 0 ? humanBytes(memory) : "-",
                    usable ? "yes" : "no: " + textAt(device, "reason")});
  }
  return printText(formatTable(rows));
}

}  // namespace

void addRunsCommand(const CommandLine& line) {
  auto options = std::make_shared<RunsOptions>();
  CLI::App* command =
      line.parser.add_subcommand("runs", "List the runs of the workspace, newest first");
  command->add_option("SEARCH", options->search,
                      "Search: words that must all match; also tag:T, status:S, model:M, device:D, "
                      "since:DAY, until:DAY, is:favorite, is:noisy, and -WORD to exclude");
  command->add_option("--tag", options->tags, "Only runs with this tag; repeatable")
      ->allow_extra_args(false);
  command
      ->add_option("--status", options->status,
                   "Only runs with this status: running, done, failed or canceled")
      ->check(CLI::IsMember({"running", "done", "failed", "canceled"}));
  command->add_flag("--favorites", options->favorites, "Only favorite runs");
  command->add_flag("--favourites", options->favorites)->group("");  // an older name
  command->add_flag("--rebuild", options->rebuild, "Rebuild the index from the run folders");
  command->add_flag("--json", options->json, "Print one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane runs\n"
      "  stagelane runs 'resnet since:2026-11-19 -tag:old' --status done\n"
      "Edit tags, notes and favorites on the Runs page of the window.\n"
      "The workspace is $STAGELANE_WORKSPACE, else $XDG_DATA_HOME/stagelane.");
  line.use(command, [options] { return listRuns(*options); });
}

void addDevicesCommand(const CommandLine& line) {
  auto options = std::make_shared<DevicesOptions>();
  CLI::App* command = line.parser.add_subcommand(
      "devices", "List the devices of this machine, or of a host, and why some are unusable");
  CLI::Option* host = command->add_option(
      "--host", options->host,
      "Host that ssh reaches: an alias of your ssh configuration, or USER@HOST");
  command
      ->add_option("--engine", options->engine,
                   "Path of stagelane-engine on the host, which is kept (default: in PATH, else "
                   "~/stagelane/bin/stagelane-engine)")
      ->needs(host);
  command->add_flag("--json", options->json, "Print one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane devices\n"
      "  stagelane devices --host gpu-box\n"
      "The host's devices are gpu-box/cuda:0, … in an experiment. $STAGELANE_SSH replaces ssh.");
  line.use(command, [options] { return listDevices(*options); });
}

}  // namespace stagelane::app
