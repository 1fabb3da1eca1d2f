#include "ui/session/document/setting_edits.h"

#include <QObject>
#include <QRegularExpression>
#include <algorithm>

#include "engine/plan/stages.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

const std::string kAnyDevice = "cpu:0";

Json& objectAt(Json& document, const char* key) {
  Json& member = document[key];
  if (!member.is_object()) member = Json::object();
  return member;
}

/// Whether all blocks named by the variant are blocks of the model, whatever their devices.
bool fits(Json variant, const model::Model& model) {
  if (variant.contains("placement") && variant["placement"].is_object()) {
    for (auto& entry : variant["placement"].items()) entry.value() = kAnyDevice;
    return plan::devicesOfBlocks(model, variant["placement"], "").has_value();
  }
  if (!variant.contains("stages") || !variant["stages"].is_array()) return true;
  for (Json& stage : variant["stages"]) {
    if (stage.is_object()) stage["device"] = kAnyDevice;
  }
  return plan::stagesFromJson(model, variant["stages"], "").has_value();
}

void renameAfter(Json& document, const std::string& before, const std::string& after) {
  const QRegularExpression made(
      u"^%1(, \\d+ devices?)$"_s.arg(QRegularExpression::escape(qstring(before))));
  const auto match = made.match(qstring(textMember(document, "name")));
  if (!before.empty() && match.hasMatch()) document["name"] = after + utf8(match.captured(1));
}

}  // namespace

ModelChange withModel(Json document, const ModelChoice& choice, const model::Model& model) {
  ModelChange change;
  renameAfter(document, document.contains("model") ? textMember(document["model"], "zoo") : "",
              model.name);
  document["model"] = choice.definition;
  Json& input = objectAt(document, "input");
  input["shape"] = choice.input;
  if (model.vocabulary == 0 && textMember(input, "dtype") == "int64") input.erase("dtype");
  if (document.contains("variants") && document["variants"].is_array()) {
    for (Json& variant : document["variants"]) {
      if (variant.is_object() && !fits(variant, model)) {
        variant.erase("stages");
        variant["placement"] = "optimal";
        change.refitted.append(qstring(textMember(variant, "name")));
      }
    }
  }
  change.document = std::move(document);
  return change;
}

QString stepName(const ModelChange& change, const model::Model& model) {
  const QString step = QObject::tr("Model %1").arg(qstring(model.name));
  return change.refitted.isEmpty()
             ? step
             : QObject::tr("%1, placement of %2 optimal")
                   .arg(step, countedText(change.refitted.size(), QObject::tr("variant"),
                                          QObject::tr("variants")));
}

Json withOptimizerKind(Json document, const std::string& kind) {
  Json& optimizer = objectAt(document, "optimizer");
  optimizer["kind"] = kind;
  if (kind == "sgd") {
    optimizer.erase("betas");
    optimizer.erase("eps");
  } else {
    optimizer.erase("momentum");
  }
  return document;
}

Json withLoss(Json document, const std::string& loss) {
  document["loss"] = loss;
  Json& data = objectAt(document, "data");
  const std::string labels = textMember(data, "labels");
  if (loss == "cross_entropy" && labels == "normal") {
    data["labels"] = "class";
  } else if (loss == "mse" && labels == "class") {
    data["labels"] = "one_hot";
  }
  return document;
}

Json withLabels(Json document, const std::string& labels) {
  objectAt(document, "data")["labels"] = labels;
  if (labels == "normal") {
    document["loss"] = "mse";
  } else if (labels == "class") {
    document["loss"] = "cross_entropy";
  }
  return document;
}

Json withDtype(Json document, const std::string& dtype) {
  objectAt(document, "input")["dtype"] = dtype;
  if (dtype != "float32") document.erase("precision");
  return document;
}

Json withPrecision(Json document, const std::string& precision) {
  document["precision"] = precision;
  Json& input = objectAt(document, "input");
  if (precision != "fp32" && textMember(input, "dtype") == "float64") input["dtype"] = "float32";
  return document;
}

Json batchesOf(const Json& document) {
  const Json data = document.value("data", Json::object());
  if (!data.is_object()) return 1;
  if (data.contains("batches")) return data["batches"];
  const Json samples = data.value("samples", Json());
  const Json size = data.value("batch_size", Json(1));
  if (!samples.is_number_integer() || !size.is_number_integer()) return 1;
  const auto each = std::max<std::int64_t>(1, size.get<std::int64_t>());
  const auto all = std::max<std::int64_t>(1, samples.get<std::int64_t>());
  return all / each + (all % each > 0 ? 1 : 0);
}

Json withBatches(Json document, const Json& batches) {
  Json& data = objectAt(document, "data");
  data["batches"] = batches;
  data.erase("samples");
  return document;
}

Json withTiming(Json document, const std::string& timing) {
  document["timing"] = timing;
  if (timing == "tutorial") document.erase("warmup");
  return document;
}

}  // namespace stagelane::ui
