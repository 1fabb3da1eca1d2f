// export: a plan as code that runs without Stagelane.

#include <memory>

#include "app/cli/command_application.h"
#include "app/cli/commands.h"
#include "app/engine_client/cost_source.h"
#include "app/engine_client/experiment_source.h"
#include "app/terminal/console.h"
#include "engine/base/files.h"
#include "engine/codegen/code_export.h"
#include "engine/search/resolve.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::app {
namespace {

struct ExportOptions {
  std::string experiment;
  std::string variant;
  std::string form;
  std::string out;
  std::string costs;
  std::vector<std::string> sets;
};

/// Uses the costs of the workspace, so that `auto` has the order that a run would have.
Result<codegen::ExportedCode> codeOf(const ExportOptions& options, codegen::CodeForm form) {
  STAGELANE_TRY(loaded, readExperimentArgument(options.experiment, options.sets));
  STAGELANE_TRY(costs, costsFor(*loaded, {options.costs}));
  loaded->experiment = search::resolveStages(std::move(loaded->experiment), costs->table.get());
  STAGELANE_TRY(variant, codegen::variantToExport(loaded->experiment, options.variant));
  const auto basis = ui::orEstimated(costs->table.get());
  STAGELANE_TRY(resolved, search::withOrder(loaded->experiment, **variant, basis));
  return codegen::exportCode(loaded->experiment, *resolved, form);
}

Result<int> exportPlan(const ExportOptions& options) {
  const CommandApplication application;
  const auto form = codegen::codeFormFrom(options.form);
  if (!form) {
    return fail(ErrorCode::Invalid, "'" + options.form + "' is not an export format", "--as",
                "write tutorial, pipelining or device-map");
  }
  STAGELANE_TRY(code, codeOf(options, *form));
  for (const std::string& note : code->notes) printWarning(note);
  if (options.out.empty() || options.out == "-") return printText(code->text);
  STAGELANE_CHECK(writeFileAtomically(options.out, code->text));
  return 0;
}

}  // namespace

void addExportCommand(const CommandLine& line) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = line.parser.add_subcommand(
      "export", "Export a plan as a PyTorch script or a device map, to use without Stagelane");
  command->add_option("EXPERIMENT", options->experiment, "Experiment file, preset or run folder")
      ->required();
  command->add_option("--variant", options->variant,
                      "Variant id; optional if there is only one variant");
  command
      ->add_option("--as", options->form,
                   "tutorial: one process, in the style of PyTorch's model-parallel tutorial; "
                   "pipelining: torch.distributed.pipelining, one process per device; device-map: "
                   "JSON for accelerate and transformers")
      ->required();
  addPathOption(*command, "-o", options->out, "File to write (default, and -: standard output)");
  addPathOption(*command, "--costs", options->costs,
                "Cost file for `optimal` and `auto` (default: the calibrated costs)");
  addSetOption(*command, options->sets);
  command->footer(
      "Examples:\n"
      "  stagelane export toy --variant pipeline-gpipe --as tutorial -o toy.py && python3 toy.py\n"
      "  stagelane export my.json --variant 1f1b --as pipelining -o pipe.py\n"
      "  torchrun --nproc-per-node 2 pipe.py --json\n"
      "  stagelane export my.json --variant better-cut --as device-map -o device_map.json\n"
      "The scripts need only PyTorch, train on the experiment's data from its initial values and\n"
      "print the losses of `stagelane run`, to rounding. What a format cannot express is an error\n"
      "with the reason.");
  line.use(command, [options] { return exportPlan(*options); });
}

}  // namespace stagelane::app
