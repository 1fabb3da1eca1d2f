#include "tests/gui/ui_map_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace stagelane::gui {
namespace {

Control controlOf(const QJsonObject& json) {
  const QJsonArray rect = json[QStringLiteral("rect")].toArray();
  return {json[QStringLiteral("name")].toString(),
          json[QStringLiteral("role")].toString(),
          json[QStringLiteral("text")].toString(),
          json[QStringLiteral("value")].toString(),
          json[QStringLiteral("enabled")].toBool(),
          QRect(rect.at(0).toInt(), rect.at(1).toInt(), rect.at(2).toInt(), rect.at(3).toInt()),
          json[QStringLiteral("dialog")].toString()};
}

}  // namespace

std::optional<UiMapFile> UiMapFile::read(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
  return parse(file.readAll());
}

UiMapFile UiMapFile::parse(const QByteArray& text) {
  const QJsonObject json = QJsonDocument::fromJson(text).object();
  const QJsonArray size = json[QStringLiteral("size")].toArray();
  UiMapFile map;
  map.size = QSize(size.at(0).toInt(), size.at(1).toInt());
  map.page = json[QStringLiteral("page")].toString();
  map.focus = json[QStringLiteral("focus")].toString();
  for (const QJsonValue& control : json[QStringLiteral("controls")].toArray()) {
    map.controls.append(controlOf(control.toObject()));
  }
  return map;
}

const Control* UiMapFile::find(const QString& name) const {
  const auto found = std::find_if(controls.begin(), controls.end(),
                                  [&](const Control& control) { return control.name == name; });
  return found == controls.end() ? nullptr : &*found;
}

QString UiMapFile::textOf(const QString& name) const {
  const Control* control = find(name);
  return control == nullptr ? QString() : control->text;
}

QString UiMapFile::valueOf(const QString& name) const {
  const Control* control = find(name);
  return control == nullptr ? QString() : control->value;
}

bool UiMapFile::isEnabled(const QString& name) const {
  const Control* control = find(name);
  return control != nullptr && control->enabled;
}

QStringList UiMapFile::namesThatBegin(const QString& prefix) const {
  QStringList names;
  for (const Control& control : controls) {
    if (control.name.startsWith(prefix)) names.append(control.name);
  }
  return names;
}

QString UiMapFile::describe() const {
  QString text =
      QStringLiteral("page %1, keys go to %2, %3 controls\n").arg(page, focus).arg(controls.size());
  for (const Control& control : controls) {
    text += QStringLiteral("  %1 [%2]%3 \"%4\" = \"%5\"\n")
                .arg(control.name, control.role,
                     control.enabled ? QString() : QStringLiteral(" disabled"),
                     control.text.left(80), control.value.left(40));
  }
  return text;
}

}  // namespace stagelane::gui
