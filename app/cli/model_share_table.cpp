#include "app/cli/model_share_table.h"

#include <algorithm>
#include <set>
#include <vector>

#include "app/terminal/console.h"
#include "engine/base/find.h"

namespace stagelane::app {
namespace {

using record::DeviceResult;
using record::RunResult;
using record::VariantResult;

/// "10 layers, 5130 parameters".
std::string shareText(const DeviceResult& device) {
  const auto counted = [](std::int64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  return counted(device.layers, "layer") + ", " + counted(device.parameters, "parameter");
}

std::vector<std::string> sharesOf(const VariantResult& variant,
                                  const std::vector<std::string>& devices) {
  std::vector<std::string> shares;
  for (const std::string& id : devices) {
    const DeviceResult* device = findBy(variant.devices, &DeviceResult::id, id);
    shares.push_back(device == nullptr || device->parameters == 0 ? "-" : shareText(*device));
  }
  return shares;
}

bool isShown(const RunResult& run) {
  std::set<std::vector<std::string>> shares;
  for (const VariantResult& variant : run.variants) {
    if (variant.replicas > 1) return true;
    if (variant.devices.size() > 1) shares.insert(sharesOf(variant, run.devices));
  }
  return shares.size() > 1;
}

}  // namespace

std::string modelShareTable(const RunResult& run) {
  if (!isShown(run)) return {};
  std::vector<std::string> head{"variant", "replicas"};
  head.insert(head.end(), run.devices.begin(), run.devices.end());
  std::vector<std::vector<std::string>> rows{head};
  for (const VariantResult& variant : run.variants) {
    rows.push_back({variant.name, std::to_string(variant.replicas)});
    for (std::string& share : sharesOf(variant, run.devices)) {
      rows.back().push_back(std::move(share));
    }
  }
  return formatTable(rows) + "\n";
}

}  // namespace stagelane::app
