// chart and report: pictures and pages of a run, without a display.

#include <QApplication>
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <memory>
#include <set>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/work_notes.h"
#include "app/terminal/console.h"
#include "engine/base/text.h"
#include "engine/base/visible_text.h"
#include "engine/record/fastest.h"
#include "engine/record/left_out.h"
#include "ui/kit/pictures/export_path.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/translation.h"
#include "ui/plots/chart.h"
#include "ui/report/report.h"
#include "ui/report/report_selection.h"
#include "ui/session/document/device_budgets.h"
#include "ui/session/prediction/run_plan.h"

namespace stagelane::app {
namespace {

struct ChartArguments {
  std::string run;
  std::string kind;
  std::string style;
  std::string size;
  std::string theme = "light";
  std::string out;
  int dpi = 300;
  bool repeats = false;
};

struct ReportArguments {
  std::vector<std::string> runs;
  std::string question;
  std::string title;
  std::string note;
  std::string theme = "reader";
  std::string out;
};

/// Hides Qt's warning about a missing XDG_RUNTIME_DIR, which drawing a file does not need.
void printUnlessAboutTheMachine(QtMsgType type, const QMessageLogContext& context,
                                const QString& text) {
  if (text.contains(QLatin1String("XDG_RUNTIME_DIR"))) return;
  const std::string message = ui::utf8(qFormatLogMessage(type, context, text));
  std::fprintf(stderr, "%s\n", visible(message).c_str());
}

/// A QApplication that needs no display: the offscreen platform draws the same on every machine.
class Drawing {
 public:
  Drawing() {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(printUnlessAboutTheMachine);
    m_application = std::make_unique<QApplication>(m_argc, m_argv.data());
    ui::installTranslations(QLocale::c());
  }

 private:
  int m_argc = 1;
  std::string m_program = "stagelane";
  std::array<char*, 2> m_argv{m_program.data(), nullptr};
  std::unique_ptr<QApplication> m_application;
};

/// "160x100" in millimeters.
Result<QSizeF> sizeFrom(const std::string& text) {
  const auto number = [](std::string_view digits, double& value) {
    int whole = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
    value = whole;
    return read.ec == std::errc{} && read.ptr == digits.data() + digits.size() && whole > 0;
  };
  const std::string_view view = text;
  const std::size_t cross = view.find('x');
  double width = 0.0, height = 0.0;
  if (cross == std::string_view::npos || !number(view.substr(0, cross), width) ||
      !number(view.substr(cross + 1), height)) {
    return fail(ErrorCode::Invalid, "\"" + text + "\" is not a size", "--size",
                "write millimeters, for example 160x100");
  }
  return QSizeF(width, height);
}

void warnOfPlan(const Error& problem) {
  printWarning("predictions are left out: " + describe(problem));
}

Status checkWords(const ChartArguments& arguments, ui::ChartKind kind) {
  if (!arguments.style.empty() && arguments.style != "tutorial" && arguments.style != "stagelane") {
    return fail(ErrorCode::Invalid, "\"" + arguments.style + "\" is not a chart style", "--style",
                "write tutorial or remove --style");
  }
  if (arguments.style == "tutorial" && !ui::hasTutorialStyle(kind)) {
    return fail(ErrorCode::Invalid, "style tutorial supports only execution times", "--style",
                "use it with --kind time");
  }
  if (arguments.theme != "light" && arguments.theme != "dark") {
    return fail(ErrorCode::Invalid, "\"" + arguments.theme + "\" is not a theme", "--theme",
                "write light or dark");
  }
  return {};
}

/// Of a picture, the variants that have room in it; a CSV file has all of them.
ui::RunResultPtr chartedRun(record::RunResult run, const std::string& out, int asked) {
  const auto whole =
      std::make_shared<const record::RunResult>(record::withoutLeftOut(std::move(run)));
  if (ui::formatOfPath(ui::qstring(out)) == QStringLiteral("csv")) return whole;
  const ui::RunResultPtr charted = ui::withBest(whole, ui::kMostPictured, asked);
  if (const std::size_t all = whole->variants.size(); all > charted->variants.size()) {
    printWarning("the picture shows the best " + std::to_string(charted->variants.size()) + " of " +
                 std::to_string(all) + " variants; a .csv file has all of them");
  }
  return charted;
}

Status drawChartFile(const ChartArguments& arguments) {
  STAGELANE_TRY(kind, ui::chartKindFromWord(arguments.kind));
  STAGELANE_CHECK(checkWords(arguments, *kind));
  STAGELANE_TRY(read, record::openRun(arguments.run));
  const auto experiment = readJsonFile(record::RunFolder{arguments.run}.experiment());
  const Drawing drawing;
  ui::ChartOptions options{
      .style = arguments.style == "tutorial" ? ui::ChartStyle::Tutorial : ui::ChartStyle::Stagelane,
      .singleRepeats = arguments.repeats};
  if (experiment) {
    options.budgets = ui::deviceBudgets(*experiment);
    options.repeatsAsked = record::repeatsAsked(&*experiment);
  }
  const ui::RunResultPtr run = chartedRun(std::move(*read), arguments.out, options.repeatsAsked);
  QSizeF size = ui::suggestedChartMm(*kind, *run, options);
  if (!arguments.size.empty()) {
    STAGELANE_TRY(wanted, sizeFrom(arguments.size));
    size = *wanted;
  }
  std::set<std::string> needed;
  for (const record::VariantResult& variant : run->variants) needed.insert(variant.id);
  const auto planned = ui::readRunPlan(arguments.run, {}, [&](const plan::Variant& variant) {
    return needed.count(variant.id) > 0;
  });
  if (planned) options.predictedSeconds = ui::predictedRepeats(*planned);
  if (!planned) warnOfPlan(planned.error());
  const ui::PictureSpec spec{.path = ui::qstring(arguments.out),
                             .widthMm = size.width(),
                             .heightMm = size.height(),
                             .dpi = arguments.dpi,
                             .title = ui::chartTitle(*kind)};
  return ui::exportChart(*kind, *run, options, spec,
                         arguments.theme == "dark" ? ui::darkTheme() : ui::lightTheme());
}

/// "reading run 1 of 2: 12 of 101".
std::string stepText(const std::string& what, const ui::ReportProgress& progress) {
  const int of = progress.of;
  return of <= 0 ? what
                 : what + ": " + std::to_string(std::min(progress.done.load(), of)) + " of " +
                       std::to_string(of);
}

Result<std::vector<ui::ReportInput>> readRuns(const std::vector<std::string>& folders) {
  std::vector<ui::ReportInput> inputs;
  ui::ReportProgress progress;
  std::atomic<std::size_t> run{0};
  const WorkNotes notes([&] {
    return stepText("reading run " + std::to_string(run) + " of " + std::to_string(folders.size()),
                    progress);
  });
  for (const std::string& folder : folders) {
    ++run;
    progress.begin(0);
    STAGELANE_TRY(input, ui::readReportInput(folder, &progress));
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

Status writeReportFile(const ReportArguments& arguments) {
  STAGELANE_TRY(theme, ui::reportThemeFromWord(arguments.theme));
  const Drawing drawing;
  STAGELANE_TRY(inputs, readRuns(arguments.runs));
  for (const ui::ReportInput& input : *inputs) {
    if (input.planProblem) warnOfPlan(*input.planProblem);
  }
  ui::ReportContents contents;
  contents.question = ui::qstring(arguments.question);
  contents.title = ui::qstring(arguments.title);
  contents.note = ui::qstring(arguments.note);
  ui::ReportProgress progress;
  const WorkNotes notes([&progress] { return stepText("writing the report", progress); });
  return ui::writeReport(ui::makeReport(*inputs, contents), arguments.out, *theme, &progress);
}

}  // namespace

void addChartCommand(const CommandLine& line) {
  auto arguments = std::make_shared<ChartArguments>();
  CLI::App* command = line.parser.add_subcommand("chart", "Write a chart of a run to a file");
  command->add_option("RUN", arguments->run, "Run folder")->required();
  command->add_option("--kind", arguments->kind, joined(ui::chartKindWords()))->required();
  command->add_option("--style", arguments->style, "tutorial: the style of the PyTorch tutorial");
  command->add_option("--size", arguments->size, "Size in millimeters, for example 160x100");
  command->add_option("--dpi", arguments->dpi, "Dots per inch of a PNG (default 300)");
  command->add_option("--theme", arguments->theme, "light or dark");
  command->add_flag("--repeats", arguments->repeats, "Show each repeat as a dot");
  addOutOption(*command, "-o,--out", arguments->out, "File to write: .png, .svg, .pdf or .csv")
      ->required();
  command->footer(
      "Examples:\n"
      "  stagelane chart toy-run --kind time -o time.svg\n"
      "  stagelane chart toy-run --kind idle --theme dark --dpi 150 -o idle.png\n"
      "  stagelane chart toy-run --kind speedup -o speedup.csv\n"
      "Needs no display. A CSV file has the numbers of the chart.");
  line.use(command, [arguments] { return drawChartFile(*arguments).map([] { return 0; }); });
}

void addReportCommand(const CommandLine& line) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = line.parser.add_subcommand("report", "Write a report on one or more runs");
  command->add_option("RUN", arguments->runs, "Run folders")->required();
  command->add_option("--question", arguments->question,
                      "Question that the report answers (default: derived from the run)");
  command->add_option("--title", arguments->title, "Title (default: the experiment's name)");
  command->add_option("--note", arguments->note, "Paragraph to add below the summary");
  command->add_option("--theme", arguments->theme,
                      "Screen colors of HTML: reader (the reader's setting, default), light or "
                      "dark; print, .pdf and .md are always light");
  addOutOption(*command, "-o,--out", arguments->out, "File to write: .html, .pdf or .md")
      ->required();
  command->footer(
      "Examples:\n"
      "  stagelane report toy-run -o report.html\n"
      "  stagelane report before after --question 'Is the new cut faster?' -o report.pdf\n"
      "Needs no display. An .html file is complete by itself; .md writes its pictures beside it.");
  line.use(command, [arguments] { return writeReportFile(*arguments).map([] { return 0; }); });
}

}  // namespace stagelane::app
