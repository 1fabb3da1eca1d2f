#include "ui/plan/blocks/block_tree.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/kit/virtual_controls.h"
#include "ui/plan/plan_model/plan_selection.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr qsizetype kMostMarks = 3;

/// Draws the device marks: an outlined digit for each lane.
class DeviceDelegate final : public QStyledItemDelegate {
 public:
  DeviceDelegate(const CurrentTheme* theme, QObject* parent)
      : QStyledItemDelegate(parent), m_theme(theme) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const auto lanes = index.data(BlockTreeModel::kLanesRole).value<QList<int>>();
    QStringList marks;
    for (const int lane : lanes) marks.append(QString::number(lane));
    if (marks.size() > kMostMarks) marks = {marks.first(), QString(QChar(u'…')), marks.last()};
    const ControlColors& colors = m_theme->theme().control;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(fontOf(TextSize::Caption));
    qreal x = option.rect.right() - 8.5 - 16.0 * static_cast<qreal>(marks.size());
    for (const QString& mark : marks) {
      const QRectF box(x + 3, option.rect.center().y() - 6.5, 13, 14);
      painter->setPen(option.state.testFlag(QStyle::State_Selected) ? colors.accent
                                                                    : colors.border2);
      painter->drawRoundedRect(box, 2, 2);
      painter->setPen(colors.muted);
      painter->drawText(box, Qt::AlignCenter, mark);
      x += 16;
    }
    painter->restore();
  }

 private:
  const CurrentTheme* m_theme;
};

/// Branch arrows from the icon sheet.
class Tree final : public QTreeView, public VirtualControlSource {
 public:
  Tree(const CurrentTheme* theme, QWidget* parent) : QTreeView(parent), m_theme(theme) {}

  /// `block.PATH` for each visible row.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override {
    QList<VirtualControl> rows;
    const QRect seen = viewport()->rect();
    for (QModelIndex row = indexAt(seen.topLeft()); row.isValid(); row = indexBelow(row)) {
      const QRect rect = visualRect(row);
      if (!rect.intersects(seen)) break;
      rows.append(
          {u"block."_s + row.data(BlockTreeModel::kPathRole).toString(), u"row"_s,
           row.data().toString(),
           selectionModel()->isRowSelected(row.row(), row.parent()) ? u"selected"_s : QString(),
           rect.intersected(seen).translated(viewport()->pos()), true});
    }
    return rows;
  }

 protected:
  void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override {
    const ControlColors& colors = m_theme->theme().control;
    if (selectionModel()->isRowSelected(index.row(), index.parent())) {
      painter->fillRect(rect, colors.selected);
    }
    if (model()->hasChildren(index)) {
      const QRectF box(rect.right() - 15, rect.center().y() - 7, 16, 16);
      paintIcon(*painter, isExpanded(index) ? u"down"_s : u"right"_s, colors.muted, box);
    }
  }

 private:
  const CurrentTheme* m_theme;
};

}  // namespace

BlockTree::BlockTree(PlanModel* plan, QWidget* parent)
    : QWidget(parent),
      m_plan(plan),
      m_model(new BlockTreeModel(plan, this)),
      m_filtered(new QSortFilterProxyModel(this)),
      m_filter(new QLineEdit(this)),
      m_view(new Tree(plan->session().currentTheme(), this)),
      m_summary(new QLabel(this)) {
  setProperty("look", u"panel"_s);
  setAttribute(Qt::WA_StyledBackground);
  m_filter->setObjectName(u"blockFilter"_s);
  m_filter->setToolTip(tr("Show only blocks whose name contains this text"));
  m_filter->setAccessibleName(tr("Filter blocks"));
  m_filter->setPlaceholderText(tr("Filter blocks"));
  m_filter->setClearButtonEnabled(true);
  m_filtered->setSourceModel(m_model);
  m_filtered->setRecursiveFilteringEnabled(true);
  m_filtered->setFilterRole(BlockTreeModel::kPathRole);
  m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_summary->setObjectName(u"selectionSummary"_s);
  m_summary->setAccessibleName(tr("Selection"));
  m_summary->setProperty("look", u"muted"_s);
  m_summary->setContentsMargins(12, 6, 12, 6);
  buildView();
  buildLayout();
  connect(m_filter, &QLineEdit::textChanged, this, &BlockTree::filterFor);
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &BlockTree::takeSelection);
  connect(plan, &PlanModel::selectionChanged, this, &BlockTree::showSelection);
  connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
    expandDefault();
    showSelection();
  });
  expandDefault();
  showSelection();
}

void BlockTree::buildView() {
  m_view->setObjectName(u"blockTree"_s);
  m_view->setAccessibleName(tr("Blocks and layers"));
  m_view->setModel(m_filtered);
  m_view->setUniformRowHeights(true);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_view->setIndentation(16);
  m_view->setFrameShape(QFrame::NoFrame);
  m_view->setItemDelegateForColumn(BlockTreeModel::Device,
                                   new DeviceDelegate(m_plan->session().currentTheme(), m_view));
  m_view->header()->setStretchLastSection(false);
  m_view->header()->setSectionResizeMode(BlockTreeModel::Name, QHeaderView::Stretch);
  for (const int column :
       {int(BlockTreeModel::Parameters), int(BlockTreeModel::Time), int(BlockTreeModel::Device)}) {
    m_view->header()->setSectionResizeMode(column, QHeaderView::Fixed);
  }
  m_view->header()->setMinimumSectionSize(40);
  m_view->setColumnWidth(BlockTreeModel::Parameters, 56);
  m_view->setColumnWidth(BlockTreeModel::Time, 66);
  m_view->setColumnWidth(BlockTreeModel::Device, 58);
}

void BlockTree::buildLayout() {
  auto* filterRow = rowLayout({.margins = {12, 8, 12, 4}}, {m_filter});
  auto* line = new QFrame(this);
  line->setProperty("look", u"line"_s);
  line->setFixedHeight(1);
  columnLayout(this, kNoRoom, {filterRow, {m_view, 1}, line, m_summary});
}

/// Blocks hidden by the filter stay selected.
void BlockTree::filterFor(const QString& text) {
  m_following = true;
  m_filtered->setFilterFixedString(text);
  if (text.isEmpty()) {
    m_view->collapseAll();
    expandDefault();
  } else {
    m_view->expandAll();
  }
  m_following = false;
  showSelection();
}

void BlockTree::focusFilter() {
  m_filter->setFocus(Qt::ShortcutFocusReason);
  m_filter->selectAll();
}

void BlockTree::expandDefault() { m_view->expandToDepth(0); }

void BlockTree::takeSelection() {
  if (m_following) return;
  m_following = true;
  const QModelIndexList rows = m_view->selectionModel()->selectedRows();
  for (qsizetype at = 0; at < rows.size(); ++at) {
    const auto blocks = m_model->blocksOf(m_filtered->mapToSource(rows[at]));
    if (at == 0) {
      m_plan->select(blocks.first, blocks.second);
    } else if (m_plan->selection().count(blocks.first) == 0) {
      m_plan->toggle(blocks.first, blocks.second);
    }
  }
  if (rows.isEmpty()) m_plan->clearSelection();
  m_following = false;
  showSelection();
}

void BlockTree::showSelection() {
  TimeNs time = 0;
  std::int64_t parameters = 0;
  QItemSelection rows;
  for (const std::size_t block : m_plan->selection()) {
    const BlockFigures& figures = m_plan->table()->blocks[block];
    time += figures.timeNs();
    parameters += figures.parameters;
    if (const QModelIndex index = rowToMark(block); index.isValid()) rows.select(index, index);
  }
  const auto count = static_cast<std::int64_t>(m_plan->selection().size());
  m_summary->setText(count == 0
                         ? tr("Nothing selected")
                         : u"%1 · %2 · %3"_s.arg(
                               countedText(count, tr("block"), tr("blocks")), countText(parameters),
                               approximately(m_plan->table()->basis) + timeText(time)));
  if (!m_following) {
    m_following = true;
    m_view->selectionModel()->select(
        rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!rows.isEmpty()) m_view->scrollTo(rows.first().topLeft());
    m_following = false;
  }
}

/// Selects a block's row, or its closed group's row if the whole group is selected. A closed group
/// that is selected in part opens.
QModelIndex BlockTree::rowToMark(std::size_t block) {
  const QModelIndex row = m_filtered->mapFromSource(m_model->indexOfBlock(block));
  QModelIndexList above;
  for (QModelIndex parent = row.parent(); parent.isValid(); parent = parent.parent()) {
    above.prepend(parent);
  }
  for (const QModelIndex& group : above) {
    if (m_view->isExpanded(group)) continue;
    const auto blocks = m_model->blocksOf(m_filtered->mapToSource(group));
    if (m_plan->selected(blocks.first, blocks.second) == Selected::All) return group;
    if (!m_following) m_view->expand(group);
  }
  return row;
}

}  // namespace stagelane::ui
