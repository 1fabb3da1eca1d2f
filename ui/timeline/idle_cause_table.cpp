#include "ui/timeline/idle_cause_table.h"

#include <QHeaderView>
#include <algorithm>

namespace stagelane::ui {
namespace {

constexpr int kHeaderHeight = 20;
constexpr int kLowestRow = 15, kHighestRow = 20;

}  // namespace

IdleCauseTable::IdleCauseTable(QWidget* parent) : QTableView(parent) {
  setTabKeyNavigation(false);
  horizontalHeader()->setFixedHeight(kHeaderHeight);
  verticalHeader()->setMinimumSectionSize(kLowestRow);
}

void IdleCauseTable::setModel(QAbstractItemModel* model) {
  QTableView::setModel(model);
  if (model != nullptr)
    connect(model, &QAbstractItemModel::modelReset, this, [this] { fitRows(); });
  fitRows();
}

int IdleCauseTable::wantedWidth() const {
  return horizontalHeader()->length() + 2 * frameWidth() + 2;
}

void IdleCauseTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitRows();
}

void IdleCauseTable::fitRows() {
  const int rows = model() == nullptr ? 0 : model()->rowCount();
  if (rows == 0) return;
  const int room = (height() - kHeaderHeight - 2 * frameWidth()) / rows;
  verticalHeader()->setDefaultSectionSize(std::clamp(room, kLowestRow, kHighestRow));
}

}  // namespace stagelane::ui
