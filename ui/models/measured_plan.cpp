#include "ui/models/measured_plan.h"

#include <array>
#include <string>

#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

/// What holds for all variants, without what says how often and of what to measure.
Json commonPart(const Json& document) {
  static constexpr std::array kOther{"name",   "variants",         "repeat",
                                     "warmup", "verify_gradients", "trace"};
  Json common = document.is_object() ? document : Json::object();
  for (const char* key : kOther) {
    common.erase(key);
  }
  return common;
}

}  // namespace

bool measuredAsItIs(const Session& session, const QString& variantId) {
  const record::VariantResult* result = session.resultOf(variantId);
  const auto run = session.documentOfRun();
  const auto experiment = session.experiment();
  const plan::Variant* variant = experiment ? experiment->variantById(utf8(variantId)) : nullptr;
  return result != nullptr && run && variant != nullptr && result->stepNs > 0 &&
         result->schedule == variant->schedule && result->splitSize == variant->splitSize &&
         result->placement == variant->placement &&
         commonPart(*run) == commonPart(session.document().json());
}

}  // namespace stagelane::ui
