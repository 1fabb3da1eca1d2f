#include "app/cli/rank_table.h"

#include <algorithm>
#include <vector>

#include "app/terminal/console.h"
#include "engine/base/text.h"

namespace stagelane::app {
namespace {

using record::RankResult;
using record::RunResult;
using record::VariantResult;

constexpr const char* kUnknown = "-";

/// Each host once, in the order of the ranks.
std::string hostsText(const VariantResult& variant) {
  std::vector<std::string> hosts;
  for (const RankResult& rank : variant.ranks) {
    const bool known = std::find(hosts.begin(), hosts.end(), rank.host) != hosts.end();
    if (!known && !rank.host.empty()) hosts.push_back(rank.host);
  }
  return hosts.empty() ? kUnknown : joined(hosts);
}

/// The largest; rank 0 is the reference.
std::string clockErrorText(const VariantResult& variant) {
  TimeNs errorNs = -1;
  for (const RankResult& rank : variant.ranks) {
    if (rank.rank != 0 && rank.clock) errorNs = std::max(errorNs, rank.clock->errorNs);
  }
  return errorNs < 0 ? kUnknown : "± " + humanTime(static_cast<double>(errorNs));
}

std::vector<std::string> rowOf(const VariantResult& variant) {
  std::vector<std::string> row{variant.name, std::to_string(variant.ranks.size()),
                               hostsText(variant), clockErrorText(variant)};
  if (const auto& sum = variant.allReduce) {
    row.insert(row.end(), {humanBytes(sum->bytes), humanTime(static_cast<double>(sum->exposedNs)),
                           humanPercent(sum->hiddenPct / 100.0)});
  } else {
    row.insert(row.end(), 3, kUnknown);
  }
  return row;
}

}  // namespace

std::string rankTable(const RunResult& run) {
  std::vector<std::vector<std::string>> rows{
      {"variant", "ranks", "hosts", "clock error", "all-reduce", "exposed", "hidden"}};
  for (const VariantResult& variant : run.variants) {
    if (!variant.ranks.empty()) rows.push_back(rowOf(variant));
  }
  return rows.size() > 1 ? formatTable(rows) + "\n" : std::string();
}

}  // namespace stagelane::app
