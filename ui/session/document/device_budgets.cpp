#include "ui/session/document/device_budgets.h"

#include "engine/base/text.h"

namespace stagelane::ui {

std::map<std::string, Bytes> deviceBudgets(const Json& experiment) {
  std::map<std::string, Bytes> budgets;
  const auto devices = experiment.is_object() ? experiment.find("devices") : experiment.end();
  if (devices == experiment.end() || !devices->is_array()) return budgets;
  for (const Json& device : *devices) {
    const bool known = device.is_object() && device.value("id", Json()).is_string();
    const Json limit = known ? device.value("max_memory", Json()) : Json();
    if (limit.is_number_integer()) {
      budgets[device["id"].get<std::string>()] = limit.get<Bytes>();
    } else if (limit.is_string()) {
      if (const auto bytes = parseBytes(limit.get<std::string>())) {
        budgets[device["id"].get<std::string>()] = *bytes;
      }
    }
  }
  return budgets;
}

}  // namespace stagelane::ui
