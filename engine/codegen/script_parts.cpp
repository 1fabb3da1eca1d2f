#include "engine/codegen/script_parts.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/base/version.h"
#include "engine/plan/rows.h"

namespace stagelane::codegen::detail {
namespace {

constexpr std::size_t kProseColumns = 90;
constexpr std::string_view kQuotes = "\"\"\"";

std::string_view torchType(model::DType dtype) {
  switch (dtype) {
    case model::DType::Float32: return "torch.float32";
    case model::DType::Float64: return "torch.float64";
    case model::DType::BFloat16: return "torch.bfloat16";
  }
  return "torch.float32";
}

std::string devicesInWords(const plan::Variant& variant) {
  std::vector<std::string> names;
  for (const DeviceId& row : plan::rowsOf(variant)) names.push_back(row.value);
  return joined(names);
}

/// `32, 3, 128, 128`, with the batch as BATCH_SIZE.
std::string sizes(const model::Shape& sample) {
  std::string text = "BATCH_SIZE";
  for (const std::int64_t size : sample) text += ", " + std::to_string(size);
  return text;
}

void constant(Code& code, const std::string& name, const std::string& value) {
  code.line(name + " = " + value);
}

std::string inputsCode(const plan::Experiment& experiment) {
  const std::string shape = sizes(experiment.input);
  if (experiment.model->vocabulary > 0) {
    return "torch.empty(" + shape + ", dtype=torch.long).random_(0, " +
           std::to_string(experiment.model->vocabulary) + ", generator=generator)";
  }
  std::string text = "torch.randn(" + shape + ", generator=generator).to(DTYPE)";
  const bool image = experiment.input.size() == 3;
  if (image && experiment.memoryFormat == plan::MemoryFormat::ChannelsLast) {
    text += ".contiguous(memory_format=torch.channels_last)";
  }
  return text;
}

std::string labelsCode(const plan::Experiment& experiment) {
  const std::string classes = std::to_string(experiment.model->classes);
  switch (experiment.data.labels) {
    case plan::Labels::OneHot: return "F.one_hot(classes, " + classes + ").to(DTYPE)";
    case plan::Labels::ClassIndex: return "classes";
    case plan::Labels::Normal: break;
  }
  model::Shape rows = experiment.outputRows;
  rows.push_back(experiment.model->classes);
  return "torch.randn(" + sizes(rows) + ", generator=generator).to(DTYPE)";
}

std::string optimizerCode(const plan::OptimizerSpec& optimizer) {
  const std::string rate = "lr=" + pythonNumber(optimizer.learningRate);
  const std::string decay = "weight_decay=" + pythonNumber(optimizer.weightDecay);
  if (optimizer.kind == "sgd") {
    return "torch.optim.SGD(parameters, " + rate +
           (optimizer.momentum != 0.0 ? ", momentum=" + pythonNumber(optimizer.momentum) : "") +
           (optimizer.weightDecay != 0.0 ? ", " + decay : "") + ")";
  }
  return std::string("torch.optim.") + (optimizer.kind == "adamw" ? "AdamW" : "Adam") +
         "(parameters, " + rate + ", betas=(" + pythonNumber(optimizer.betas[0]) + ", " +
         pythonNumber(optimizer.betas[1]) + "), eps=" + pythonNumber(optimizer.eps) + ", " + decay +
         ")";
}

void paragraph(Code& code, const std::string& words) {
  code.line();
  for (const std::string& line : wrapped(plainWords(words), kProseColumns)) code.line(line);
}

}  // namespace

bool Script::onGpu() const {
  return std::any_of(devices.begin(), devices.end(),
                     [](const std::string& device) { return device != "cpu"; });
}

int Script::threads() const {
  return variant.threads > 0 ? variant.threads : experiment.threadsPerCpuWorker;
}

void writeHead(Code& code, const Script& script, const std::string& command,
               const std::vector<std::string>& imports) {
  code.line("#!/usr/bin/env python3");
  const std::string title = script.experiment.name + ": \"" + script.variant.name + "\" on " +
                            devicesInWords(script.variant);
  const std::vector<std::string> lines = wrapped(plainWords(title), kProseColumns);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    code.line((i == 0 ? std::string(kQuotes) : std::string()) + lines[i]);
  }
  paragraph(code, "Written by Stagelane " + std::string(version()) +
                      ". It needs only PyTorch. Run it with");
  code.line().line("    " + command);
  if (script.trains()) {
    paragraph(
        code,
        "Initial values and data equal those of `stagelane run` with the same seed, and so do "
        "the losses, up to rounding.");
  }
  for (const std::string& note : script.notes) paragraph(code, note);
  code.line(kQuotes).line();
  for (const std::string& each : imports) code.line(each);
}

void writeConstants(Code& code, const Script& script) {
  const plan::Experiment& experiment = script.experiment;
  constant(code, "SEED", std::to_string(experiment.data.seed));
  constant(code, "DTYPE", std::string(torchType(experiment.dtype)));
  constant(code, "BATCH_SIZE", std::to_string(experiment.data.batchSize));
  if (script.microBatches > 1) {
    constant(code, "SPLIT_SIZE", std::to_string(script.variant.splitSize));
  }
  constant(code, "BATCHES", std::to_string(experiment.data.batches));
  constant(code, "WARMUP", std::to_string(experiment.warmup));
  constant(code, "REPEAT", std::to_string(experiment.repeat));
  code.line().line("# The plan: device and first block of each stage.");
  code.line("STAGES = [").indent();
  for (std::size_t i = 0; i < script.variant.stages.size(); ++i) {
    const std::size_t first = script.variant.stages[i].firstBlock;
    code.line("(" + pythonText(script.devices[i]) + ", " +
              pythonText(experiment.model->blocks[first].name) + "),");
  }
  code.dedent();
  code.line("]");
}

void writeStages(Code& code) {
  code.lines(R"(def split_into_stages(blocks):
    """Cuts the chain as in the plan: one module per stage."""
    firsts = {first for _, first in STAGES}
    stages = []
    for name, block in blocks.items():
        if name in firsts:
            stages.append(nn.Sequential())
        stages[-1].append(block)
    return stages
)");
}

void writeBatches(Code& code, const Script& script) {
  const plan::Experiment& experiment = script.experiment;
  code.line("def make_batches():").indent();
  code.line("\"\"\"Random inputs with their labels.\"\"\"");
  code.line("generator = torch.Generator().manual_seed(SEED + 1)");
  if (experiment.data.labels != plan::Labels::Normal) {
    code.line("# Drawn once for all batches.");
    code.line("classes = torch.empty(" + sizes(experiment.outputRows) +
              ", dtype=torch.long).random_(");
    code.line("    0, " + std::to_string(experiment.model->classes) + ", generator=generator");
    code.line(")");
  }
  code.line("for _ in range(BATCHES):").indent();
  code.line("inputs = " + inputsCode(experiment));
  code.line("labels = " + labelsCode(experiment));
  code.line("yield inputs, labels");
  code.dedent();
  code.dedent();
}

void writeTraining(Code& code, const Script& script) {
  const plan::Experiment& experiment = script.experiment;
  code.line("def loss_of(outputs, labels):").indent();
  if (experiment.loss == plan::LossKind::MeanSquaredError) {
    code.line("return F.mse_loss(outputs, labels)");
  } else if (experiment.outputRows.empty()) {
    code.line("return F.cross_entropy(outputs, labels)");
  } else {
    const bool indices = experiment.data.labels == plan::Labels::ClassIndex;
    code.line("# All positions of all samples have equal weight.");
    code.line(std::string("return F.cross_entropy(outputs.flatten(0, -2), labels.flatten(") +
              (indices ? "" : "0, -2") + "))");
  }
  code.dedent();
  code.line().line();
  code.line("def make_optimizer(parameters):").indent();
  code.line("return " + optimizerCode(experiment.optimizer));
  code.dedent();
}

void writeSettings(Code& code, const Script& script) {
  code.line("torch.set_num_threads(" + std::to_string(script.threads()) + ")");
  if (!script.onGpu()) return;
  const std::string allowed = pythonBool(script.experiment.precision == plan::Precision::Tf32);
  code.line("torch.backends.cuda.matmul.allow_tf32 = " + allowed);
  code.line("torch.backends.cudnn.allow_tf32 = " + allowed);
}

void writeReport(Code& code) {
  code.lines(R"py(def report(seconds, losses, as_json):
    if as_json:
        print(json.dumps({"seconds": seconds, "loss": losses}))
        return
    for number, loss in enumerate(losses, start=1):
        print(f"batch {number}: loss {loss:.9g}")
    mean, spread = statistics.fmean(seconds), statistics.pstdev(seconds)
    print(f"{mean:.4g} ± {spread:.2g} s, n = {len(seconds)}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=REPEAT, help="timed repeats (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    return options
)py");
}

}  // namespace stagelane::codegen::detail
