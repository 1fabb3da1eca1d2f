#include "ui/plan/plan_model/chain_layout.h"

#include <algorithm>
#include <cmath>

namespace stagelane::ui {
namespace {

QString prefixOf(const std::string& name) {
  const std::size_t dot = name.find('.');
  return dot == std::string::npos ? QString() : QString::fromStdString(name.substr(0, dot));
}

const ChainGroup* closedGroupAt(const ChainRequest& request, std::size_t block) {
  for (const ChainGroup& group : request.groups) {
    if (group.first == block && !request.openGroups.contains(group.name)) return &group;
  }
  return nullptr;
}

/// Chips in chain order with their weights; no x yet.
std::vector<ChipPlace> chipsOf(const ChainRequest& request, std::vector<double>& weights) {
  std::vector<ChipPlace> chips;
  for (std::size_t block = 0; block < request.names.size();) {
    ChipPlace chip;
    chip.first = chip.last = block;
    chip.name = request.names[block];
    if (const ChainGroup* group = closedGroupAt(request, block)) {
      chip.name = group->name;
      chip.last = group->last;
      chip.group = true;
    }
    double weight = 0.0;
    for (std::size_t at = chip.first; at <= chip.last; ++at) {
      weight += std::max(0.0, request.weights[at]);
    }
    weights.push_back(weight);
    chips.push_back(chip);
    block = chip.last + 1;
  }
  return chips;
}

/// Pixels per weight so that clamped chips and the rest fill `width` together. Clamping a chip
/// takes room from the others, which may clamp more of them: repeat until none is added.
double scaleFor(const std::vector<double>& weights, double minimum, double width,
                std::vector<bool>& clamped) {
  double scale = 0.0;
  for (bool again = true; again;) {
    again = false;
    double room = width;
    double free = 0.0;
    for (std::size_t at = 0; at < weights.size(); ++at) {
      if (clamped[at]) {
        room -= minimum;
      } else {
        free += weights[at];
      }
    }
    scale = free > 0.0 && room > 0.0 ? room / free : 0.0;
    for (std::size_t at = 0; at < weights.size(); ++at) {
      if (!clamped[at] && weights[at] * scale < minimum) {
        clamped[at] = true;
        again = true;
      }
    }
  }
  return scale;
}

}  // namespace

std::vector<ChainGroup> groupsOf(const model::Model& model) {
  std::vector<ChainGroup> groups;
  for (std::size_t block = 0; block < model.blocks.size();) {
    const QString prefix = prefixOf(model.blocks[block].name);
    std::size_t end = block;
    while (!prefix.isEmpty() && end + 1 < model.blocks.size() &&
           prefixOf(model.blocks[end + 1].name) == prefix) {
      ++end;
    }
    if (end > block) groups.push_back({prefix, block, end});
    block = end + 1;
  }
  return groups;
}

ChainLayout layoutChain(const ChainRequest& request) {
  ChainLayout layout;
  std::vector<double> weights;
  layout.chips = chipsOf(request, weights);
  if (layout.chips.empty()) return layout;
  const auto gaps = static_cast<double>(layout.chips.size() - 1) * request.gap;
  const double width = request.width - gaps;
  std::vector<bool> clamped(layout.chips.size(), false);
  const bool weightless =
      std::all_of(weights.begin(), weights.end(), [](double weight) { return weight <= 0.0; });
  if (weightless) weights.assign(weights.size(), 1.0);
  const double scale = scaleFor(weights, request.minimumChip, width, clamped);
  qreal x = 0;
  for (std::size_t at = 0; at < layout.chips.size(); ++at) {
    ChipPlace& chip = layout.chips[at];
    chip.clamped = clamped[at];
    chip.width = clamped[at] ? request.minimumChip : weights[at] * scale;
    chip.x = x;
    x += chip.width + request.gap;
    layout.clamped += clamped[at] ? 1 : 0;
  }
  layout.width = x - request.gap;
  for (const ChainGroup& group : request.groups) {
    const ChipPlace& first = layout.chips[*layout.chipOfBlock(group.first)];
    const ChipPlace& last = layout.chips[*layout.chipOfBlock(group.last)];
    layout.groups.push_back(
        {group, request.openGroups.contains(group.name), first.x, last.x + last.width - first.x});
  }
  return layout;
}

std::optional<std::size_t> ChainLayout::chipOfBlock(std::size_t block) const {
  for (std::size_t at = 0; at < chips.size(); ++at) {
    if (block >= chips[at].first && block <= chips[at].last) return at;
  }
  return std::nullopt;
}

qreal ChainLayout::cutX(std::size_t block) const {
  const auto at = chipOfBlock(block);
  if (!at) return width;
  const ChipPlace& chip = chips[*at];
  if (chip.first == block) {
    const qreal before = *at == 0 ? chip.x : chips[*at - 1].x + chips[*at - 1].width;
    return (before + chip.x) / 2;
  }
  const auto blocks = static_cast<qreal>(chip.last - chip.first + 1);
  return chip.x + chip.width * static_cast<qreal>(block - chip.first) / blocks;
}

qreal LaneStack::bottom() const { return count == 0 ? top : laneTop(count - 1) + laneHeight; }

std::optional<int> LaneStack::laneAt(qreal y) const {
  if (count == 0 || y < top - laneGap / 2 || y >= bottom() + laneGap / 2) return std::nullopt;
  const int lane = static_cast<int>(std::floor((y - top + laneGap / 2) / (laneHeight + laneGap)));
  return std::clamp(lane, 0, count - 1);
}

}  // namespace stagelane::ui
