#include "engine/plan/fixed_plan.h"

#include "engine/plan/rows.h"
#include "engine/plan/stage_layout.h"

namespace stagelane::plan {
namespace {

constexpr int kVersion = 1;

/// The stages must match the model, on devices that the experiment lists. Lowering checks later
/// whether their number suits the schedule.
Status fixStages(const Json& stages, const std::string& place, const Experiment& experiment,
                 Variant& variant) {
  STAGELANE_TRY(read, stagesFromJson(*experiment.model, stages, place));
  for (const DeviceId& device : rowsOf(*read)) {
    if (findDevice(experiment.devices, device) == nullptr) {
      return fail(ErrorCode::Invalid,
                  "the experiment does not list the device \"" + device.value + "\"", place);
    }
  }
  setStages(*experiment.model, std::move(*read), variant);
  variant.open.reset();
  return {};
}

}  // namespace

Json fixedPlan(const Experiment& experiment) {
  Json variants = Json::object();
  for (const Variant& variant : experiment.variants) {
    if (variant.open || variant.implicit) continue;
    Json& entry = variants[variant.id];
    entry["stages"] = stagesToJson(*experiment.model, variant.stages);
    if (!variant.order.empty()) entry["order"] = variant.order;
  }
  return {{"stagelane_plan", kVersion}, {"variants", std::move(variants)}};
}

Status applyFixedPlan(const Json& plan, const std::string& source, Experiment& experiment) {
  const bool known = plan.is_object() && plan.value("stagelane_plan", Json()) == Json(kVersion) &&
                     plan.contains("variants") && plan["variants"].is_object();
  if (!known) return fail(ErrorCode::Invalid, "not a plan of this version", source);
  for (Variant& variant : experiment.variants) {
    const auto entry = plan["variants"].find(variant.id);
    if (entry == plan["variants"].end() || !entry->is_object()) continue;
    const std::string place = source + ":" + childPointer("/variants", variant.id);
    if (variant.open && entry->contains("stages")) {
      const Json& stages = (*entry)["stages"];
      STAGELANE_CHECK(fixStages(stages, childPointer(place, "stages"), experiment, variant));
    }
    const auto order = entry->find("order");
    if (hasOpenOrder(variant) && order != entry->end() && order->is_string()) {
      variant.order = order->get<std::string>();
    }
  }
  return {};
}

}  // namespace stagelane::plan
