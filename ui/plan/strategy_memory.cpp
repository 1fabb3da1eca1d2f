#include "ui/plan/strategy_memory.h"

#include <array>
#include <string_view>
#include <utility>

#include "engine/base/find.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

/// Members that depend on the strategy.
constexpr std::array<std::string_view, 14> kMembers{"placement",
                                                    "stages",
                                                    "device",
                                                    "schedule",
                                                    "split_size",
                                                    "chunks",
                                                    "replicas",
                                                    "processes",
                                                    "threads",
                                                    "updates",
                                                    "bucket_mb",
                                                    "first_bucket_mb",
                                                    "gradient_as_bucket_view",
                                                    "find_unused"};

bool ofStrategy(const std::string& member) { return contains(kMembers, member); }

}  // namespace

void StrategyMemory::keep(const QString& tabId, const Json& variant) {
  m_kept[{tabId, strategyOf(variant).name}] = variant;
}

Json StrategyMemory::restored(const QString& tabId, Json document, std::size_t index) const {
  Json& variant = document["variants"][index];
  const auto found = m_kept.find({tabId, strategyOf(variant).name});
  if (found == m_kept.end()) return document;
  // Keeps the earlier member order, so that switching back restores the document exactly.
  Json back = found->second;
  for (const auto& entry : found->second.items()) {
    if (!ofStrategy(entry.key()) && !variant.contains(entry.key())) back.erase(entry.key());
  }
  for (const auto& entry : variant.items()) {
    if (!ofStrategy(entry.key())) back[entry.key()] = entry.value();
  }
  variant = std::move(back);
  return document;
}

}  // namespace stagelane::ui
