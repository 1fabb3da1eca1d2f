#include "ui/kit/sideways_scroll.h"

#include <QGridLayout>
#include <QScrollBar>
#include <algorithm>

namespace stagelane::ui {

SidewaysScroll::SidewaysScroll(QGridLayout* grid, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  setWidgetResizable(true);
  auto* table = new QWidget;
  grid->setContentsMargins(0, 0, 0, 0);
  // Keep the rows' heights when a scroll bar temporarily takes space.
  grid->setRowStretch(grid->rowCount(), 1);
  table->setLayout(grid);
  setWidget(table);
  // Shows the background of the panel.
  table->setAutoFillBackground(false);
  viewport()->setAutoFillBackground(false);
  fitHeight();
}

void SidewaysScroll::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  fitHeight();
}

void SidewaysScroll::fitHeight() {
  const QLayout& table = *widget()->layout();
  const int least = table.totalMinimumSize().width();
  const int wide = std::max(least, width());
  const int rows =
      table.hasHeightForWidth() ? table.totalHeightForWidth(wide) : table.totalSizeHint().height();
  setFixedHeight(rows + (least > width() ? horizontalScrollBar()->sizeHint().height() : 0));
}

}  // namespace stagelane::ui
