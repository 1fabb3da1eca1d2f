// chart and report: pictures and pages of a run, without a display.

#include <memory>

#include "app/commands.h"
#include "app/console.h"

namespace stagelane::app {
namespace {

struct ChartOptions {
  std::string run;
  std::string kind;
  std::string style;
  std::string out;
};

struct ReportOptions {
  std::vector<std::string> runs;
  std::string out;
};

int notAvailable(const char* command) {
  return printError({ErrorCode::Invalid, std::string(command) + " is not available in this version",
                     "", "`stagelane --help` lists what is"});
}

}  // namespace

void addChartCommand(const CommandLine& line) {
  auto options = std::make_shared<ChartOptions>();
  CLI::App* command = line.parser.add_subcommand("chart", "A chart of a run, as a file");
  command->add_option("RUN", options->run, "Run folder")->required();
  command->add_option("--kind", options->kind, "time, idle, speedup, split or memory")->required();
  command->add_option("--style", options->style, "tutorial: as the PyTorch tutorial draws it");
  command->add_option("-o,--out", options->out, "File to write: .png, .svg, .pdf or .csv")->required();
  command->callback([&action = line.action] { action = [] { return notAvailable("chart"); }; });
}

void addReportCommand(const CommandLine& line) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = line.parser.add_subcommand("report", "A page about one or more runs");
  command->add_option("RUN", options->runs, "Run folders")->required();
  command->add_option("-o,--out", options->out, "File to write: .html, .pdf or .md")->required();
  command->callback([&action = line.action] { action = [] { return notAvailable("report"); }; });
}

}  // namespace stagelane::app
