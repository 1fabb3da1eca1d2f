#include "app/cli/compare_text.h"

#include <array>
#include <cstdio>
#include <vector>

#include "app/terminal/console.h"
#include "engine/base/text.h"
#include "engine/base/visible_text.h"

namespace stagelane::app {
namespace {

using Table = std::vector<std::vector<std::string>>;

std::string time(TimeNs timeNs) { return humanTime(static_cast<double>(timeNs)); }

std::string change(TimeNs deltaNs) {
  if (deltaNs == 0) return "0";
  return (deltaNs > 0 ? "+" : "-") + time(deltaNs > 0 ? deltaNs : -deltaNs);
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string percent(double left, double right) {
  std::array<char, 32> text{};
  if (left == 0.0) return "";
  std::snprintf(text.data(), text.size(), "%+.1f %%", 100.0 * (right - left) / left);
  return text.data();
}

std::string causesTable(const analysis::StepComparison& comparison) {
  Table rows{{"device", "cause", "left", "right", "change"}};
  for (const analysis::DeviceDelta& device : comparison.devices) {
    for (std::size_t index = 0; index < analysis::kCauseCount; ++index) {
      const TimeNs left = device.left ? device.left->at(index) : 0;
      const TimeNs right = device.right ? device.right->at(index) : 0;
      if (left == 0 && right == 0) continue;
      rows.push_back({device.name, std::string(analysis::word(static_cast<analysis::Cause>(index))),
                      device.left ? time(left) : "-", device.right ? time(right) : "-",
                      device.left && device.right ? change(right - left) : ""});
    }
  }
  return formatTable(rows);
}

std::string groupsTable(const analysis::StepComparison& comparison) {
  constexpr std::size_t kMost = 10;
  Table rows{{"actions", "count", "left", "right", "change"}};
  for (const analysis::GroupDelta& group : comparison.groups) {
    if (rows.size() <= kMost) {
      rows.push_back({group.name, std::to_string(group.count), time(group.leftNs),
                      time(group.rightNs), change(group.deltaNs())});
    }
  }
  return rows.size() == 1 ? "" : formatTable(rows) + "\n";
}

std::string matchText(const analysis::StepComparison& comparison) {
  std::string text = std::to_string(comparison.actions.size()) + " actions in both";
  if (comparison.moved > 0) {
    text += ", " + std::to_string(comparison.moved) + " of them on another device";
  }
  return text + "; only left " + std::to_string(comparison.onlyLeft) + ", only right " +
         std::to_string(comparison.onlyRight) + "\n";
}

std::string settingsTable(const std::vector<ui::SettingDifference>& settings) {
  Table rows{{"setting", "left", "right"}};
  for (const ui::SettingDifference& setting : settings) {
    rows.push_back({setting.pointer, setting.left.is_null() ? "-" : setting.left.dump(),
                    setting.right.is_null() ? "-" : setting.right.dump()});
  }
  return formatTable(rows);
}

/// The settings in which two compared variants differ.
std::string variantSettingsText(const ui::VariantComparison& variant) {
  if (!variant.settings.empty()) return settingsTable(variant.settings) + "\n";
  return variant.leftId == variant.rightId ? "" : "The settings of the two are the same.\n\n";
}

}  // namespace

std::string comparisonText(const analysis::StepComparison& comparison) {
  return visible(analysis::comparisonSentence(comparison)) + "\n\n" + causesTable(comparison) +
         "\n" + groupsTable(comparison) + matchText(comparison);
}

std::string settingsText(const ui::RunComparison& comparison) {
  std::string text = comparison.settings.empty()
                         ? "The settings of the experiments are the same.\n\n"
                         : settingsTable(comparison.settings) + "\n";
  const auto only = [&text](const char* side, const std::vector<std::string>& ids) {
    for (const std::string& id : ids)
      text += "only " + std::string(side) + ": " + visible(id) + "\n";
  };
  only("left", comparison.onlyLeft);
  only("right", comparison.onlyRight);
  return text;
}

std::string variantText(const ui::VariantComparison& variant) {
  Table rows{{"figure", "left", "right", "change", ""}};
  for (const ui::FigureDifference& figure : variant.figures) {
    const bool tested = figure.name == "seconds";
    rows.push_back({figure.name, number(figure.left), number(figure.right),
                    percent(figure.left, figure.right),
                    tested ? ui::significanceWords(figure) : ""});
  }
  const std::string title = variant.leftId == variant.rightId
                                ? variant.leftId
                                : variant.leftId + " against " + variant.rightId;
  return visible(title) + (variant.noisy ? " (noisy)" : "") + "\n" + variantSettingsText(variant) +
         formatTable(rows) + "\n";
}

}  // namespace stagelane::app
