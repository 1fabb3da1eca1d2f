// Commands of the contract that a later version brings. They are listed and explained, so that a
// script written for that version fails with a clear answer here.

#include <array>
#include <string>

#include "app/commands.h"
#include "app/console.h"

namespace stagelane::app {
namespace {

struct PlannedCommand {
  const char* name;
  const char* description;
};
constexpr std::array<PlannedCommand, 1> kPlanned{{
    {"compare", "Compare two runs or traces"},
}};

}  // namespace

void addPlannedCommands(const CommandLine& line) {
  for (const PlannedCommand& planned : kPlanned) {
    const std::string name = planned.name;
    CLI::App* command = line.parser.add_subcommand(
        name, std::string(planned.description) + " (not available in this version)");
    command->allow_extras();  // whatever its options will be, the answer is the same
    command->callback([&action = line.action, name] {
      action = [name] {
        return printError(
            {ErrorCode::Invalid, "'" + name + "' is not available in this version", "",
             "`stagelane --help` lists what is; `stagelane predict` estimates a plan"});
      };
    });
  }
}

}  // namespace stagelane::app
