// device-map: accelerate's placements of module trees.

#include <memory>

#include "app/cli/commands.h"
#include "app/terminal/console.h"
#include "engine/plan/device_map.h"

namespace stagelane::app {
namespace {

/// One case, a list of cases, or an object with `cases`.
Result<Json> answerOf(const Json& document) {
  const bool inside = document.is_object() && document.contains("cases");
  const Json& cases = inside ? document["cases"] : document;
  if (!cases.is_array()) return plan::answerDeviceMapCase(cases, "");
  Json answers = Json::array();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    auto answer = plan::answerDeviceMapCase(cases[i], childPointer(inside ? "/cases" : "", i));
    if (!answer) return answer;
    answers.push_back(std::move(*answer));
  }
  return answers;
}

Result<int> printMaps(const std::string& path) {
  STAGELANE_TRY(document, readJsonFile(path));
  const auto answer = answerOf(*document);
  if (!answer) {
    Error error = answer.error();
    error.context = path + (error.context.empty() ? "" : "#" + error.context);
    return tl::make_unexpected(error);
  }
  return printJson(*answer);
}

}  // namespace

void addDeviceMapCommand(const CommandLine& line) {
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command = line.parser.add_subcommand(
      "device-map", "Compute accelerate-compatible device maps of a module tree");
  command
      ->add_option("CASE", *path, "JSON file with a module tree and max_memory, or a list of them")
      ->required();
  command->add_flag("--json", *json, "No effect: the output is always one JSON document");
  command->footer(
      "Example:\n"
      "  stagelane device-map case.json\n"
      "docs/reference/experiment.md describes the file. `balanced` is what accelerate's\n"
      "get_balanced_memory returns, `map` and `map_balanced` are what its infer_auto_device_map\n"
      "returns for max_memory and for balanced. The answer contains exceptions of accelerate.");
  line.use(command, [path, json] { return printMaps(*path); });
}

}  // namespace stagelane::app
