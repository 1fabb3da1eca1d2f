
#include "engine/base/find.h"
#include "engine/base/json.h"
#include "engine/codegen/forms.h"

namespace stagelane::codegen::detail {
namespace {

/// accelerate's name of the device: a number for a GPU, `cpu` for all CPU workers.
Result<Json> mapDevice(const DeviceId& id, std::vector<std::string>& notes) {
  STAGELANE_TRY(parsed, plan::parseDevice(id));
  const auto note = [&notes](std::string words) {
    if (!contains(notes, words)) notes.push_back(std::move(words));
  };
  if (parsed->rank > 0) {
    return fail(ErrorCode::Invalid,
                "a device map describes one process, but " + id.value + " belongs to another",
                "--as device-map", "Use --as pipelining");
  }
  if (parsed->kind == plan::DeviceKind::CpuWorker) {
    note(
        "accelerate has one CPU device: all CPU workers of the plan are \"cpu\" in its device map");
    return Json("cpu");
  }
  if (parsed->kind == plan::DeviceKind::GpuPartition) {
    note("accelerate uses whole GPUs: the partitions of a GPU are one device in its device map");
  }
  return Json(parsed->index);
}

}  // namespace

Result<std::string> deviceMap(const plan::Variant& variant, std::vector<std::string>& notes) {
  Json map = Json::object();
  for (const auto& [prefix, device] : variant.placement.items()) {
    STAGELANE_TRY(value, mapDevice({device.get<std::string>()}, notes));
    map[prefix] = std::move(*value);
  }
  return map.dump(2) + "\n";
}

}  // namespace stagelane::codegen::detail
