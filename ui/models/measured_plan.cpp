#include "ui/models/measured_plan.h"

#include <algorithm>
#include <array>
#include <string>

#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

/// What is of one variant, or says how often and of what to measure.
bool isOther(const std::string& key) {
  static constexpr std::array kOther{"name",   "variants",         "repeat",
                                     "warmup", "verify_gradients", "trace"};
  return std::find(kOther.begin(), kOther.end(), key) != kOther.end();
}

std::size_t commonMembers(const Json& document) {
  std::size_t count = 0;
  for (const auto& member : document.items()) {
    count += isOther(member.key()) ? 0 : 1;
  }
  return count;
}

/// Whether what holds for all variants is the same, without what says how often and of what to
/// measure. Asked for each tab again and again: nothing is copied.
bool sameCommonPart(const Json& one, const Json& other) {
  if (!one.is_object() || !other.is_object()) {
    return !one.is_object() && !other.is_object();
  }
  if (commonMembers(one) != commonMembers(other)) {
    return false;
  }
  for (const auto& member : one.items()) {
    if (isOther(member.key())) {
      continue;
    }
    const auto same = other.find(member.key());
    if (same == other.end() || *same != member.value()) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool measuredAsItIs(const Session& session, const QString& variantId) {
  const record::VariantResult* result = session.resultOf(variantId);
  const auto run = session.documentOfRun();
  const auto experiment = session.experiment();
  const plan::Variant* variant = experiment ? experiment->variantById(utf8(variantId)) : nullptr;
  return result != nullptr && run && variant != nullptr && result->stepNs > 0 &&
         result->schedule == variant->schedule && result->splitSize == variant->splitSize &&
         result->placement == variant->placement && sameCommonPart(*run, session.document().json());
}

}  // namespace stagelane::ui
