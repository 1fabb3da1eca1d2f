#include "ui/session/run/measured_plan.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/base/find.h"
#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/record/run_record.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/run/measured_results.h"

namespace stagelane::ui {
namespace {

/// Members that belong to one variant or only define how often and what to measure.
bool isOther(const std::string& key) {
  static constexpr std::array kOther{"name",   "variants",         "repeat",
                                     "warmup", "verify_gradients", "trace"};
  return contains(kOther, key);
}

std::size_t commonMembers(const Json& document) {
  std::size_t count = 0;
  for (const auto& member : document.items()) count += isOther(member.key()) ? 0 : 1;
  return count;
}

/// Whether the shared members are equal, without those that define how often and what to measure.
/// Called often for each tab, so it copies nothing.
bool sameCommonPart(const Json& one, const Json& other) {
  if (!one.is_object() || !other.is_object()) return !one.is_object() && !other.is_object();
  if (commonMembers(one) != commonMembers(other)) return false;
  for (const auto& member : one.items()) {
    if (isOther(member.key())) continue;
    const auto same = other.find(member.key());
    if (same == other.end() || *same != member.value()) return false;
  }
  return true;
}

const Json* variantNamed(const Json& document, const std::string& name) {
  const auto variants = document.is_object() ? document.find("variants") : document.end();
  if (variants == document.end() || !variants->is_array()) return nullptr;
  return findIf(*variants, [&name](const Json& variant) {
    return variant.is_object() && variant.value("name", Json()) == Json(name);
  });
}

Json memberOf(const Json& variant, const char* key) {
  const auto found = variant.find(key);
  return found == variant.end() ? Json() : *found;
}

/// A cut that a map from blocks to devices cannot express.
bool isCutInsideADevice(const plan::Variant& variant) {
  return std::adjacent_find(variant.stages.begin(), variant.stages.end(),
                            [](const plan::Stage& one, const plan::Stage& next) {
                              return one.group == next.group;
                            }) != variant.stages.end();
}

/// What a result does not record of its plan: recompute, threads, chunks, cuts inside a device.
bool sameSettings(const Json& run, const VariantTab* tab, const Json& now,
                  const plan::Variant& variant) {
  const Json* before = tab == nullptr ? nullptr : variantNamed(run, utf8(tab->name));
  const Json* after = tab == nullptr ? nullptr : variantNamed(now, utf8(tab->name));
  if (before == nullptr || after == nullptr) {
    return true;  // baselines added by the product have no settings
  }
  for (const char* key : {"strategy", "recompute", "threads", "chunks"}) {
    if (memberOf(*before, key) != memberOf(*after, key)) return false;
  }
  const Json stagesBefore = memberOf(*before, "stages");
  const Json stagesAfter = memberOf(*after, "stages");
  return stagesBefore == stagesAfter ||
         ((stagesBefore.is_null() || stagesAfter.is_null()) && !isCutInsideADevice(variant));
}

}  // namespace

bool measuredAsItIs(const MeasuredResults& results, const ExperimentDocument& document,
                    const QString& variantId) {
  const record::VariantResult* result = results.of(variantId);
  const auto run = results.documentOf(variantId);
  const auto experiment = document.experiment();
  const plan::Variant* variant = experiment ? experiment->variantById(utf8(variantId)) : nullptr;
  return result != nullptr && run && variant != nullptr && result->stepNs > 0 &&
         result->schedule == variant->schedule && result->splitSize == variant->splitSize &&
         result->placement == variant->placement && sameCommonPart(*run, document.json()) &&
         sameSettings(*run, document.tabOfVariant(variantId), document.json(), *variant);
}

std::shared_ptr<const Json> documentWithMeasured(const MeasuredResults& results,
                                                 const ExperimentDocument& document,
                                                 const QString& variantId) {
  const std::shared_ptr<const Json> then = results.documentOf(variantId);
  const VariantTab* tab = document.tabOfVariant(variantId);
  const Json& now = document.json();
  if (then == results.document() || !then || tab == nullptr || !sameCommonPart(*then, now)) {
    return then;
  }
  const Json* before = variantNamed(*then, utf8(tab->name));
  if (before == nullptr) return then;
  Json taken = now;
  taken["variants"][tab->index] = *before;
  return std::make_shared<const Json>(std::move(taken));
}

}  // namespace stagelane::ui
