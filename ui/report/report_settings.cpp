#include "ui/report/report_settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/quantile.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/device_budgets.h"

namespace stagelane::ui {
namespace {

Json part(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) ? json.at(key) : Json();
}

QString modelText(const Json& experiment) {
  const Json model = part(experiment, "model");
  for (const char* key : {"zoo", "file"}) {
    QString text = memberText(model, key);
    if (text.isEmpty()) continue;
    QStringList sizes;
    for (const auto& [name, value] : model.items()) {
      if (name != key) sizes << u"%1 %2"_s.arg(qstring(name), qstring(value.dump()));
    }
    return sizes.isEmpty() ? text : text + u", "_s + sizes.join(u", "_s);
  }
  return part(model, "layers").is_null() ? QString() : u"custom layers"_s;
}

QString dataText(const Json& experiment) {
  QStringList parts;
  const Json shape = part(part(experiment, "input"), "shape");
  if (shape.is_array()) {
    std::vector<std::int64_t> sizes;
    for (const Json& size : shape) {
      if (size.is_number_integer()) sizes.push_back(size.get<std::int64_t>());
    }
    parts << shapeText(sizes);
  }
  const Json data = part(experiment, "data");
  const QString batch = memberText(data, "batch_size");
  const QString batches = memberText(data, "batches");
  if (!batch.isEmpty()) {
    parts << (batches.isEmpty() || batches == u"1"_s ? u"1 batch of "_s
                                                     : batches + u" batches of "_s) +
                 batch;
  }
  for (const char* key : {"labels", "seed"}) {
    const QString text = memberText(data, key);
    if (!text.isEmpty()) parts << QString::fromUtf8(key) + QChar(u' ') + text;
  }
  return parts.join(u", "_s);
}

QString optimizerText(const Json& experiment) {
  const Json optimizer = part(experiment, "optimizer");
  if (!optimizer.is_object()) return memberText(experiment, "optimizer");
  QStringList parts{memberText(optimizer, "kind")};
  for (const auto& [name, value] : optimizer.items()) {
    if (name != "kind") parts << u"%1 %2"_s.arg(qstring(name), qstring(value.dump()));
  }
  parts.removeAll(QString());
  return parts.join(u", "_s);
}

QString devicesText(const ReportInput& input) {
  const auto budgets = deviceBudgets(input.experiment);
  QStringList devices;
  for (const std::string& id : input.run->devices) {
    const auto budget = budgets.find(id);
    devices << (budget == budgets.end() ? qstring(id)
                                        : u"%1 (%2)"_s.arg(qstring(id), bytesText(budget->second)));
  }
  return devices.join(u", "_s);
}

bool infers(const Json& experiment) { return memberText(experiment, "task") == u"infer"_s; }

}  // namespace

QString memberText(const Json& json, const char* key) {
  const Json value = part(json, key);
  if (value.is_null()) return {};
  return value.is_string() ? qstring(value.get<std::string>()) : qstring(value.dump());
}

QString questionOf(const ReportInput& input, const QString& asked) {
  if (!asked.trimmed().isEmpty()) return asked.trimmed();
  const Json model = part(input.experiment, "model");
  const QString zoo = memberText(model, "zoo");
  const QString what = zoo.isEmpty() ? u"this model"_s : zoo;
  QStringList devices;
  for (const std::string& id : input.run->devices) devices << qstring(id);
  const QString where = devices.isEmpty() ? QString() : u" on "_s + devices.join(u", "_s);
  const QString train = infers(input.experiment) ? u"run"_s : u"train"_s;
  const auto& variants = input.run->variants;
  const auto notRun =
      std::count_if(variants.begin(), variants.end(), [](const record::VariantResult& variant) {
        return variant.status == record::RunStatus::NotRun;
      });
  // Variants that never ran do not count, unless nothing ran.
  const auto all = static_cast<std::ptrdiff_t>(variants.size());
  const std::ptrdiff_t ways = notRun == all ? all : all - notRun;
  if (ways < 2) {
    return u"How fast does %1 %2%3, and where does the time go?"_s.arg(what, train, where);
  }
  return u"Which of %1 ways to %2 %3%4 is fastest, and why are the others slower?"_s.arg(ways).arg(
      train, what, where);
}

FactsBlock settingsOf(const ReportInput& input) {
  FactsBlock block;
  const auto add = [&](const char* name, const QString& value) {
    if (!value.isEmpty()) block.facts.emplace_back(QString::fromUtf8(name), value);
  };
  const Json& experiment = input.experiment;
  add("Model", modelText(experiment));
  add("Data", dataText(experiment));
  if (!infers(experiment)) {
    add("Loss", memberText(experiment, "loss"));
    add("Optimizer", optimizerText(experiment));
  }
  add("Devices", devicesText(input));
  add("Threads per CPU worker", memberText(experiment, "threads_per_cpu_worker"));
  static constexpr std::array kOthers{std::pair{"repeat", "Repeats"},
                                      std::pair{"warmup", "Warm-up"},
                                      std::pair{"task", "Task"},
                                      std::pair{"precision", "Precision"},
                                      std::pair{"memory_format", "Memory format"},
                                      std::pair{"batch_norm", "Batch norm"},
                                      std::pair{"clip_grad_norm", "Gradient clipping"}};
  for (const auto& [key, name] : kOthers) add(name, memberText(experiment, key));
  add("Timing", qstring(input.run->timing));
  return block;
}

FactsBlock machineOf(const Json& environment) {
  FactsBlock block;
  static constexpr std::array kKeys{
      std::pair{"cpu", "Processor"},       std::pair{"cores_allowed", "Cores"},
      std::pair{"torch", "LibTorch"},      std::pair{"compiler", "Compiler"},
      std::pair{"stagelane", "Stagelane"}, std::pair{"git_revision", "Build"},
      std::pair{"system", "System"},       std::pair{"cpu_capability", "Vector units"}};
  for (const auto& [key, name] : kKeys) {
    const QString value = memberText(environment, key);
    if (!value.isEmpty()) block.facts.emplace_back(QString::fromUtf8(name), value);
  }
  return block;
}

QString predictionOf(const record::RunResult& run) {
  std::vector<double> errors;
  const record::VariantResult* worst = nullptr;
  QStringList bases;
  for (const auto& variant : run.variants) {
    if (!variant.predicted || variant.predicted->stepNs <= 0 || variant.stepNs <= 0) continue;
    errors.push_back(std::abs(variant.predicted->error));
    if (worst == nullptr || errors.back() > std::abs(worst->predicted->error)) worst = &variant;
    const QString basis = qstring(variant.predicted->basis);
    if (!bases.contains(basis)) bases << basis;
  }
  if (worst == nullptr) return {};
  return u"The predicted steps of %1 (%2) are off by %3 in the median. The largest error is %4: "
         "predicted %5, measured %6 (%7)."_s.arg(
             countedText(static_cast<std::int64_t>(errors.size()), u"variant"_s, u"variants"_s),
             bases.join(u", "_s), percentText(quantile(errors, 0.5)), qstring(worst->name),
             timeText(worst->predicted->stepNs), timeText(worst->stepNs),
             percentDifferenceText(worst->predicted->error));
}

TableBlock captureTable(const record::RunResult& run) {
  TableBlock table;
  table.header = {u"Variant"_s, u"events"_s, u"lost"_s, u"overhead"_s, u"95 % interval"_s};
  const QString dash = u"–"_s;
  const auto percent = [](double value) { return QString::number(value, 'f', 2) + u" %"_s; };
  for (const auto& variant : run.variants) {
    if (!variant.capture) continue;
    const record::CaptureResult& capture = *variant.capture;
    const auto& interval = capture.overheadCiPct;
    table.rows.push_back(
        {{qstring(variant.name), QString::number(capture.events), QString::number(capture.dropped),
          capture.overheadPct ? percent(*capture.overheadPct) : dash,
          interval ? u"%1 to %2"_s.arg(percent(interval->first), percent(interval->second)) : dash},
         {},
         false});
  }
  table.note =
      u"Overhead: share of a step spent on recording. Interval: confidence interval of the "
      "difference between turns with and without recorded operators, if there are any."_s;
  return table;
}

TableBlock layerTable(const ReportInput& input) {
  TableBlock table;
  table.header = {u"Layer"_s, u"device"_s, u"forward"_s, u"backward"_s, u"share of busy time"_s};
  for (const LayerRow& row : input.layers) {
    table.rows.push_back({{row.layer, row.device, timeText(row.forwardNs), timeText(row.backwardNs),
                           percentText(row.share, 1)},
                          {},
                          false});
  }
  table.note = u"For %1, in a step with recorded operators."_s.arg(qstring(input.layersOf));
  return table;
}

}  // namespace stagelane::ui
