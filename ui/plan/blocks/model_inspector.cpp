#include "ui/plan/blocks/model_inspector.h"

#include <QButtonGroup>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QToolButton>
#include <algorithm>

#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/elided_label.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/kit/virtual_controls.h"

namespace stagelane::ui {
namespace {

constexpr int kCellRoom = 2 * (7 + 3) + 2;  ///< padding of the style sheet and margin of the style
/// Padding of a heading and room for its sort arrow. The style reserves the room on the right,
/// although the style sheet paints the arrow on the left.
constexpr int kHeadRoom = 16 + 7 + 9 + 1;
constexpr int kMostName = 220;  ///< longer names are elided where there is no room

/// The layer table; its headings and rows are in the UI map.
class LayerTable final : public QTableView, public VirtualControlSource {
 public:
  using QTableView::QTableView;

  void setModel(QAbstractItemModel* layers) override {
    QTableView::setModel(layers);
    connect(layers, &QAbstractItemModel::modelReset, this, &LayerTable::placeColumns);
    connect(layers, &QAbstractItemModel::dataChanged, this, &LayerTable::placeColumns);
    placeColumns();
  }

  /// `layers.sort.COLUMN` for each heading and `layer.NAME` for each visible row.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override {
    QList<VirtualControl> controls;
    const QHeaderView* heads = horizontalHeader();
    for (int column = 0; column < heads->count(); ++column) {
      const QString title = model()->headerData(column, Qt::Horizontal).toString();
      controls.append({u"layers.sort."_s + title, u"button"_s, title,
                       heads->sortIndicatorSection() != column             ? QString()
                       : heads->sortIndicatorOrder() == Qt::AscendingOrder ? u"ascending"_s
                                                                           : u"descending"_s,
                       QRect(heads->x() + heads->sectionViewportPosition(column), heads->y(),
                             heads->sectionSize(column), heads->height()),
                       true});
    }
    const QRect seen = viewport()->rect();
    for (int row = std::max(0, rowAt(seen.top())); row < model()->rowCount(); ++row) {
      const QRect rect = visualRect(model()->index(row, LayerTableModel::Name)).intersected(seen);
      if (rect.isEmpty()) break;
      const QString name = model()->index(row, LayerTableModel::Name).data().toString();
      controls.append({u"layer."_s + name, u"row"_s, name,
                       selectionModel()->isRowSelected(row) ? u"selected"_s : QString(),
                       rect.translated(viewport()->pos()), true});
    }
    return controls;
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    placeColumns();
    QTableView::resizeEvent(event);
  }
  void showEvent(QShowEvent* event) override {
    placeColumns();
    QTableView::showEvent(event);
  }

 private:
  /// Each column fits its heading and texts; the name column takes the rest. (The header's own size
  /// hint is too wide.) Measuring the texts is slow, so a hidden table waits until it is shown.
  void placeColumns() {
    if (!isVisible()) return;
    const QFontMetrics heads(horizontalHeader()->font());
    const QFontMetrics cells(font());
    int others = 0;
    int names = 0;
    for (int column = 0; column < model()->columnCount(); ++column) {
      const QString heading = model()->headerData(column, Qt::Horizontal).toString();
      int width = heads.horizontalAdvance(heading) + kHeadRoom;
      for (int row = 0; row < model()->rowCount(); ++row) {
        const QString text = model()->index(row, column).data().toString();
        width = std::max(width, cells.horizontalAdvance(text) + kCellRoom);
      }
      if (column == LayerTableModel::Name) {
        names = std::min(width, kMostName);
      } else {
        setColumnWidth(column, width);
        others += columnWidth(column);  // styles have a minimum width
      }
    }
    setColumnWidth(LayerTableModel::Name, std::max(names, viewport()->width() - others));
  }
};

}  // namespace

ModelInspector::ModelInspector(PlanModel* plan, QWidget* parent)
    : QWidget(parent),
      m_plan(plan),
      m_model(new LayerTableModel(plan, this)),
      m_sorted(new QSortFilterProxyModel(this)),
      m_search(new QLineEdit(this)),
      m_totals(new ElidedLabel(this)),
      m_view(new LayerTable(this)) {
  setLook(this, u"panel"_s);
  m_sorted->setSourceModel(m_model);
  m_sorted->setSortRole(LayerTableModel::kSortRole);
  m_sorted->setFilterRole(LayerTableModel::kSearchRole);
  m_sorted->setFilterKeyColumn(LayerTableModel::Name);
  m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
  setNames(m_view, u"layerTable"_s, tr("Layers of the model"));
  m_view->setProperty("look", u"figures"_s);
  m_view->setModel(m_sorted);
  m_view->setSortingEnabled(true);
  m_view->sortByColumn(LayerTableModel::Number, Qt::AscendingOrder);
  m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_view->setTabKeyNavigation(false);
  m_view->setShowGrid(false);
  m_view->setFrameShape(QFrame::NoFrame);
  m_view->verticalHeader()->hide();
  m_view->verticalHeader()->setDefaultSectionSize(measure::kTreeRowHeight - 2);
  m_view->horizontalHeader()->setHighlightSections(false);
  m_view->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  columnLayout(this, kNoRoom, {buildBar(), {m_view, 1}});
  connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
    // Rows hidden by the search stay selected.
    m_following = true;
    m_sorted->setFilterFixedString(text);
    m_following = false;
    refreshTotals();
  });
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ModelInspector::takeSelection);
  connect(plan, &PlanModel::selectionChanged, this, &ModelInspector::followSelection);
  connect(m_model, &QAbstractItemModel::modelReset, this, &ModelInspector::refreshTotals);
  refreshTotals();
  followSelection();
}

QWidget* ModelInspector::buildBar() {
  auto* bar = new QWidget(this);
  setNames(m_search, u"layerSearch"_s, tr("Search layers"));
  m_search->setPlaceholderText(tr("Search by name or type"));
  m_search->setClearButtonEnabled(true);
  m_search->setMaximumWidth(240);
  auto* group = new QButtonGroup(this);
  auto* kinds = rowLayout({.spacing = 0});
  const auto add = [&](const QString& text, const QString& name, LayerTableModel::Rows rows) {
    auto* button = new QToolButton(bar);
    button->setText(text);
    button->setCheckable(true);
    button->setChecked(rows == LayerTableModel::Rows::Blocks);
    button->setProperty("edge", rows == LayerTableModel::Rows::Blocks ? u"first"_s : u"last"_s);
    setLook(button, u"segment"_s);
    setNames(button, name, tr("Rows: %1").arg(text));
    keepChoice(button);
    addAction(new ControlAction(tr("Layers table, rows: %1").arg(text), button, this));
    group->addButton(button);
    kinds->addWidget(button);
    connect(button, &QToolButton::toggled, this, [this, rows](bool on) {
      if (on) m_model->setRows(rows);
    });
  };
  add(tr("Blocks"), u"rowsBlocks"_s, LayerTableModel::Rows::Blocks);
  add(tr("Layers"), u"rowsLayers"_s, LayerTableModel::Rows::Layers);
  setNames(m_totals, u"layerTotals"_s, tr("Totals of the model"));
  setLook(m_totals, u"muted"_s);
  m_totals->setMinimumWidth(1);  // or they keep the lanes wide while the layers are hidden
  rowLayout(bar,
            {.margins = {measure::kPanelPadding, 4, measure::kPanelPadding, 4},
             .spacing = measure::kControlGap},
            {{m_search, 1}, kinds, {m_totals, 2}});
  return bar;
}

void ModelInspector::refreshTotals() {
  std::vector<int> rows;
  for (int row = 0; row < m_sorted->rowCount(); ++row) {
    rows.push_back(m_sorted->mapToSource(m_sorted->index(row, 0)).row());
  }
  m_totals->setText(m_model->totals(rows));
  m_totals->setToolTip(m_totals->text());
  followSelection();
}

void ModelInspector::takeSelection() {
  if (m_following) return;
  m_following = true;
  bool first = true;
  for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
    const std::size_t block = m_model->blockOf(m_sorted->mapToSource(index).row());
    if (first) {
      m_plan->select(block, block);
    } else if (m_plan->selection().count(block) == 0) {
      m_plan->toggle(block, block);
    }
    first = false;
  }
  m_following = false;
}

void ModelInspector::followSelection() {
  if (m_following) return;
  m_following = true;
  QItemSelection rows;
  QModelIndex top;
  for (int row = 0; row < m_sorted->rowCount(); ++row) {
    const QModelIndex index = m_sorted->index(row, 0);
    if (m_plan->selection().count(m_model->blockOf(m_sorted->mapToSource(index).row())) > 0) {
      rows.select(index, index);
      top = top.isValid() ? top : index;
    }
  }
  m_view->selectionModel()->select(rows,
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (top.isValid()) m_view->scrollTo(top);
  m_following = false;
}

}  // namespace stagelane::ui
