#pragma once

/// The head of a table that can be sorted by its columns. Its arrow points down where the largest
/// comes first, as people read it; Qt's points up.

#include <QHeaderView>
#include <QStyleOptionHeader>

namespace stagelane::ui {

class SortHeader final : public QHeaderView {
 public:
  using QHeaderView::QHeaderView;

 protected:
  void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
    QHeaderView::initStyleOptionForIndex(option, section);
    if (option->sortIndicator == QStyleOptionHeader::SortUp) {
      option->sortIndicator = QStyleOptionHeader::SortDown;
    } else if (option->sortIndicator == QStyleOptionHeader::SortDown) {
      option->sortIndicator = QStyleOptionHeader::SortUp;
    }
  }
};

}  // namespace stagelane::ui
