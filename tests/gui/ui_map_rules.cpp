#include "tests/gui/ui_map_rules.h"

#include <gtest/gtest.h>

namespace stagelane::gui {
namespace {

/// Points of a curve may be close together, but nothing else may overlap them.
bool isPoint(const Control& control) {
  // Dots of a chart open their step as bars do.
  const bool dot = control.name.startsWith(QStringLiteral("bar.split.")) ||
                   control.name.startsWith(QStringLiteral("bar.prediction."));
  return dot || control.role == QStringLiteral("point") || control.role == QStringLiteral("cut");
}

/// Controls that can be clicked or typed into.
bool isInteractive(const Control& control) {
  static const QStringList kRoles{
      QStringLiteral("button"),  QStringLiteral("combobox"), QStringLiteral("edit"),
      QStringLiteral("spinbox"), QStringLiteral("chip"),     QStringLiteral("checkbox"),
      QStringLiteral("tab"),     QStringLiteral("row"),      QStringLiteral("bar")};
  return kRoles.contains(control.role) && !isPoint(control);
}

/// A row of a table contains boxes and stars, and a chip of a group contains others.
bool isPartOf(const Control& part, const Control& whole) {
  return whole.role == QStringLiteral("row") && part.role != QStringLiteral("row") &&
         whole.rect.adjusted(-1, -1, 1, 1).contains(part.rect);
}

bool mustBeApart(const Control& one, const Control& other) {
  if (one.dialog != other.dialog || isPartOf(one, other) || isPartOf(other, one)) return false;
  return (isInteractive(one) && (isInteractive(other) || isPoint(other))) ||
         (isPoint(one) && isInteractive(other));
}

/// The place of the window: the rail begins in its corner. A dialog is a control of its own.
QRect windowOf(const UiMapFile& map, const QString& dialog) {
  if (!dialog.isEmpty()) {
    const Control* shown = map.find(dialog);
    return shown == nullptr ? QRect() : shown->rect;
  }
  const Control* rail = map.find(QStringLiteral("rail"));
  return rail == nullptr ? QRect() : QRect(rail->rect.topLeft(), map.size);
}

std::string where(const QRect& rect) {
  return QStringLiteral("%1,%2 %3x%4")
      .arg(rect.x())
      .arg(rect.y())
      .arg(rect.width())
      .arg(rect.height())
      .toStdString();
}

}  // namespace

void expectInside(const UiMapFile& map) {
  for (const Control& control : map.controls) {
    const QRect window = windowOf(map, control.dialog);
    EXPECT_TRUE(window.contains(control.rect))
        << control.name.toStdString() << " at " << where(control.rect) << " leaves the window at "
        << where(window) << " on page " << map.page.toStdString();
  }
}

void expectApart(const UiMapFile& map) {
  for (qsizetype i = 0; i < map.controls.size(); ++i) {
    for (qsizetype j = i + 1; j < map.controls.size(); ++j) {
      const Control& one = map.controls[i];
      const Control& other = map.controls[j];
      if (mustBeApart(one, other)) {
        EXPECT_FALSE(one.rect.intersects(other.rect))
            << one.name.toStdString() << " at " << where(one.rect) << " and "
            << other.name.toStdString() << " at " << where(other.rect) << " on page "
            << map.page.toStdString();
      }
    }
  }
}

void expectTexts(const UiMapFile& map) {
  for (const Control& control : map.controls) {
    EXPECT_FALSE(control.text.trimmed().isEmpty())
        << control.name.toStdString() << " has no text on page " << map.page.toStdString();
  }
}

void expectUniqueNames(const UiMapFile& map) {
  QStringList names;
  for (const Control& control : map.controls) {
    // A step may do the same action several times on one device, and a variant has a bar a device.
    if (control.role != QStringLiteral("action") && control.role != QStringLiteral("bar")) {
      EXPECT_FALSE(names.contains(control.name)) << control.name.toStdString();
      names.append(control.name);
    }
  }
}

void expectSound(const UiMapFile& map) {
  expectInside(map);
  expectApart(map);
  expectTexts(map);
  expectUniqueNames(map);
}

}  // namespace stagelane::gui
