#include <algorithm>
#include <map>
#include <set>

#include "engine/codegen/forms.h"
#include "engine/model/shapes.h"
#include "engine/plan/stages.h"
#include "engine/schedule/methods.h"
#include "engine/schedule/text_forms.h"

namespace stagelane::codegen::detail {
namespace {

/// These classes take one stage, the others a list.
bool takesOneStage(const std::string& scheduleClass) {
  return scheduleClass == "ScheduleGPipe" || scheduleClass == "Schedule1F1B";
}

/// Whether PyTorch's class accepts the number of micro-batches. Its constructor raises ValueError
/// otherwise, although the order is valid: the runtime that loads a CSV file runs it.
/// @source torch/distributed/pipelining/schedules.py, PyTorch 2.11
bool acceptsMicroBatches(std::string_view scheduleClass, const schedule::Schedule& schedule) {
  const int m = schedule.microBatches;
  if (scheduleClass == "Schedule1F1B" || scheduleClass == "ScheduleDualPipeV") {
    return m >= schedule.stages;
  }
  const bool inRounds = scheduleClass == "ScheduleInterleaved1F1B" ||
                        scheduleClass == "ScheduleInterleavedZeroBubble";
  return !inRounds || m % std::max(1, m / schedule.devices) == 0;
}

constexpr std::string_view kQuietStage = R"(class Stage(PipelineStage):
    """Without the initial exchange between neighbors: only NCCL needs it, and Gloo cannot
    send to the same process, which has both stages at the bottom of a V."""

    def _get_init_p2p_neighbors_ops(self):
        return []

)";

class PipeliningWriter {
 public:
  PipeliningWriter(Script script, const schedule::LoweredSchedule& lowered)
      : m_script(std::move(script)), m_schedule(lowered.source) {
    const schedule::Method* method = schedule::methodNamed(m_script.variant.schedule);
    if (method != nullptr && isLaidOutForClass() &&
        acceptsMicroBatches(method->torchClass, m_schedule)) {
      m_class = method->torchClass;
    }
    for (int stage = 1; stage < m_schedule.stages; ++stage) {
      m_selfNeighbors = m_selfNeighbors || row(stage - 1) == row(stage);
    }
  }

  [[nodiscard]] Status check() const;
  [[nodiscard]] std::string write();

 private:
  [[nodiscard]] int row(int stage) const { return m_schedule.rows.row(stage); }
  [[nodiscard]] bool isLaidOutForClass() const;
  /// Rows that hold a copy of a shared parameter, by owner; only parameters on several rows.
  [[nodiscard]] std::map<std::string, std::set<int>> sharedByRows() const;
  [[nodiscard]] std::vector<std::string> imports() const;
  void writePlan();
  void writeTensors();
  void writeClip();
  void writeTrain();
  void writeStep();
  void writeMain();

  Script m_script;
  const schedule::Schedule& m_schedule;
  std::string m_class;  ///< "" for the CSV loader
  bool m_selfNeighbors = false;
  Code m_code;
};

/// PyTorch's schedules number losses in the order of the last stage's forwards. Renumber the
/// micro-batches accordingly; they are interchangeable, so the schedule is equivalent.
schedule::Schedule numberedByLoss(schedule::Schedule schedule) {
  std::map<int, int> numbers;
  for (const std::vector<schedule::Action>& row : schedule.actions) {
    for (const schedule::Action& action : row) {
      if (action.kind != ActionKind::Forward || action.stage.value != schedule.stages - 1) continue;
      const auto next = static_cast<int>(numbers.size());
      numbers.emplace(action.microBatch.value, next);
    }
  }
  for (std::vector<schedule::Action>& row : schedule.actions) {
    for (schedule::Action& action : row) {
      action.microBatch.value = numbers.at(action.microBatch.value);
    }
  }
  return schedule;
}

/// GPipe and 1F1B require stage s on rank s; the other classes define their own layout.
bool PipeliningWriter::isLaidOutForClass() const {
  const schedule::ScheduleLayout layout = schedule::layoutOf(m_script.variant.schedule);
  const bool v = layout.layout == schedule::StageLayout::V;
  const int chunks = m_schedule.stages / m_schedule.devices;
  const bool loops = layout.layout == schedule::StageLayout::Loop;
  if (m_schedule.stages % m_schedule.devices != 0 || (!v && !loops && chunks != 1)) return false;
  return m_schedule.rows ==
         schedule::rowsOfStages(v ? schedule::StageLayout::V : schedule::StageLayout::Loop,
                                m_schedule.devices, chunks);
}

std::map<std::string, std::set<int>> PipeliningWriter::sharedByRows() const {
  std::map<std::string, std::set<int>> shared;
  for (const auto& [name, stages] :
       plan::sharedParameters(*m_script.experiment.model, m_script.variant.stages)) {
    std::set<int> rows;
    for (const int stage : stages) rows.insert(row(stage));
    if (rows.size() > 1) shared[name] = rows;
  }
  return shared;
}

tl::unexpected<Error> cannot(const std::string& what, const std::string& hint) {
  return fail(ErrorCode::Invalid, "torch.distributed.pipelining " + what, "--as pipelining", hint);
}

Status PipeliningWriter::check() const {
  const plan::Experiment& experiment = m_script.experiment;
  const std::int64_t split = m_script.variant.splitSize;
  if (!m_script.trains()) {
    return cannot("supports training only, but the task is infer", "Use --as tutorial");
  }
  if (split > 0 && experiment.data.batchSize % split != 0) {
    return cannot("needs micro-batches of equal size, but split_size " + std::to_string(split) +
                      " leaves a remainder of " +
                      std::to_string(experiment.data.batchSize % split) + " of the batch of " +
                      std::to_string(experiment.data.batchSize),
                  "Use a split_size that divides the batch, or use --as tutorial");
  }
  if (m_script.variant.recompute != plan::Recompute::Never) {
    return cannot("keeps the activations of a forward, but the variant recomputes them",
                  "Set recompute to \"never\", or use --as tutorial");
  }
  if (experiment.memoryFormat == plan::MemoryFormat::ChannelsLast) {
    return cannot(
        "receives tensors in the contiguous format, but the experiment uses channels_last",
        "Set memory_format to \"contiguous\", or use --as tutorial");
  }
  if (experiment.precision == plan::Precision::Bf16) {
    return cannot("needs the types between stages in advance, but autocast determines them",
                  "Set precision to \"fp32\", or use --as tutorial");
  }
  if (experiment.clipGradNorm && !sharedByRows().empty()) {
    return cannot("clips gradients in each process, but a parameter is on several processes",
                  "Remove clip_grad_norm, or the shared parameters");
  }
  return {};
}

std::vector<std::string> PipeliningWriter::imports() const {
  std::vector<std::string> lines{"import argparse", "import json", "import statistics"};
  if (m_class.empty()) lines.emplace_back("import tempfile");
  for (const char* each : {"import time", "", "import torch", "import torch.distributed as dist",
                           "import torch.nn.functional as F", "from torch import nn"}) {
    lines.emplace_back(each);
  }
  if (m_class.empty()) {
    lines.emplace_back("from torch.distributed.pipelining import PipelineStage");
    lines.emplace_back(
        "from torch.distributed.pipelining.schedules import _PipelineScheduleRuntime");
  } else {
    lines.push_back("from torch.distributed.pipelining import PipelineStage, " + m_class);
  }
  lines.emplace_back();
  return lines;
}

void PipeliningWriter::writePlan() {
  const std::vector<int>& rowOfStage = m_schedule.rows.rowOfStage();
  const std::vector<std::int64_t> rows(rowOfStage.begin(), rowOfStage.end());
  m_code.line("# The process of each stage.");
  m_code.line("RANKS = " + pythonTuple(rows));
  if (!m_class.empty()) return;
  m_code.line().line("# The actions of each process in order: stage, kind, micro-batch. F is a");
  m_code.line("# forward, B a backward; I and W are its input and weight halves.");
  m_code.line("SCHEDULE = \"\"\"\\");
  m_code.lines(schedule::toCsv(numberedByLoss(m_schedule))).line("\"\"\"");
}

/// Lists the shapes explicitly, because detecting them with a trial forward would change the
/// running statistics of batch norm.
void PipeliningWriter::writeTensors() {
  const plan::Experiment& experiment = m_script.experiment;
  const auto shapes = experiment.shapesAt(
      m_script.variant.splitSize > 0 ? m_script.variant.splitSize : experiment.data.batchSize);
  m_code.line("# Shapes for one micro-batch: the input of each stage, and the output of the last.");
  m_code.line("SHAPES = [").indent();
  for (const plan::Stage& stage : m_script.variant.stages) {
    const model::Shape& before = stage.firstBlock == 0
                                     ? (*shapes)->input
                                     : (*shapes)->blocks[stage.firstBlock - 1].outputShapes.front();
    m_code.line(pythonTuple(before) + ",");
  }
  m_code.line(pythonTuple((*shapes)->blocks.back().outputShapes.front()) + ",");
  m_code.dedent();
  m_code.line("]");
}

void PipeliningWriter::writeClip() {
  if (!m_script.experiment.clipGradNorm) return;
  m_code.line().line().lines(R"(def clip_gradients(parameters, largest):
    """Like torch.nn.utils.clip_grad_norm_, over the gradients of all processes."""
    squares = torch.zeros((), dtype=DTYPE, device=parameters[0].device if parameters else None)
    for parameter in parameters:
        squares += parameter.grad.square().sum()
    dist.all_reduce(squares)
    factor = (largest / (squares.sqrt() + 1e-6)).clamp(max=1.0)
    for parameter in parameters:
        parameter.grad.mul_(factor)
)");
}

void PipeliningWriter::writeStep() {
  const std::map<std::string, std::set<int>> shared = sharedByRows();
  m_code.line("if optimizer:").line("    optimizer.zero_grad()");
  m_code.line("parts = []");
  m_code.line("# Only the first stage needs inputs, and only the last one needs labels.");
  m_code.line("given = (inputs.to(device),) if RANKS[0] == rank else ()");
  m_code.line("wanted = {\"target\": labels.to(device)} if RANKS[-1] == rank else {}");
  m_code.line("schedule.step(*given, **wanted, losses=parts)");
  if (!shared.empty()) {
    m_code.line("# Sum the gradients of the copies of a shared parameter.");
    m_code.line("for parameter, group in shared:")
        .line("    dist.all_reduce(parameter.grad, group=group)");
  }
  if (m_script.experiment.clipGradNorm) {
    m_code.line("clip_gradients(parameters, " + pythonNumber(*m_script.experiment.clipGradNorm) +
                ")");
  }
  m_code.line("if optimizer:").line("    optimizer.step()");
  m_code.line("if parts:").line("    losses.append(torch.stack(parts).sum())");
}

void PipeliningWriter::writeTrain() {
  const std::map<std::string, std::set<int>> shared = sharedByRows();
  const bool gpu = m_script.onGpu();
  const bool steady = m_script.experiment.timing == plan::Timing::Steady;
  m_code.line(shared.empty() ? "def train(rank, device):" : "def train(rank, device, groups):");
  m_code.indent();
  m_code.line(
      "\"\"\"Trains from the initial values. Returns seconds and, on the last stage, "
      "losses.\"\"\"");
  m_code.line("blocks = build_blocks()");
  m_code.line("modules = split_into_stages(blocks)");
  m_code.line("stages = [").indent();
  m_code.line(std::string(m_selfNeighbors && !gpu ? "Stage" : "PipelineStage") + "(").indent();
  m_code.line("modules[index].to(device), index, len(STAGES), device,");
  m_code.line("input_args=(stage_input(index),), output_args=(stage_input(index + 1),),");
  m_code.dedent().line(")").line("for index in range(len(STAGES)) if RANKS[index] == rank");
  m_code.dedent().line("]");
  if (!shared.empty()) {
    m_code.line("shared = [").indent();
    std::size_t group = 0;
    for (const auto& [name, rows] : shared) {
      m_code.line("(" + m_script.model.tied.at(name) + ", groups[" + std::to_string(group++) +
                  "]),");
    }
    m_code.dedent().line("]");
    m_code.line(
        "shared = [(parameter, group) for parameter, group in shared if "
        "group is not NOT_MEMBER]");
  }
  m_code.line("schedule = make_schedule(stages)");
  m_code.line("parameters = list(nn.ModuleList([stage.submod for stage in stages]).parameters())");
  m_code.line("optimizer = make_optimizer(parameters) if parameters else None");
  if (steady) m_code.line("batches = list(make_batches())");
  m_code.line("dist.barrier()").line("begin = time.perf_counter()").line("losses = []");
  m_code.line(steady ? "for inputs, labels in batches:" : "for inputs, labels in make_batches():");
  m_code.indent();
  writeStep();
  m_code.dedent();
  if (gpu) m_code.line("torch.cuda.synchronize(device)");
  m_code.line("dist.barrier()");
  m_code.line("return time.perf_counter() - begin, [loss.item() for loss in losses]");
  m_code.dedent();
}

void PipeliningWriter::writeMain() {
  const bool gpu = m_script.onGpu();
  m_code.line().line().line("def main():").indent();
  m_code.line("options = parse_arguments()");
  writeSettings(m_code, m_script);
  m_code.line(std::string("dist.init_process_group(\"") + (gpu ? "nccl" : "gloo") + "\")");
  m_code.line("rank = dist.get_rank()");
  m_code.line("if dist.get_world_size() != " + std::to_string(m_schedule.devices) + ":");
  m_code.line("    raise SystemExit(\"run this plan with torchrun --nproc-per-node " +
              std::to_string(m_schedule.devices) + "\")");
  m_code.line("device = torch.device(STAGES[RANKS.index(rank)][0])");
  if (gpu) m_code.line("torch.cuda.set_device(device)");
  std::string arguments = "rank, device";
  if (const auto shared = sharedByRows(); !shared.empty()) {
    m_code.line("# Every process must create every group.");
    m_code.line("groups = [").indent();
    for (const auto& [name, rows] : shared) {
      m_code.line("dist.new_group(" + pythonTuple({rows.begin(), rows.end()}) + "),");
    }
    m_code.dedent().line("]");
    arguments += ", groups";
  }
  m_code.line("for _ in range(WARMUP):").line("    train(" + arguments + ")");
  m_code.line("runs = [train(" + arguments + ") for _ in range(options.repeat)]");
  m_code.line("if RANKS[-1] == rank:");
  m_code.line("    report([seconds for seconds, _ in runs], runs[0][1], options.json)");
  m_code.line("dist.destroy_process_group()");
  m_code.dedent();
  m_code.line().line().line("if __name__ == \"__main__\":").line("    main()");
}

std::string PipeliningWriter::write() {
  const std::string processes = std::to_string(m_schedule.devices);
  writeHead(m_code, m_script,
            "torchrun --nproc-per-node " + processes + " FILE [--repeat N] [--json]", imports());
  writeConstants(m_code, m_script);
  writePlan();
  writeTensors();
  if (!sharedByRows().empty()) m_code.line().line("NOT_MEMBER = dist.GroupMember.NON_GROUP_MEMBER");
  m_code.line().line().lines(m_script.model.classes);
  if (m_selfNeighbors && !m_script.onGpu()) m_code.lines(kQuietStage);
  m_code.lines(m_script.model.buildFunction).line().line();
  writeStages(m_code);
  const std::string type =
      m_script.experiment.model->vocabulary > 0 ? "torch.long if index == 0 else DTYPE" : "DTYPE";
  m_code.line().line().line("def stage_input(index):");
  m_code.line("    return torch.empty(SHAPES[index], dtype=" + type + ", device=\"meta\")");
  m_code.line().line();
  writeBatches(m_code, m_script);
  m_code.line().line();
  writeTraining(m_code, m_script);
  writeClip();
  const std::string pieces = std::to_string(m_script.microBatches);
  m_code.line().line().line("def make_schedule(stages):").indent();
  m_code.line("def part_of_loss(outputs, labels):");
  m_code.line("    return loss_of(outputs, labels) / " + pieces).line();
  const Expression made =
      callOf(m_class.empty() ? "_PipelineScheduleRuntime" : m_class,
             {leaf(takesOneStage(m_class) ? "stages[0]" : "stages"), leaf(pieces),
              leaf("loss_fn=part_of_loss"), leaf("scale_grads=False")});
  m_code.assign("schedule", made);
  if (m_class.empty()) {
    m_code.line("with tempfile.NamedTemporaryFile(\"w\", suffix=\".csv\") as file:").indent();
    m_code.line("file.write(SCHEDULE)").line("file.flush()").line("schedule._load_csv(file.name)");
    m_code.dedent();
  }
  m_code.line("return schedule");
  m_code.dedent().line().line();
  writeTrain();
  m_code.line().line();
  writeReport(m_code);
  writeMain();
  return m_code.text();
}

}  // namespace

Result<std::string> pipeliningScript(Script script, const schedule::LoweredSchedule& lowered) {
  PipeliningWriter writer(std::move(script), lowered);
  STAGELANE_CHECK(writer.check());
  return writer.write();
}

}  // namespace stagelane::codegen::detail
