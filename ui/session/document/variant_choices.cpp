#include "ui/session/document/variant_choices.h"

#include <algorithm>

#include "engine/schedule/methods.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

const std::string kCustom = "custom";

std::string placementWord(const Json& variant) {
  if (variant.contains("stages")) return kCustom;
  const auto placement = variant.find("placement");
  if (placement == variant.end()) return "optimal";
  return placement->is_string() ? placement->get<std::string>() : kCustom;
}

/// All schedules of the variant: a sweep has several.
std::vector<std::string> schedulesOf(const Json& variant) {
  const auto found = variant.find("schedule");
  if (found == variant.end()) return {"1f1b"};
  std::vector<std::string> names;
  for (const Json& each : found->is_array() ? *found : Json::array({*found})) {
    names.push_back(each.is_string() ? each.get<std::string>() : std::string());
  }
  return names;
}

/// One stage a device or several, as the variant says; most schedules have a number of their own.
bool mayChooseChunks(const Json& variant) {
  const auto schedules = schedulesOf(variant);
  return std::all_of(schedules.begin(), schedules.end(), [&](const std::string& schedule) {
    return schedule::checkChunks(schedule, 1) && schedule::checkChunks(schedule, 2);
  });
}

VariantChoice placement(const char* word, const QString& text, const QString& tip) {
  return {VariantMember::Placement, word, text, tip};
}

VariantChoice recompute(const char* word, const QString& text, const QString& tip) {
  return {VariantMember::Recompute, word, text, tip};
}

VariantChoice chunks(const char* word, const QString& text) {
  return {VariantMember::Chunks, word, text,
          QStringLiteral("Stages on each device: more make the bubble smaller and send more")};
}

}  // namespace

QString VariantChoice::name() const {
  const QString words = qstring(word.empty() ? "own" : word);
  switch (member) {
    case VariantMember::Placement: return QStringLiteral("placement.") + words;
    case VariantMember::Recompute: return QStringLiteral("recompute.") + words;
    case VariantMember::Chunks: break;
  }
  return QStringLiteral("chunks.") + words;
}

QString VariantChoice::step() const {
  const QString what = member == VariantMember::Placement   ? QStringLiteral("Placement")
                       : member == VariantMember::Recompute ? QStringLiteral("Recompute")
                                                            : QStringLiteral("Chunks");
  return QStringLiteral("%1: %2").arg(what, text.at(0).toLower() + text.mid(1));
}

const std::vector<VariantChoice>& allVariantChoices() {
  static const std::vector<VariantChoice> kChoices{
      placement("custom", QStringLiteral("Custom"),
                QStringLiteral("As it is now, to be moved by hand; dragging a chip does the same")),
      placement("optimal", QStringLiteral("Optimal"),
                QStringLiteral("Cut where the step is shortest, from what is known of the costs")),
      placement("auto", QStringLiteral("Auto"),
                QStringLiteral("As accelerate's device_map=\"auto\" places it: by memory")),
      placement("balanced", QStringLiteral("Balanced"),
                QStringLiteral("accelerate: the same memory on every device")),
      placement("balanced_low_0", QStringLiteral("Balanced, first low"),
                QStringLiteral("accelerate: the same on all but the first, which stays free")),
      placement("sequential", QStringLiteral("Sequential"),
                QStringLiteral("accelerate: one device after the other is filled")),
      recompute("never", QStringLiteral("Never"),
                QStringLiteral("Keep every activation from forward to backward")),
      recompute("except_last", QStringLiteral("Except the last micro-batch"),
                QStringLiteral("Keep only the inputs of a stage and run forward again, but for the "
                               "last micro-batch")),
      recompute("always", QStringLiteral("Always"),
                QStringLiteral("Keep only the inputs of a stage: less memory, one more forward")),
      chunks("", QStringLiteral("As the schedule has it")),
      chunks("1", QStringLiteral("1 a device")),
      chunks("2", QStringLiteral("2 a device")),
      chunks("3", QStringLiteral("3 a device")),
      chunks("4", QStringLiteral("4 a device")),
  };
  return kChoices;
}

QString currentWord(const Json& document, std::size_t index, VariantMember member) {
  const Json* variant = variantAt(document, index);
  if (variant == nullptr) return {};
  switch (member) {
    case VariantMember::Placement: return qstring(placementWord(*variant));
    case VariantMember::Recompute: return qstring(textMember(*variant, "recompute", "never"));
    case VariantMember::Chunks: break;
  }
  const auto count = variant->find("chunks");
  return count == variant->end() ? QString() : qstring(count->dump());
}

bool offered(const Json& document, std::size_t index, const VariantChoice& choice) {
  const Json* variant = variantAt(document, index);
  if (variant == nullptr) return false;
  const plan::StrategyRow& strategy = strategyOf(*variant);
  if (choice.member == VariantMember::Placement) return !strategy.oneDevice;
  if (choice.member == VariantMember::Recompute) return true;
  return strategy.pipelined && mayChooseChunks(*variant);
}

Json withChoice(Json document, std::size_t index, const VariantChoice& choice,
                const model::Model& model, const PlanShape& shape) {
  if (choice.member == VariantMember::Placement && choice.word == kCustom) {
    return placementWord(document["variants"][index]) == kCustom
               ? document
               : withShape(std::move(document), index, model, shape);
  }
  Json& variant = document["variants"][index];
  switch (choice.member) {
    case VariantMember::Placement:
      variant.erase("stages");
      variant["placement"] = choice.word;
      break;
    case VariantMember::Recompute: variant["recompute"] = choice.word; break;
    case VariantMember::Chunks:
      if (choice.word.empty()) {
        variant.erase("chunks");
      } else {
        variant["chunks"] = std::stoi(choice.word);
      }
      break;
  }
  return document;
}

QString refusalOf(const Json& changed, std::size_t index, const std::string& baseFolder) {
  const auto read = plan::readExperiment(changed, baseFolder, {});
  const std::string own = "/variants/" + std::to_string(index);
  if (read || read.error().context.rfind(own, 0) != 0) {
    return {};  // what is wrong elsewhere was so before
  }
  Error error = read.error();
  error.context.clear();
  return errorText(error);
}

}  // namespace stagelane::ui
