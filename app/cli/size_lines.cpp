#include "app/cli/size_lines.h"

#include <algorithm>
#include <set>

#include "engine/base/ids.h"
#include "engine/plan/device.h"

namespace stagelane::app {
namespace {

/// "torch.Size([15, 5])", as PyTorch prints the sizes of a tensor.
std::string sizeText(const Json& sizes) {
  std::string text;
  for (const Json& size : sizes) text += (text.empty() ? "" : ", ") + size.dump();
  return "torch.Size([" + text + "])";
}

bool hasSizes(const Json& part) {
  return part.is_object() && part.contains("input") && part["input"].is_array() &&
         part.contains("output") && part["output"].is_array();
}

bool isComplete(const Json& event) {
  const auto hasDevice = [](const Json& replica) {
    return hasSizes(replica) && replica.contains("device") && replica["device"].is_string();
  };
  return hasSizes(event) && event.contains("batch") && event.contains("replicas") &&
         event["replicas"].is_array() &&
         std::all_of(event["replicas"].begin(), event["replicas"].end(), hasDevice);
}

/// "Let's use 2 GPUs!".
std::string devicesLine(const Json& replicas) {
  std::set<std::string> ids;
  for (const Json& replica : replicas) ids.insert(replica["device"].get<std::string>());
  const auto are = [&ids](bool (*kind)(const DeviceId&)) {
    return std::all_of(ids.begin(), ids.end(),
                       [kind](const std::string& id) { return kind(DeviceId{id}); });
  };
  const std::string noun = are(plan::isGpu) ? "GPU" : are(plan::isCpuWorker) ? "worker" : "device";
  return "Let's use " + std::to_string(ids.size()) + " " + noun + (ids.size() == 1 ? "" : "s") +
         "!\n";
}

}  // namespace

std::string sizeLines(const Json& event) {
  if (!isComplete(event)) return {};
  std::string text = event["batch"] == 0 ? devicesLine(event["replicas"]) : std::string();
  for (const Json& replica : event["replicas"]) {
    text += "\tIn Model: input size " + sizeText(replica["input"]) + " output size " +
            sizeText(replica["output"]) + "\n";
  }
  return text + "Outside: input size " + sizeText(event["input"]) + " output_size " +
         sizeText(event["output"]) + "\n";
}

}  // namespace stagelane::app
