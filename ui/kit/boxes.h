#pragma once

/// Rows and columns of widgets, written as a list of what they hold. Forms and grids are laid out
/// with Qt's own classes.

#include <QBoxLayout>
#include <QMargins>
#include <initializer_list>

#include "ui/kit/theme.h"

namespace stagelane::ui {

/// Empty space that grows with its share of what is left over.
struct Stretch {
  int share = 1;
};

/// Empty space of a fixed length, in pixels.
struct Gap {
  int length = 0;
};

/// What a box holds: a widget, a layout, or empty space.
class BoxItem {
 public:
  BoxItem(QWidget* widget, int stretch = 0, Qt::Alignment alignment = {})
      : m_widget(widget), m_stretch(stretch), m_alignment(alignment) {}
  BoxItem(QLayout* layout, int stretch = 0) : m_layout(layout), m_stretch(stretch) {}
  BoxItem(Stretch stretch) : m_stretch(stretch.share) {}
  BoxItem(Gap gap) : m_gap(gap.length) {}

  void addTo(QBoxLayout& box) const;

 private:
  QWidget* m_widget = nullptr;
  QLayout* m_layout = nullptr;
  int m_stretch = 0;
  int m_gap = 0;
  Qt::Alignment m_alignment;
};
using BoxItems = std::initializer_list<BoxItem>;

/// Room around the items and between them, in pixels; negative: as in the style.
struct BoxRoom {
  QMargins margins{-1, -1, -1, -1};
  int spacing = -1;
};
inline constexpr BoxRoom kNoRoom{{0, 0, 0, 0}, 0};
/// For the bar with the controls of a page, which has a fixed height.
inline constexpr BoxRoom kToolbarRoom{{measure::kPanelPadding, 0, measure::kPanelPadding, 0},
                                      measure::kControlGap};

/// Lays `items` out in `host`, from its start to its end.
QHBoxLayout* rowLayout(QWidget* host, const BoxRoom& room, BoxItems items = {});
/// Lays `items` out in `host`, from its top to its bottom.
QVBoxLayout* columnLayout(QWidget* host, const BoxRoom& room, BoxItems items = {});
/// The same as a part of another layout, which must take them.
QHBoxLayout* rowLayout(const BoxRoom& room, BoxItems items = {});
QVBoxLayout* columnLayout(const BoxRoom& room, BoxItems items = {});

}  // namespace stagelane::ui
