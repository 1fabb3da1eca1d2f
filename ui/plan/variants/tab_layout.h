#pragma once

/// Positions of the variant tabs: side by side, scrolled if they do not fit, with the current tab
/// and the + always visible. Pure numbers.

#include <QPoint>
#include <QRect>
#include <QSize>
#include <vector>

namespace stagelane::ui {

class TabLayout {
 public:
  static constexpr int kCheck = 14;     ///< the box that includes a variant
  static constexpr int kPadding = 12;   ///< at both ends of a tab
  static constexpr int kGap = 8;        ///< between box, name and badge
  static constexpr int kSummary = 150;  ///< kept free on the right

  struct Place {
    QRect tab, check, menu;  ///< the menu is empty but for the current tab
  };

  /// Width of a tab with a name and a badge of these widths. @units pixels
  [[nodiscard]] static int widthOf(int name, int badge, bool current);
  /// @p current is the index of the shown tab, -1 for none. Scrolls only as far as needed to show
  /// it.
  void place(QSize bar, const std::vector<int>& widths, int current);
  void scrollBy(int pixels);

  [[nodiscard]] const std::vector<Place>& places() const { return m_places; }
  /// The tab at a point, -1 for none and under the arrows.
  [[nodiscard]] int tabAt(QPoint at) const;
  [[nodiscard]] bool overflows() const;
  /// Pixels for the tabs themselves.
  [[nodiscard]] int room() const;
  [[nodiscard]] bool moreBefore() const { return m_scroll > 0; }
  [[nodiscard]] bool moreAfter() const { return m_scroll < m_total - room(); }
  /// The arrows that scroll; empty if all tabs fit.
  [[nodiscard]] QRect before() const;
  [[nodiscard]] QRect after() const;
  /// The + after the last tab or after the arrows.
  [[nodiscard]] QRect add() const;

 private:
  [[nodiscard]] int furthest() const;
  [[nodiscard]] int endOfTabs() const;
  void placeTabs(const std::vector<int>& widths, int current);

  QSize m_bar;
  std::vector<Place> m_places;
  int m_scroll = 0;
  int m_total = 0;
};

}  // namespace stagelane::ui
