#include "ui/session/document/setting_text.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <map>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kTypedDigits = 15;  ///< keeps a number as it was typed: 0.1, not 0.1000…01

struct Part {
  const char* pointer;
  const char* words;
  bool ofSample;  ///< counts per sample, not only per repeat
};
constexpr Part kParts[] = {{"/model", QT_TRANSLATE_NOOP("QObject", "models"), true},
                           {"/input", QT_TRANSLATE_NOOP("QObject", "inputs"), true},
                           {"/data/batch_size", QT_TRANSLATE_NOOP("QObject", "batch sizes"), false},
                           {"/data/batches", QT_TRANSLATE_NOOP("QObject", "batch counts"), false},
                           {"/task", QT_TRANSLATE_NOOP("QObject", "tasks"), true},
                           {"/precision", QT_TRANSLATE_NOOP("QObject", "precisions"), true}};

Json settingAt(const Json& experiment, const char* pointer) {
  const Json::json_pointer place(pointer);
  return experiment.is_object() && experiment.contains(place) ? experiment.at(place) : Json();
}

/// "max 8 GiB"
QString budgetText(const Json& value) {
  return QObject::tr("max ") +
         (value.is_number_integer() ? bytesText(value.get<Bytes>()) : settingText(value));
}

QString objectText(const Json& value) {
  QString name;
  QStringList parts;
  for (const auto& [key, member] : value.items()) {
    if (key == "id" || key == "zoo" || key == "name") {
      name = settingText(member);
    } else if (key == "max_memory") {
      parts.append(budgetText(member));
    } else {
      parts.append(qstring(key).replace(QChar(u'_'), QChar(u' ')) + QChar(u' ') +
                   settingText(member));
    }
  }
  const QString rest = parts.join(u", "_s);
  return name.isEmpty() || rest.isEmpty() ? name + rest : u"%1 (%2)"_s.arg(name, rest);
}

}  // namespace

QString settingText(const Json& value) {
  if (value.is_null()) return u"–"_s;
  if (value.is_boolean()) return value.get<bool>() ? QObject::tr("yes") : QObject::tr("no");
  if (value.is_string()) return qstring(value.get<std::string>());
  if (value.is_object()) return value.empty() ? QObject::tr("none") : objectText(value);
  if (value.is_number_float()) return preciseText(value.get<double>(), kTypedDigits);
  if (!value.is_array()) return qstring(value.dump());
  QStringList parts;
  for (const Json& one : value) parts.append(settingText(one));
  return parts.isEmpty() ? QObject::tr("none") : parts.join(u", "_s);
}

QString settingName(const std::string& pointer) {
  static const std::map<std::string, const char*> kNames{
      {"/repeat", QT_TRANSLATE_NOOP("QObject", "repeats")},
      {"/warmup", QT_TRANSLATE_NOOP("QObject", "warm-up repeats")},
      {"/data/batch_size", QT_TRANSLATE_NOOP("QObject", "batch size")},
      {"/data/batches", QT_TRANSLATE_NOOP("QObject", "batches per repeat")},
      {"/data/seed", QT_TRANSLATE_NOOP("QObject", "seed")},
      {"/optimizer/lr", QT_TRANSLATE_NOOP("QObject", "learning rate")},
      {"/optimizer/kind", QT_TRANSLATE_NOOP("QObject", "optimizer")},
      {"/model/zoo", QT_TRANSLATE_NOOP("QObject", "model")},
      {"/name", QT_TRANSLATE_NOOP("QObject", "experiment")}};
  if (const auto found = kNames.find(pointer); found != kNames.end()) {
    return QObject::tr(found->second);
  }
  QString name = qstring(pointer).mid(1);
  name.replace(u"~1"_s, u"/"_s).replace(QChar(u'_'), QChar(u' '));
  return name.replace(QChar(u'/'), u" › "_s);
}

QString differentWork(const std::vector<const Json*>& experiments, WorkOf work) {
  QStringList different;
  for (const Part& part : kParts) {
    if (work == WorkOf::Sample && !part.ofSample) continue;
    const Json first = settingAt(*experiments.front(), part.pointer);
    if (std::any_of(experiments.begin(), experiments.end(), [&](const Json* experiment) {
          return settingAt(*experiment, part.pointer) != first;
        })) {
      different.append(QObject::tr(part.words));
    }
  }
  if (different.size() < 2) return different.value(0);
  const QString last = different.takeLast();
  return QObject::tr("%1 and %2").arg(different.join(u", "_s), last);
}

}  // namespace stagelane::ui
