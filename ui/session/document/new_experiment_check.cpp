#include "ui/session/document/new_experiment_check.h"

#include <QObject>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

bool startsWith(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

NewField fieldOf(const std::string& pointer) {
  if (startsWith(pointer, "/input")) return NewField::Input;
  // A larger batch fixes a micro-batch that is too small for a norm.
  if (startsWith(pointer, "/data") || pointer.find("/split_size") != std::string::npos) {
    return NewField::BatchSize;
  }
  return startsWith(pointer, "/devices") || startsWith(pointer, "/variants") ? NewField::Devices
                                                                             : NewField::Model;
}

QString summaryOf(const plan::Experiment& experiment) {
  QStringList names;
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.implicit) names.append(qstring(variant.name));
  }
  return QObject::tr("%1 · %2 parameters · %3: %4")
      .arg(countedText(static_cast<std::int64_t>(experiment.model->blocks.size()),
                       QObject::tr("block"), QObject::tr("blocks")),
           countText(parameterCount(*experiment.model)),
           countedText(names.size(), QObject::tr("variant"), QObject::tr("variants")),
           names.join(u", "_s));
}

}  // namespace

std::int64_t parameterCount(const model::Model& model) {
  std::int64_t parameters = 0;
  for (const model::Layer& layer : model.layers) {
    for (const model::OwnedTensor& tensor : model::ownedTensors(layer.spec)) {
      const std::string name = layer.name + "." + tensor.name;
      if (tensor.role != model::OwnedTensor::Role::Parameter || model.ownerOf(name) != name) {
        continue;
      }
      std::int64_t count = 1;
      for (const std::int64_t size : tensor.shape) count *= size;
      parameters += count;
    }
  }
  return parameters;
}

NewExperimentCheck checkNew(const NewExperiment& experiment, const std::string& baseFolder) {
  NewExperimentCheck check;
  const auto model = model::buildModel(experiment.model.definition, "/model", baseFolder);
  if (!model) {
    check.problem = sentenceText(model.error());
    return check;
  }
  check.model = *model;
  if (experiment.model.input.empty()) {
    check.field = NewField::Input;
    check.problem =
        QObject::tr("Enter the shape of one sample without the batch, such as 3×128×128");
    return check;
  }
  check.document = newDocument(experiment, *check.model);
  const auto read = plan::readExperiment(check.document, baseFolder, {});
  if (!read) {
    check.field = fieldOf(read.error().context);
    check.problem = sentenceText(read.error());
    return check;
  }
  check.summary = summaryOf(*read);
  return check;
}

}  // namespace stagelane::ui
