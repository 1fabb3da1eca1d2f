#include "ui/session/document/variant_choices.h"

#include <QObject>
#include <algorithm>

#include "engine/plan/accelerate_placement.h"
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

/// All schedules of the variant; a sweep has several.
std::vector<std::string> schedulesOf(const Json& variant) {
  const auto found = variant.find("schedule");
  if (found == variant.end()) return {std::string(strategyOf(variant).schedule)};
  std::vector<std::string> names;
  for (const Json& each : found->is_array() ? *found : Json::array({*found})) {
    names.push_back(each.is_string() ? each.get<std::string>() : std::string());
  }
  return names;
}

/// Whether stages per device can be chosen; most schedules fix their number.
bool mayChooseChunks(const Json& variant) {
  const auto schedules = schedulesOf(variant);
  return std::all_of(schedules.begin(), schedules.end(), [&](const std::string& schedule) {
    return schedule::checkChunks(schedule, 1) && schedule::checkChunks(schedule, 2);
  });
}

VariantChoice placement(std::string_view word, const QString& text, const QString& tip) {
  return {VariantMember::Placement, std::string(word), text, tip};
}

VariantChoice recompute(const char* word, const QString& text, const QString& tip) {
  return {VariantMember::Recompute, word, text, tip};
}

VariantChoice chunks(const char* word, const QString& text) {
  return {VariantMember::Chunks, word, text,
          QObject::tr("Stages per device; more stages shrink the bubble but add transfers")};
}

}  // namespace

QString VariantChoice::name() const {
  const QString words = qstring(word.empty() ? "own" : word);
  switch (member) {
    case VariantMember::Placement: return u"placement."_s + words;
    case VariantMember::Recompute: return u"recompute."_s + words;
    case VariantMember::Chunks: break;
  }
  return u"chunks."_s + words;
}

QString VariantChoice::step() const {
  const QString what = member == VariantMember::Placement   ? QObject::tr("Placement")
                       : member == VariantMember::Recompute ? QObject::tr("Recompute")
                                                            : QObject::tr("Chunks");
  return u"%1: %2"_s.arg(what, text.at(0).toLower() + text.mid(1));
}

std::vector<VariantChoice> allVariantChoices() {
  using Mode = plan::AccelerateMode;
  return {
      placement(
          "custom", QObject::tr("Custom"),
          QObject::tr("Keep the current placement and edit it manually, as dragging a chip does")),
      placement("optimal", QObject::tr("Optimal"),
                QObject::tr("Cut for the shortest predicted step")),
      placement(word(Mode::Auto), QObject::tr("Auto"),
                QObject::tr("Place by memory, as accelerate's device_map=\"auto\" does")),
      placement(word(Mode::Balanced), QObject::tr("Balanced"),
                QObject::tr("Use equal memory on all devices (accelerate's \"balanced\")")),
      placement(
          word(Mode::BalancedLow0), QObject::tr("Balanced, first low"),
          QObject::tr(
              "Use equal memory on all devices but the first (accelerate's \"balanced_low_0\")")),
      placement(word(Mode::Sequential), QObject::tr("Sequential"),
                QObject::tr("Fill one device after the other (accelerate's \"sequential\")")),
      recompute("never", QObject::tr("Never"),
                QObject::tr("Keep all activations from forward to backward")),
      recompute(
          "except_last", QObject::tr("Except the last micro-batch"),
          QObject::tr(
              "Keep only stage inputs and run forward again, except for the last micro-batch")),
      recompute(
          "always", QObject::tr("Always"),
          QObject::tr("Keep only stage inputs and run forward again: less memory, more time")),
      chunks("", QObject::tr("Schedule default")),
      chunks("1", QObject::tr("1 per device")),
      chunks("2", QObject::tr("2 per device")),
      chunks("3", QObject::tr("3 per device")),
      chunks("4", QObject::tr("4 per device")),
  };
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
  if (choice.member == VariantMember::Placement) return !strategy.oneDevice && !strategy.replicates;
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
    return {};  // errors elsewhere do not come from the choice
  }
  Error error = read.error();
  error.context.clear();
  return errorText(error);
}

}  // namespace stagelane::ui
