#include "engine/codegen/code_export.h"

#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/codegen/forms.h"
#include "engine/plan/rows.h"
#include "engine/predict/simulator.h"
#include "engine/predict/variant_schedule.h"
#include "engine/schedule/methods.h"

namespace stagelane::codegen {
namespace {

constexpr const char* kPlace = "--as";

/// PyTorch's name of the device, for a script of the form. @errors Invalid
Result<std::string> torchDevice(const DeviceId& id, CodeForm form,
                                std::vector<std::string>& notes) {
  STAGELANE_TRY(parsed, plan::parseDevice(id));
  const bool oneProcess = form == CodeForm::Tutorial;
  if (parsed->rank > 0 && oneProcess) {
    return fail(ErrorCode::Invalid,
                id.value + " belongs to another process, but the script has only one", kPlace,
                "Use --as pipelining");
  }
  if (parsed->kind == plan::DeviceKind::CpuWorker) return std::string("cpu");
  if (parsed->kind == plan::DeviceKind::GpuPartition) {
    if (!oneProcess) {
      return fail(ErrorCode::Invalid,
                  id.value + " is a part of a GPU, but NCCL needs a GPU per process", kPlace,
                  "Use whole GPUs, or --as tutorial");
    }
    notes.push_back(id.value +
                    " is a part of a GPU, which PyTorch cannot address: its stages run on " +
                    "the whole GPU.");
  }
  return "cuda:" + std::to_string(parsed->index);
}

Status refuseImagined(const plan::Variant& variant) {
  for (const DeviceId& row : plan::rowsOf(variant)) {
    const auto parsed = plan::parseDevice(row);
    if (parsed && parsed->kind != plan::DeviceKind::Imagined) continue;
    return fail(ErrorCode::Invalid,
                "the device " + row.value + " is imagined, but code needs real devices",
                variant.pointer, "Move its blocks to a real device");
  }
  return {};
}

Status checkPlan(const plan::Experiment& experiment, const plan::Variant& variant) {
  if (!plan::strategyRow(variant.strategy).exported) {
    return fail(ErrorCode::Invalid,
                "code of the strategy " + std::string(plan::word(variant.strategy)) +
                    " is not available in this version",
                variant.pointer,
                "Export a " + plan::inWords(plan::strategyNames(&plan::StrategyRow::exported)) +
                    " variant");
  }
  if (variant.stages.empty()) {
    return fail(ErrorCode::Invalid, "the variant has no placement", variant.pointer,
                "Assign every block to a device");
  }
  const bool split = variant.splitSize > 0 && variant.splitSize < experiment.data.batchSize;
  if (split && experiment.batchNorm == plan::BatchNormMode::Deferred) {
    return fail(ErrorCode::Invalid,
                "PyTorch's batch norm updates its statistics per micro-batch, but the "
                "experiment updates them per batch",
                "/batch_norm", "Set it to \"running\" for the export");
  }
  return refuseImagined(variant);
}

/// In one process a parameter can be on one device only.
Status checkShared(const plan::Experiment& experiment, const detail::Script& script) {
  for (const auto& [name, stages] :
       plan::sharedParameters(*experiment.model, script.variant.stages)) {
    std::set<std::string> places;
    for (const int stage : stages) places.insert(script.devices[static_cast<std::size_t>(stage)]);
    if (places.size() < 2) continue;
    return fail(ErrorCode::Invalid,
                "the parameter " + name +
                    " is used on several devices, but a module in one "
                    "process has it on only one",
                kPlace, "Use --as pipelining, or move its blocks to one device");
  }
  return {};
}

bool isTutorialOrder(const plan::Variant& variant) {
  const schedule::Method* method = schedule::methodNamed(variant.schedule);
  return !plan::strategyRow(variant.strategy).pipelined ||
         (method != nullptr && method->lossMode == schedule::LossMode::WholeBatch);
}

void addNotes(const plan::Experiment& experiment, CodeForm form, detail::Script& script) {
  const auto workers = static_cast<std::size_t>(
      std::count(script.devices.begin(), script.devices.end(), std::string("cpu")));
  if (form == CodeForm::Tutorial && workers > 1) {
    script.notes.emplace_back(
        "CPU workers are threads of Stagelane. In PyTorch they are one device, so their stages "
        "take turns in this script.");
  }
  if (form == CodeForm::Tutorial && !isTutorialOrder(script.variant)) {
    script.notes.push_back(
        "The plan's schedule is " + script.variant.schedule +
        ". In one process, autograd runs all backwards after all forwards: loss and gradients are "
        "the same, but time and memory differ. `stagelane export --as pipelining` keeps the "
        "order.");
  }
  if (script.model.dropout && script.trains()) {
    script.notes.emplace_back(
        "The model has dropout, and PyTorch draws other masks than Stagelane, so the losses "
        "differ.");
  }
  if (script.microBatches > 1 && script.trains() &&
      std::any_of(experiment.model->layers.begin(), experiment.model->layers.end(),
                  [](const model::Layer& layer) {
                    return std::holds_alternative<model::BatchNorm2d>(layer.spec);
                  })) {
    script.notes.emplace_back(
        "Batch norm normalizes each micro-batch separately, so training differs from that of the "
        "unsplit batch.");
  }
}

Result<detail::Script> scriptOf(const plan::Experiment& experiment, const plan::Variant& variant,
                                CodeForm form) {
  const plan::DataSpec& data = experiment.data;
  if (data.samples != data.batchSize * data.batches) {
    return fail(ErrorCode::Invalid, "the exported code has batches of one size only",
                "/data/samples",
                "Use a multiple of " + std::to_string(data.batchSize) + ", or \"batches\" instead");
  }
  detail::Script script{experiment, variant, {}, {}, {}, 1};
  std::set<std::size_t> starts;
  for (const plan::Stage& stage : variant.stages) {
    STAGELANE_TRY(device, torchDevice(stage.group.first(), form, script.notes));
    script.devices.push_back(std::move(*device));
    starts.insert(stage.firstBlock);
  }
  script.model = detail::modelCode(*experiment.model, starts);
  const auto sizes = plan::microBatchSizes(experiment.data.batchSize, variant.splitSize);
  script.microBatches = std::max<std::size_t>(sizes.size(), 1);
  addNotes(experiment, form, script);
  return script;
}

Result<std::string> pipelining(const detail::Script& script) {
  const bool mixed = script.onGpu() && std::count(script.devices.begin(), script.devices.end(),
                                                  std::string("cpu")) > 0;
  if (mixed) {
    return fail(ErrorCode::Invalid,
                "processes on CPU workers and on GPUs have no common transport for tensors", kPlace,
                "Use devices of one kind, or --as tutorial");
  }
  STAGELANE_TRY(lowered, predict::lowerVariant(script.experiment, script.variant));
  return detail::pipeliningScript(script, *lowered);
}

}  // namespace

std::string_view word(CodeForm form) {
  switch (form) {
    case CodeForm::Tutorial: return "tutorial";
    case CodeForm::Pipelining: return "pipelining";
    case CodeForm::DeviceMap: return "device-map";
  }
  return "";
}

std::optional<CodeForm> codeFormFrom(std::string_view text) {
  for (const CodeForm form : kCodeForms) {
    if (word(form) == text) return form;
  }
  return {};
}

std::string_view fileEnding(CodeForm form) { return form == CodeForm::DeviceMap ? ".json" : ".py"; }

Result<ExportedCode> exportCode(const plan::Experiment& experiment, const plan::Variant& variant,
                                CodeForm form) {
  STAGELANE_CHECK(checkPlan(experiment, variant));
  STAGELANE_CHECK(schedule::requireSingle(plan::stageRowsOf(variant.stages)));
  ExportedCode code;
  if (form == CodeForm::DeviceMap) {
    STAGELANE_TRY(map, detail::deviceMap(variant, code.notes));
    code.text = std::move(*map);
    return code;
  }
  STAGELANE_TRY(script, scriptOf(experiment, variant, form));
  code.notes = script->notes;
  if (form == CodeForm::Pipelining) {
    STAGELANE_TRY(text, pipelining(*script));
    code.text = std::move(*text);
    return code;
  }
  STAGELANE_CHECK(checkShared(experiment, *script));
  code.text = detail::tutorialScript(*script);
  return code;
}

Result<const plan::Variant*> variantToExport(const plan::Experiment& experiment,
                                             const std::string& id) {
  std::vector<std::string> ids;
  const plan::Variant* only = nullptr;
  for (const plan::Variant& variant : experiment.variants) {
    if (variant.id == id) return &variant;
    if (variant.implicit) continue;
    only = &variant;
    ids.push_back(variant.id);
  }
  if (id.empty() && ids.size() == 1) return only;
  const std::string list = "One of: " + joined(ids);
  if (id.empty()) {
    return fail(ErrorCode::Invalid, "the experiment has several variants", "--variant", list);
  }
  const std::string near = nearest(id, ids);
  return fail(ErrorCode::Invalid, "unknown variant \"" + id + "\"", "--variant",
              near.empty() ? list : "Did you mean " + near + "? " + list);
}

}  // namespace stagelane::codegen
