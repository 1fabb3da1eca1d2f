#include "engine/plan/sweep.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/base/text_member.h"
#include "engine/plan/strategies.h"

namespace stagelane::plan {
namespace {

Result<std::size_t> findVariant(const Json& document, const std::string& name) {
  const auto variants = document.find("variants");
  std::vector<std::string> names;
  for (std::size_t i = 0; variants != document.end() && i < variants->size(); ++i) {
    const Json& variant = (*variants)[i];
    if (textMember(variant, "name") == name || textMember(variant, "id") == name) {
      if (!strategyRow(textMember(variant, "strategy")).pipelined) {
        return fail(ErrorCode::Invalid, "only pipelines can be swept", childPointer("/variants", i),
                    "use a variant with the strategy pipeline");
      }
      return i;
    }
    names.push_back(textMember(variant, "name"));
  }
  return fail(ErrorCode::Invalid, "unknown variant '" + name + "'", "/variants",
              "use one of: " + joined(names));
}

template <class Value>
void setList(Json& variant, const char* key, const std::vector<Value>& values) {
  if (!values.empty()) variant[key] = values;
}

/// One item of `variants` for each placement and recompute; the reader expands the lists.
void addMembers(const Json& variant, const SweepSpec& spec, Json& variants) {
  const std::vector<std::string> asItIs{""};
  const auto& placements = spec.placements.empty() ? asItIs : spec.placements;
  const auto& recomputes = spec.recomputes.empty() ? asItIs : spec.recomputes;
  for (const std::string& placement : placements) {
    for (const std::string& recompute : recomputes) {
      Json member = variant;
      std::string name = textMember(variant, "name") + " sweep";
      name += placements.size() > 1 ? " " + placement : "";
      name += recomputes.size() > 1 ? " " + recompute : "";
      member["name"] = name;
      member.erase("id");
      member["include"] = true;
      if (!placement.empty()) {
        member.erase("stages");
        member["placement"] = placement;
      }
      if (!recompute.empty()) member["recompute"] = recompute;
      setList(member, "split_size", spec.splits);
      setList(member, "schedule", spec.schedules);
      variants.push_back(std::move(member));
    }
  }
}

/// The name or id after "same as:"; "" if the placement is not a reference.
std::string referenceOf(const Json& variant) {
  const std::string sameAs = "same as:";
  const std::string placement = textMember(variant, "placement");
  const std::size_t begin = placement.find_first_not_of(' ', sameAs.size());
  const bool refers = placement.compare(0, sameAs.size(), sameAs) == 0;
  return refers && begin != std::string::npos ? placement.substr(begin) : std::string{};
}

/// Drops variants that neither run nor are referred to, because they could be invalid for one of
/// the sweep's batch sizes.
Json withoutUnneeded(const Json& variants) {
  std::vector<bool> needed;
  for (const Json& variant : variants) needed.push_back(variant.value("include", true));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const std::string target = needed[i] ? referenceOf(variants[i]) : std::string{};
      for (std::size_t j = 0; j < variants.size() && !target.empty(); ++j) {
        const bool meant =
            textMember(variants[j], "name") == target || textMember(variants[j], "id") == target;
        changed = changed || (meant && !needed[j]);
        needed[j] = needed[j] || meant;
      }
    }
  }
  Json kept = Json::array();
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (needed[i]) kept.push_back(variants[i]);
  }
  return kept;
}

bool allAbove0(const std::vector<std::int64_t>& values) {
  return std::all_of(values.begin(), values.end(), [](std::int64_t value) { return value > 0; });
}

bool hasGap(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word.empty(); });
}

}  // namespace

Result<std::vector<SweepJob>> sweepJobs(const Json& document, const SweepSpec& spec) {
  STAGELANE_TRY(at, findVariant(document, spec.variant));
  if (!allAbove0(spec.batches) || !allAbove0(spec.splits)) {
    return fail(ErrorCode::Invalid, "batch and split sizes must be integers above 0", "",
                "remove the other values");
  }
  if (hasGap(spec.schedules) || hasGap(spec.placements) || hasGap(spec.recomputes)) {
    return fail(ErrorCode::Invalid, "a value is missing in a list", "",
                "write a value between every two commas");
  }
  Json swept = document;
  for (Json& variant : swept["variants"]) {
    const bool base = strategyRow(textMember(variant, "strategy")).oneDevice;
    variant["include"] = base && variant.value("include", true);
  }
  addMembers(document["variants"][*at], spec, swept["variants"]);
  swept["variants"] = withoutUnneeded(swept["variants"]);
  swept["skip_out_of_memory"] = true;
  if (spec.earlyStop) swept["early_stop"] = true;
  std::vector<SweepJob> jobs;
  for (const std::int64_t batch : spec.batches) {
    Json experiment = swept;
    experiment["data"]["batch_size"] = batch;
    const std::string label = "batch " + std::to_string(batch);
    experiment["name"] = textMember(document, "name") + ", " + label;
    jobs.push_back({label, std::move(experiment)});
  }
  if (jobs.empty()) {
    swept["name"] = textMember(document, "name") + ", sweep";
    jobs.push_back({"", std::move(swept)});
  }
  return jobs;
}

}  // namespace stagelane::plan
