#pragma once

/// The header of a sortable table. Its arrow points down for descending order; Qt's points up.

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
