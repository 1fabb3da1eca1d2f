#include "ui/session/run/run_comparison.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/base/text_member.h"

namespace stagelane::ui {
namespace {

/// Values by pointer: members of objects one by one, lists as a whole, variants by name.
void flatten(const Json& value, const std::string& pointer, std::map<std::string, Json>& out) {
  if (pointer == "/variants" && value.is_array()) {
    for (std::size_t index = 0; index < value.size(); ++index) {
      const Json& variant = value[index];
      const bool named =
          variant.is_object() && variant.contains("name") && variant.at("name").is_string();
      flatten(variant,
              childPointer(pointer,
                           named ? variant.at("name").get<std::string>() : std::to_string(index)),
              out);
    }
  } else if (pointer.empty() && value.is_object() && value.empty()) {
    return;  // an unreadable file has no settings
  } else if (value.is_object() && !value.empty()) {
    for (const auto& [key, member] : value.items()) {
      flatten(member, childPointer(pointer, key), out);
    }
  } else {
    out[pointer] = value;
  }
}

void addFigure(VariantComparison& comparison, const std::string& name, double left, double right) {
  if (left != right) comparison.figures.push_back({name, left, right, {}});
}

void addDevices(VariantComparison& comparison, const record::VariantResult& left,
                const record::VariantResult& right) {
  for (const record::DeviceResult& device : left.devices) {
    const auto* other = findBy(right.devices, &record::DeviceResult::id, device.id);
    if (other == nullptr) continue;
    addFigure(comparison, device.id + " busy_ns", static_cast<double>(device.busyNs),
              static_cast<double>(other->busyNs));
    addFigure(comparison, device.id + " utilisation", device.utilisation, other->utilisation);
    for (const auto& [cause, timeNs] : device.idle) {
      const auto same = other->idle.find(cause);
      addFigure(comparison, device.id + " " + cause + "_ns", static_cast<double>(timeNs),
                same == other->idle.end() ? 0.0 : static_cast<double>(same->second));
    }
    addFigure(comparison, device.id + " transfer_bytes", static_cast<double>(device.transferBytes),
              static_cast<double>(other->transferBytes));
    addFigure(comparison, device.id + " peak_bytes", static_cast<double>(device.peakBytes),
              static_cast<double>(other->peakBytes));
  }
}

/// Possible names of this entry's concrete variants: a sweep appends the schedule, then the split.
bool isOf(const Json& entry, const record::VariantResult& variant) {
  if (!entry.is_object()) return false;
  const std::string id = textMember(entry, "id");
  const std::string base = id.empty() ? slug(textMember(entry, "name")) : id;
  const std::string split = "-s" + std::to_string(variant.splitSize);
  const std::string schedule = "-" + slug(variant.schedule);
  return variant.id == base || variant.id == base + schedule || variant.id == base + split ||
         variant.id == base + schedule + split;
}

/// The experiment's entry of a variant; null for one that the program added.
const Json* entryOf(const record::VariantResult& variant, const Json& experiment) {
  if (!experiment.is_object() || !experiment.contains("variants") ||
      !experiment.at("variants").is_array()) {
    return nullptr;
  }
  const Json& entries = experiment.at("variants");
  return findIf(entries, [&](const Json& entry) { return isOf(entry, variant); });
}

}  // namespace

Json variantSettings(const record::VariantResult& variant, const Json& experiment) {
  // Known from the run itself, or irrelevant to the work.
  static const std::set<std::string> kElsewhere{"id",         "name",      "include",
                                                "strategy",   "schedule",  "device",
                                                "split_size", "placement", "stages"};
  Json settings = {{"strategy", variant.strategy},
                   {"schedule", variant.schedule},
                   {"split_size", variant.splitSize},
                   {"placement", variant.placement}};
  if (const Json* entry = entryOf(variant, experiment)) {
    for (const auto& [key, value] : entry->items()) {
      if (kElsewhere.count(key) == 0) settings[key] = value;
    }
  }
  return settings;
}

std::string significanceWords(const FigureDifference& figure) {
  if (!figure.test) return "spread not known";
  return figure.test->p < kSignificantP ? "beyond the spread" : "within the spread";
}

std::vector<SettingDifference> settingDifferences(const Json& left, const Json& right) {
  std::map<std::string, Json> leftValues;
  std::map<std::string, Json> rightValues;
  flatten(left, "", leftValues);
  flatten(right, "", rightValues);
  std::map<std::string, SettingDifference> differences;
  for (const auto& [pointer, value] : leftValues) {
    const auto other = rightValues.find(pointer);
    if (other == rightValues.end() || other->second != value) {
      differences[pointer] = {pointer, value,
                              other == rightValues.end() ? Json(nullptr) : other->second};
    }
  }
  for (const auto& [pointer, value] : rightValues) {
    if (leftValues.count(pointer) == 0) differences[pointer] = {pointer, nullptr, value};
  }
  std::vector<SettingDifference> list;
  for (auto& [pointer, difference] : differences) list.push_back(std::move(difference));
  return list;
}

VariantComparison compareVariants(const VariantOfRun& leftSide, const VariantOfRun& rightSide) {
  const record::VariantResult& left = leftSide.result;
  const record::VariantResult& right = rightSide.result;
  VariantComparison comparison;
  comparison.settings = settingDifferences(variantSettings(left, leftSide.experiment),
                                           variantSettings(right, rightSide.experiment));
  comparison.leftId = left.id;
  comparison.rightId = right.id;
  comparison.noisy = left.noisy || right.noisy;
  if (!left.seconds.empty() && !right.seconds.empty()) {
    comparison.figures.push_back({"seconds", analysis::summarize(left.seconds).mean,
                                  analysis::summarize(right.seconds).mean,
                                  analysis::welchTest(left.seconds, right.seconds)});
  }
  if (left.stepNs > 0 && right.stepNs > 0) {
    addFigure(comparison, "step_ns", static_cast<double>(left.stepNs),
              static_cast<double>(right.stepNs));
  }
  if (left.speedup && right.speedup) {
    addFigure(comparison, "speedup", *left.speedup, *right.speedup);
  }
  if (!left.loss.empty() && !right.loss.empty()) {
    addFigure(comparison, "last loss", left.loss.back(), right.loss.back());
  }
  addDevices(comparison, left, right);
  return comparison;
}

RunComparison compareRuns(const record::RunResult& left, const Json& leftExperiment,
                          const record::RunResult& right, const Json& rightExperiment) {
  RunComparison comparison;
  comparison.settings = settingDifferences(leftExperiment, rightExperiment);
  const auto find = [](const record::RunResult& run, const std::string& id) {
    return std::find_if(run.variants.begin(), run.variants.end(),
                        [&id](const record::VariantResult& variant) { return variant.id == id; });
  };
  for (const record::VariantResult& variant : left.variants) {
    const auto other = find(right, variant.id);
    if (other == right.variants.end()) {
      comparison.onlyLeft.push_back(variant.id);
    } else {
      comparison.variants.push_back(
          compareVariants({variant, leftExperiment}, {*other, rightExperiment}));
    }
  }
  for (const record::VariantResult& variant : right.variants) {
    if (find(left, variant.id) == left.variants.end()) comparison.onlyRight.push_back(variant.id);
  }
  return comparison;
}

Json toJson(const SettingDifference& setting) {
  return {{"pointer", setting.pointer}, {"left", setting.left}, {"right", setting.right}};
}

Json toJson(const VariantComparison& variant) {
  Json json = {{"left", variant.leftId},
               {"right", variant.rightId},
               {"noisy", variant.noisy},
               {"settings", Json::array()},
               {"figures", Json::array()}};
  for (const SettingDifference& setting : variant.settings) {
    json["settings"].push_back(toJson(setting));
  }
  for (const FigureDifference& figure : variant.figures) {
    Json entry = {{"name", figure.name},
                  {"left", figure.left},
                  {"right", figure.right},
                  {"delta", figure.right - figure.left}};
    if (figure.left != 0.0) entry["delta_pct"] = 100.0 * (figure.right - figure.left) / figure.left;
    if (figure.test) {
      entry["t"] = figure.test->t;
      entry["degrees_of_freedom"] = figure.test->degreesOfFreedom;
      entry["p"] = figure.test->p;
      entry["significant"] = figure.test->p < kSignificantP;
    }
    json["figures"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace stagelane::ui
