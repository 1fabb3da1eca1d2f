#include "ui/report/report_selection.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/record/fastest.h"
#include "engine/record/left_out.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

using record::RunStatus;
using record::VariantResult;

/// The smaller one is shown first.
std::tuple<int, double> rankOf(const VariantResult& variant, const std::string& base, int asked) {
  if (!base.empty() && variant.id == base) return {0, 0.0};
  if (!variant.seconds.empty()) {
    return {record::isCutShort(variant, asked) ? 2 : 1, variant.medianS};
  }
  if (record::isLeftOut(variant)) return {5, 0.0};
  return {variant.status == RunStatus::NotRun ? 4 : 3, 0.0};
}

std::ptrdiff_t thatRan(const record::RunResult& run) {
  return std::count_if(run.variants.begin(), run.variants.end(), [](const VariantResult& variant) {
    return variant.status != RunStatus::NotRun;
  });
}

}  // namespace

RunResultPtr withBest(const RunResultPtr& run, std::size_t most, int asked) {
  const std::vector<VariantResult>& all = run->variants;
  if (all.size() <= most) return run;
  const VariantResult* fastest = record::fastestWhole(*run, asked);
  const std::string base = fastest == nullptr ? std::string() : fastest->speedupBase;
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return rankOf(all[left], base, asked) < rankOf(all[right], base, asked);
  });
  order.resize(most);
  std::sort(order.begin(), order.end());
  std::vector<VariantResult> best;
  best.reserve(most);
  for (const std::size_t place : order) best.push_back(all[place]);
  return std::make_shared<const record::RunResult>(
      record::RunResult{run->name, run->status, run->reason, run->failure, run->timing, run->folder,
                        run->devices, run->ranks, std::move(best)});
}

RunResultPtr picturedRun(const ReportInput& input) {
  return withBest(input.run, kMostPictured, record::repeatsAsked(&input.experiment));
}

QString moreVariantsText(const record::RunResult& tabled, const record::RunResult& run) {
  const int more = record::includedVariants(run) - record::includedVariants(tabled);
  if (more <= 0) return {};
  return u"And %1: the tables show the fastest ones, and the run's result.json has all."_s.arg(
      countedText(more, u"more variant"_s, u"more variants"_s));
}

QString picturedText(const record::RunResult& pictured, const record::RunResult& run) {
  const std::ptrdiff_t shown = thatRan(pictured);
  const std::ptrdiff_t all = thatRan(run);
  if (shown >= all) return {};
  return u"Charts, timelines and the paragraphs on single variants are limited to %1 of %2 "
         "variants, the fastest ones."_s.arg(shown)
             .arg(all);
}

void appendRows(TableBlock table, std::vector<ReportBlock>& blocks) {
  const std::size_t all = table.rows.size();
  table.rows.resize(std::min(all, kMostRows));
  blocks.emplace_back(std::move(table));
  if (all <= kMostRows) return;
  blocks.emplace_back(ParagraphBlock{u"And %1, which are not shown."_s.arg(
      countedText(static_cast<std::int64_t>(all - kMostRows), u"more row"_s, u"more rows"_s))});
}

}  // namespace stagelane::ui
