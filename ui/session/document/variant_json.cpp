#include "ui/session/document/variant_json.h"

#include <algorithm>

namespace stagelane::ui {
namespace {

constexpr std::string_view kSameAs = "same as:";

}  // namespace

const Json* variantAt(const Json& document, std::size_t index) {
  if (!document.is_object() || !document.contains("variants")) return nullptr;
  const Json& variants = document["variants"];
  return variants.is_array() && index < variants.size() && variants[index].is_object()
             ? &variants[index]
             : nullptr;
}

const plan::StrategyRow& strategyOf(const Json& variant) {
  return plan::strategyRow(textMember(variant, "strategy", plan::strategies().front().name));
}

Json onlySingle() {
  const std::string_view name = plan::singleStrategy().name;
  return Json::array({Json{{"name", name}, {"strategy", name}}});
}

std::string sameAs(std::string_view name) { return std::string(kSameAs) + " " + std::string(name); }

std::optional<std::string> referenceIn(std::string_view placement) {
  if (placement.substr(0, kSameAs.size()) != kSameAs) return std::nullopt;
  const std::size_t begin = placement.find_first_not_of(' ', kSameAs.size());
  return begin == std::string_view::npos ? std::string() : std::string(placement.substr(begin));
}

const Json* variantCalled(const Json& variants, const std::string& reference) {
  for (const char* key : {"name", "id"}) {
    const auto found = std::find_if(variants.begin(), variants.end(), [&](const Json& variant) {
      return !reference.empty() && textMember(variant, key) == reference;
    });
    if (found != variants.end()) return &*found;
  }
  return nullptr;
}

const Json& placedBy(const Json& variants, const Json& variant) {
  const Json* here = &variant;
  // At most as many steps as variants: a longer chain is a cycle.
  for (std::size_t step = 0; step < variants.size(); ++step) {
    const auto reference = referenceIn(textMember(*here, "placement"));
    const Json* next = reference ? variantCalled(variants, *reference) : nullptr;
    if (next == nullptr) break;
    here = next;
  }
  return *here;
}

void forEachDevice(Json& variant, const std::function<void(Json& name)>& act) {
  if (!variant.is_object()) return;
  if (const auto device = variant.find("device"); device != variant.end()) act(*device);
  const auto placement = variant.find("placement");
  if (placement != variant.end() && placement->is_object()) {
    for (auto& entry : placement->items()) act(entry.value());
  }
  const auto stages = variant.find("stages");
  if (stages != variant.end() && stages->is_array()) {
    for (Json& stage : *stages) {
      if (!stage.is_object() || !stage.contains("device")) continue;
      Json& device = stage["device"];
      if (!device.is_array()) {
        act(device);
        continue;
      }
      for (Json& replica : device) act(replica);
    }
  }
}

}  // namespace stagelane::ui
