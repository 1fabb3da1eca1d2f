// chart and report: pictures and pages of runs, without a display.

#include <QApplication>
#include <array>
#include <cstdio>
#include <memory>

#include "app/commands.h"
#include "app/console.h"
#include "engine/record/run_record.h"
#include "ui/models/formatting.h"
#include "ui/models/theme.h"
#include "ui/plots/chart.h"

namespace stagelane::app {
namespace {

struct ChartArguments {
  std::string run;
  std::string kind;
  std::string style;
  std::string out;
};

struct ReportArguments {
  std::vector<std::string> runs;
  std::string out;
};

// Standard error is for our own messages; what Qt misses on a machine without a desktop session is
// not the reader's concern.
void printUnlessAboutTheSession(QtMsgType /*type*/, const QMessageLogContext& /*context*/,
                                const QString& text) {
  if (!text.contains(QLatin1String("XDG_RUNTIME_DIR"))) {
    std::fputs((ui::utf8(text) + "\n").c_str(), stderr);
  }
}

// Text needs fonts, and fonts a QApplication; its platform needs no display.
class OffscreenApplication {
 public:
  OffscreenApplication() {
    qInstallMessageHandler(&printUnlessAboutTheSession);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    m_application = std::make_unique<QApplication>(m_argc, m_argv.data());
  }

 private:
  int m_argc = 1;
  std::string m_name = "stagelane";
  std::array<char*, 2> m_argv{m_name.data(), nullptr};
  std::unique_ptr<QApplication> m_application;
};

Result<ui::ChartOptions> chartOptions(const std::string& style) {
  ui::ChartOptions options;
  if (style == "tutorial") {
    options.style = ui::ChartStyle::Tutorial;
  } else if (!style.empty() && style != "stagelane") {
    return fail(ErrorCode::Invalid, "'" + style + "' is no style of a chart", "--style",
                "write stagelane or tutorial");
  }
  return options;
}

int chart(const ChartArguments& arguments) {
  const auto kind = ui::chartKindFromWord(arguments.kind);
  if (!kind) {
    return printError(kind.error());
  }
  const auto options = chartOptions(arguments.style);
  if (!options) {
    return printError(options.error());
  }
  const auto run = record::openRun(arguments.run);
  if (!run) {
    return printError(run.error());
  }
  const OffscreenApplication application;
  ui::PictureSpec spec;
  spec.path = ui::qstring(arguments.out);
  spec.title = ui::chartTitle(*kind);
  const Status written = ui::exportChart(*kind, *run, *options, spec, ui::lightTheme());
  return written ? 0 : printError(written.error());
}

}  // namespace

void addChartCommand(const CommandLine& line) {
  auto arguments = std::make_shared<ChartArguments>();
  CLI::App* command = line.parser.add_subcommand("chart", "A chart of a run, as a file");
  command->add_option("RUN", arguments->run, "Run folder")->required();
  command->add_option("--kind", arguments->kind, "time, idle, speedup, split or memory")->required();
  command->add_option("--style", arguments->style,
                      "stagelane (default), or tutorial: as the PyTorch tutorial draws it");
  command->add_option("-o,--out", arguments->out, "File to write: .png, .svg, .pdf or .csv")
      ->required();
  command->footer(
      "Examples:\n"
      "  stagelane chart runs/20261121-101500-toy --kind time -o time.svg\n"
      "  stagelane chart runs/20261121-101500-toy --kind time --style tutorial -o mp_vs_rn.png\n"
      "  stagelane chart runs/20261121-101500-toy --kind idle -o idle.csv\n"
      "It needs no display. A CSV is tidy: a row a variant, repeat and device, units in the header.");
  command->callback([&action = line.action, arguments] {
    action = [arguments] { return chart(*arguments); };
  });
}

void addReportCommand(const CommandLine& line) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = line.parser.add_subcommand("report", "A page about one or more runs");
  command->add_option("RUN", arguments->runs, "Run folders")->required();
  command->add_option("-o,--out", arguments->out, "File to write: .html, .pdf or .md")->required();
  command->footer("Example:\n  stagelane report runs/20261121-101500-toy -o toy.html");
  command->callback([&action = line.action] {
    action = [] {
      return printError({ErrorCode::Invalid, "report is not available in this version", "",
                         "`stagelane chart` draws the charts of a run"});
    };
  });
}

}  // namespace stagelane::app
