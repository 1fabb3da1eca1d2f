#include "tests/gui/experiments.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include "tests/support/paths.h"

namespace stagelane::gui {

QJsonObject readJson(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                        : QJsonObject();
}

QString copyOfWide(const QString& path) {
  EXPECT_TRUE(QFile::copy(
      QString::fromStdString(checkout::root() + "/resources/presets/toy-wide.json"), path));
  return path;
}

QString writeLongToy(const QString& folder) {
  QJsonObject toy =
      readJson(QString::fromStdString(checkout::root() + "/resources/presets/toy.json"));
  EXPECT_FALSE(toy.isEmpty());
  toy[QStringLiteral("name")] = QStringLiteral("Long toy");
  toy[QStringLiteral("repeat")] = 20000;
  toy[QStringLiteral("baseline_sweep")] = false;
  QJsonObject data = toy[QStringLiteral("data")].toObject();
  data[QStringLiteral("batches")] = 50;
  toy[QStringLiteral("data")] = data;
  QJsonObject pipeline = toy[QStringLiteral("variants")].toArray().at(2).toObject();
  pipeline[QStringLiteral("schedule")] = QStringLiteral("1f1b");
  pipeline[QStringLiteral("placement")] =
      toy[QStringLiteral("variants")].toArray().at(1).toObject()[QStringLiteral("placement")];
  toy[QStringLiteral("variants")] =
      QJsonArray{toy[QStringLiteral("variants")].toArray().at(0), pipeline};
  EXPECT_TRUE(QDir().mkpath(folder)) << folder.toStdString();
  const QString path = folder + QStringLiteral("/long-toy.json");
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::WriteOnly)) << path.toStdString();
  file.write(QJsonDocument(toy).toJson());
  return path;
}

}  // namespace stagelane::gui
