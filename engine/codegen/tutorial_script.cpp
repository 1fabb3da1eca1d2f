#include "engine/codegen/forms.h"

namespace stagelane::codegen::detail {
namespace {

constexpr std::string_view kModelParallel = R"(class ModelParallel(nn.Module):
    """Runs the stages in sequence, each on its device: one device works at a time."""

    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList(split_into_stages(build_blocks()))
        for stage, (device, _) in zip(self.stages, STAGES):
            stage.to(device)

)";

constexpr std::string_view kRunStage = R"(    def run_stage(self, index, x):
        return self.stages[index](x.to(STAGES[index][0], non_blocking=True))

    def forward(self, x):
        for index in range(len(self.stages)):
            x = self.run_stage(index, x)
        return x
)";

constexpr std::string_view kRunStageAgain =
    R"(    def run_stage(self, index, x, recompute=True):
        x = x.to(STAGES[index][0], non_blocking=True)
        if recompute:
            return checkpoint(self.stages[index], x, use_reentrant=False)
        return self.stages[index](x)

    def forward(self, x):
        for index in range(len(self.stages)):
            x = self.run_stage(index, x)
        return x
)";

constexpr std::string_view kPipelineHead = R"(class Pipeline(ModelParallel):
    """Splits the batch into pieces, so that a device can work on one piece while the next device
    works on the previous one."""

    def __init__(self, split_size):
        super().__init__()
        self.split_size = split_size

    def forward(self, x):
        pieces = list(x.split(self.split_size))
        # At each tick, stage s runs piece tick - s. The last stage is launched first: GPU work is
        # asynchronous, so the other stages are launched while it runs.
        for tick in range(len(pieces) + len(self.stages) - 1):
            for index in reversed(range(len(self.stages))):
                at = tick - index
                if 0 <= at < len(pieces):
)";

/// `with torch.autocast(…):`
std::string autocast(const Script& script) {
  return std::string("with torch.autocast(\"") + (script.onGpu() ? "cuda" : "cpu") +
         "\", dtype=torch.bfloat16, cache_enabled=False):";
}

/// Builds, moves and trains the model.
void writeTrain(Code& code, const Script& script) {
  const plan::Experiment& experiment = script.experiment;
  const bool steady = experiment.timing == plan::Timing::Steady;
  const bool bf16 = experiment.precision == plan::Precision::Bf16;
  code.line("def train():").indent();
  code.line(
      "\"\"\"Trains from the initial values. Returns seconds and the loss of each batch.\"\"\"");
  code.line(script.microBatches > 1 ? "model = Pipeline(SPLIT_SIZE)" : "model = ModelParallel()");
  if (experiment.memoryFormat == plan::MemoryFormat::ChannelsLast) {
    code.line("model.to(memory_format=torch.channels_last)");
  }
  code.line("optimizer = make_optimizer(model.parameters())");
  if (steady) code.line("batches = list(make_batches())");
  if (script.onGpu()) code.line("synchronize()");
  code.line("begin = time.perf_counter()").line("losses = []");
  code.line(steady ? "for inputs, labels in batches:" : "for inputs, labels in make_batches():");
  code.indent();
  code.line("optimizer.zero_grad()");
  if (bf16) code.line(autocast(script)).indent();
  code.line("outputs = model(inputs)");
  code.line("loss = loss_of(outputs, labels.to(outputs.device))");
  if (bf16) code.dedent();
  code.line("loss.backward()");
  if (experiment.clipGradNorm) {
    code.line("nn.utils.clip_grad_norm_(model.parameters(), " +
              pythonNumber(*experiment.clipGradNorm) + ")");
  }
  code.line("optimizer.step()").line("losses.append(loss.detach())");
  code.dedent();
  if (script.onGpu()) code.line("synchronize()");
  code.line("return time.perf_counter() - begin, [loss.item() for loss in losses]");
  code.dedent();
}

/// `train` for inference: the same return values, without losses.
void writeInfer(Code& code, const Script& script) {
  code.line("@torch.no_grad()").line("def train():").indent();
  code.line("\"\"\"Runs forwards only. Returns seconds, and no losses.\"\"\"");
  code.line(script.microBatches > 1 ? "model = Pipeline(SPLIT_SIZE)" : "model = ModelParallel()");
  code.line("model.eval()");
  if (script.experiment.memoryFormat == plan::MemoryFormat::ChannelsLast) {
    code.line("model.to(memory_format=torch.channels_last)");
  }
  code.line("batches = list(make_batches())");
  if (script.onGpu()) code.line("synchronize()");
  code.line("begin = time.perf_counter()");
  code.line("for inputs, _ in batches:").indent();
  const bool bf16 = script.experiment.precision == plan::Precision::Bf16;
  if (bf16) code.line(autocast(script)).indent();
  code.line("model(inputs)");
  if (bf16) code.dedent();
  code.dedent();
  if (script.onGpu()) code.line("synchronize()");
  code.line("return time.perf_counter() - begin, []");
  code.dedent();
}

void writePipeline(Code& code, const Script& script) {
  code.line().line().lines(kPipelineHead);
  if (script.trains() && script.variant.recompute == plan::Recompute::ExceptLast) {
    code.lines(
        "                    # The last piece's backward comes next, so its activations are still "
        "available.\n"
        "                    last = at == len(pieces) - 1\n"
        "                    pieces[at] = self.run_stage(index, pieces[at], not last)\n");
  } else {
    code.lines("                    pieces[at] = self.run_stage(index, pieces[at])\n");
  }
  code.lines("        return torch.cat(pieces)\n");
}

std::vector<std::string> imports(bool recompute) {
  std::vector<std::string> lines{"import argparse",
                                 "import json",
                                 "import statistics",
                                 "import time",
                                 "",
                                 "import torch",
                                 "import torch.nn.functional as F",
                                 "from torch import nn"};
  if (recompute) lines.push_back("from torch.utils.checkpoint import checkpoint");
  lines.emplace_back();
  return lines;
}

/// `except_last` does not recompute the last piece, and an unsplit batch is the last piece.
bool recomputes(const Script& script) {
  const plan::Recompute wish = script.variant.recompute;
  return script.trains() && (wish == plan::Recompute::Always ||
                             (wish == plan::Recompute::ExceptLast && script.microBatches > 1));
}

constexpr std::string_view kSynchronize = R"(def synchronize():
    """Waits until all GPUs are idle."""
    for device in {device for device, _ in STAGES if device != "cpu"}:
        torch.cuda.synchronize(device)


)";

void writeMain(Code& code, const Script& script) {
  code.line().line().line("def main():").indent();
  code.line("options = parse_arguments()");
  writeSettings(code, script);
  code.line("for _ in range(WARMUP):").line("    train()");
  code.line("runs = [train() for _ in range(options.repeat)]");
  code.line("report([seconds for seconds, _ in runs], runs[0][1], options.json)");
  code.dedent();
  code.line().line().line("if __name__ == \"__main__\":").line("    main()");
}

}  // namespace

std::string tutorialScript(const Script& script) {
  const bool recompute = recomputes(script);
  Code code;
  writeHead(code, script, "python3 FILE [--repeat N] [--json]", imports(recompute));
  writeConstants(code, script);
  code.line().line().lines(script.model.classes).lines(script.model.buildFunction).line().line();
  writeStages(code);
  code.line().line().lines(kModelParallel).lines(recompute ? kRunStageAgain : kRunStage);
  if (script.microBatches > 1) writePipeline(code, script);
  code.line().line();
  writeBatches(code, script);
  code.line().line();
  writeTraining(code, script);
  code.line().line();
  if (script.onGpu()) code.lines(kSynchronize);
  if (script.trains()) {
    writeTrain(code, script);
  } else {
    writeInfer(code, script);
  }
  code.line().line();
  writeReport(code);
  writeMain(code, script);
  return code.text();
}

}  // namespace stagelane::codegen::detail
