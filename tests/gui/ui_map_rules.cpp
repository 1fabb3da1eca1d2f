#include "tests/gui/ui_map_rules.h"

#include <gtest/gtest.h>

namespace stagelane::gui {
namespace {

/// What a person can click or type into.
bool isInteractive(const Control& control) {
  static const QStringList kRoles{QStringLiteral("button"), QStringLiteral("combobox"),
                                  QStringLiteral("edit"),   QStringLiteral("spinbox"),
                                  QStringLiteral("chip"),   QStringLiteral("checkbox")};
  return kRoles.contains(control.role);
}

/// Where the window is: the rail begins in its corner.
QRect windowOf(const UiMapFile& map) {
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
  const QRect window = windowOf(map);
  for (const Control& control : map.controls) {
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
      if (isInteractive(one) && isInteractive(other)) {
        EXPECT_FALSE(one.rect.intersects(other.rect))
            << one.name.toStdString() << " at " << where(one.rect) << " and "
            << other.name.toStdString() << " at " << where(other.rect) << " on page "
            << map.page.toStdString();
      }
    }
  }
}

}  // namespace stagelane::gui
