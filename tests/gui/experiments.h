#pragma once

/// Experiments that the tests run: the preset toy, and the same model made long enough that a
/// person can act while it runs.

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

namespace stagelane::gui {

/// A file's JSON object; empty when it cannot be read.
[[nodiscard]] QJsonObject readJson(const QString& path);

/// Copies the preset toy-wide to a user's own file. @returns its path
[[nodiscard]] QString copyOfWide(const QString& path);

/// Writes the toy with so many repeats that a run lasts for minutes, each of them a fraction of a
/// second; variants are one on a single device and one pipeline. @returns its path
[[nodiscard]] QString writeLongToy(const QString& folder);

}  // namespace stagelane::gui
