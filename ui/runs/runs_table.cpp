#include "ui/runs/runs_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>
#include <array>

#include "ui/kit/badge.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/sort_header.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {
namespace {

constexpr int kPadding = 6;

struct ColumnRule {
  int column;
  int width;
  int needs;  ///< minimum table width that shows it
};
constexpr std::array kRules{
    ColumnRule{RunTableModel::Checked, 30, 0},      ColumnRule{RunTableModel::Number, 42, 0},
    ColumnRule{RunTableModel::Favourite, 26, 0},    ColumnRule{RunTableModel::Started, 98, 400},
    ColumnRule{RunTableModel::Devices, 104, 900},   ColumnRule{RunTableModel::Variants, 42, 980},
    ColumnRule{RunTableModel::Best, 122, 700},      ColumnRule{RunTableModel::Time, 112, 560},
    ColumnRule{RunTableModel::Speedup, 92, 640},    ColumnRule{RunTableModel::Prediction, 78, 1060},
    ColumnRule{RunTableModel::Gradients, 74, 1140}, ColumnRule{RunTableModel::State, 164, 0}};

Tone badgeTone(RunTone tone) {
  switch (tone) {
    case RunTone::Good: return Tone::Success;
    case RunTone::Warning: return Tone::Warning;
    case RunTone::Bad: return Tone::Error;
    case RunTone::Accent: return Tone::Accent;
    default: return Tone::Neutral;
  }
}

QColor colorOfTone(const Theme& theme, RunTone tone) {
  switch (tone) {
    case RunTone::Muted: return theme.control.muted;
    case RunTone::Good: return theme.control.success;
    case RunTone::Warning: return theme.control.warning;
    case RunTone::Bad: return theme.control.error;
    case RunTone::Accent: return theme.control.accent;
    default: return theme.control.text;
  }
}

QRect checkBoxIn(const QRect& cell) {
  return {cell.center().x() - 7, cell.center().y() - 7, 15, 15};
}

class RunDelegate final : public QStyledItemDelegate {
 public:
  RunDelegate(const CurrentTheme* theme, QObject* parent)
      : QStyledItemDelegate(parent), m_theme(theme) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const Theme& theme = m_theme->theme();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->fillRect(option.rect, selected ? theme.control.selected : theme.control.panel);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      theme.control.grid);
    if (index.column() == RunTableModel::Checked) {
      paintCheck(*painter, theme, option.rect, index.data(Qt::CheckStateRole).toInt() != 0);
    } else if (index.column() == RunTableModel::State) {
      paintState(*painter, theme, option.rect, index);
    } else {
      paintWords(*painter, theme, option.rect, index);
    }
    painter->restore();
  }

  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
    if (index.column() != RunTableModel::Checked || event->type() != QEvent::MouseButtonRelease ||
        !option.rect.contains(static_cast<QMouseEvent*>(event)->pos())) {
      return false;
    }
    const bool checked = index.data(Qt::CheckStateRole).toInt() != 0;
    return model->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
  }

 private:
  static void paintCheck(QPainter& painter, const Theme& theme, const QRect& cell, bool checked) {
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(checkBoxIn(cell)).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(checked ? theme.control.accent : theme.control.border2);
    painter.setBrush(checked ? theme.control.accent : theme.control.panel);
    painter.drawRoundedRect(box, 3, 3);
    if (checked) paintIcon(painter, u"check"_s, theme.control.onAccent, box.adjusted(1, 1, -1, -1));
  }

  static void paintState(QPainter& painter, const Theme& theme, const QRect& cell,
                         const QModelIndex& index) {
    const auto tone = static_cast<RunTone>(index.data(RunTableModel::kToneRole).toInt());
    const QFontMetrics metrics(fontOf(TextSize::Caption));
    const QString text =
        metrics.elidedText(index.data().toString(), Qt::ElideRight, cell.width() - 24);
    paintBadge(&painter, theme,
               {cell.left() + kPadding, cell.center().y() - measure::kBadgeHeight / 2}, text,
               badgeTone(tone));
  }

  void paintWords(QPainter& painter, const Theme& theme, const QRect& cell,
                  const QModelIndex& index) const {
    const auto tone = static_cast<RunTone>(index.data(RunTableModel::kToneRole).toInt());
    const bool strong = index.column() == RunTableModel::Number;
    painter.setFont(fontOf(TextSize::Body, strong ? TextWeight::Bold : TextWeight::Regular));
    painter.setPen(colorOfTone(theme, tone));
    QRect place = cell.adjusted(kPadding, 0, -kPadding, 0);
    if (index.column() == RunTableModel::Favourite) {
      painter.drawText(cell, Qt::AlignCenter, index.data().toString());
      return;
    }
    if (index.column() == RunTableModel::Name) {
      place.setRight(place.right() - paintTags(painter, theme, place, index));
      painter.setFont(fontOf(TextSize::Body));
      painter.setPen(colorOfTone(theme, tone));
    }
    const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    painter.drawText(
        place, static_cast<int>(alignment),
        painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, place.width()));
  }

  /// To the right of the name, as many as leave it half of the width. @returns their width
  static int paintTags(QPainter& painter, const Theme& theme, const QRect& place,
                       const QModelIndex& index) {
    QStringList tags = index.data(RunTableModel::kTagsRole).toStringList();
    const auto widthOf = [&theme](const QString& tag) {
      return paintBadge(nullptr, theme, {}, tag, Tone::Accent) + 4;
    };
    int taken = 0;
    qsizetype shown = 0;
    while (shown < tags.size() && taken + widthOf(tags[shown]) <= place.width() / 2) {
      taken += widthOf(tags[shown++]);
    }
    int left = place.right() - taken + 4;
    for (const QString& tag : tags.mid(0, shown)) {
      paintBadge(&painter, theme, {left, place.center().y() - measure::kBadgeHeight / 2}, tag,
                 Tone::Accent);
      left += widthOf(tag);
    }
    return taken;
  }

  const CurrentTheme* m_theme;
};

}  // namespace

RunsTable::RunsTable(RunTableModel* model, const CurrentTheme* theme, QWidget* parent)
    : QTableView(parent), m_runs(model) {
  setModel(model);
  setNames(this, u"runsTable"_s, tr("Runs"));
  setItemDelegate(new RunDelegate(theme, this));
  setFrameShape(QFrame::NoFrame);
  setShowGrid(false);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setTabKeyNavigation(false);
  setWordWrap(false);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(measure::kHistoryRowHeight);
  setHorizontalHeader(new SortHeader(Qt::Horizontal, this));
  QHeaderView* header = horizontalHeader();
  header->setHighlightSections(false);
  header->setSectionsClickable(true);
  header->setSortIndicatorShown(true);
  header->setSortIndicator(RunTableModel::Started, Qt::DescendingOrder);
  header->setMinimumSectionSize(24);
  header->setSectionResizeMode(QHeaderView::Fixed);
  header->setSectionResizeMode(RunTableModel::Name, QHeaderView::Stretch);
  header->setFixedHeight(28);
  setSortingEnabled(true);
  for (const ColumnRule& rule : kRules) setColumnWidth(rule.column, rule.width);
  connect(model, &QAbstractItemModel::modelAboutToBeReset, this,
          [this] { m_selected = selectedFolders(); });
  connect(model, &QAbstractItemModel::modelReset, this, &RunsTable::selectAgain);
}

void RunsTable::setRuns(RunListPtr runs) {
  const int top = rowAt(0);
  if (top >= 0 && verticalScrollBar()->value() > 0) {
    m_top = Top{m_runs->folderOf(top), -rowViewportPosition(top)};
  }
  m_runs->setRuns(std::move(runs));
  m_top.reset();
}

void RunsTable::selectAgain() {
  const auto orSuccessor = [this](const QString& folder) {
    return m_runs->rowOf(folder) >= 0 ? folder : m_runs->successorOf(folder);
  };
  const QList<int> rows = m_runs->rowsOf(m_selected);
  const bool stayed = m_runs->rowOf(m_kept) >= 0;
  showFolder(orSuccessor(m_kept));
  if (!rows.isEmpty()) {
    QItemSelection selection;
    for (const int row : rows) {
      selection.select(m_runs->index(row, 0), m_runs->index(row, RunTableModel::kColumnCount - 1));
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  }
  if (const int top = m_top ? m_runs->rowOf(orSuccessor(m_top->folder)) : -1; top >= 0) {
    verticalScrollBar()->setValue(verticalHeader()->sectionPosition(top) + m_top->hidden);
    if (!stayed) scrollTo(currentIndex());
  }
}

void RunsTable::placeColumns() {
  const int room = viewport()->width();
  for (const ColumnRule& rule : kRules) setColumnHidden(rule.column, room < rule.needs);
}

void RunsTable::resizeEvent(QResizeEvent* event) {
  placeColumns();
  QTableView::resizeEvent(event);
}

QStringList RunsTable::selectedFolders() const {
  QStringList folders;
  QModelIndexList rows = selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  for (const QModelIndex& row : rows) folders.append(m_runs->folderOf(row.row()));
  return folders;
}

QString RunsTable::currentFolder() const { return m_runs->folderOf(currentIndex().row()); }

void RunsTable::showFolder(const QString& folder) {
  const int row = std::max(0, m_runs->rowOf(folder));
  if (row < m_runs->rowCount()) {
    // While Ctrl is held, as in Ctrl+4, selectRow adds to the selection.
    clearSelection();
    selectRow(row);
    scrollTo(m_runs->index(row, RunTableModel::Name));
  } else {
    Q_EMIT currentFolderChanged({});
  }
}

void RunsTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  if (current.isValid()) {
    m_kept = m_runs->folderOf(current.row());
    Q_EMIT currentFolderChanged(m_kept);
  }
}

void RunsTable::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space) {
    const QString before = currentFolder();
    QTableView::keyPressEvent(event);
    if (currentFolder() != before) Q_EMIT rowChosen();
    return;
  }
  const QStringList folders = selectedFolders();
  const bool all = std::all_of(folders.begin(), folders.end(), [this](const QString& folder) {
    return m_runs->checked().contains(folder);
  });
  for (const QString& folder : folders) m_runs->setChecked(folder, !all);
}

void RunsTable::mousePressEvent(QMouseEvent* event) {
  QTableView::mousePressEvent(event);
  if (indexAt(event->pos()).isValid()) Q_EMIT rowChosen();
}

void RunsTable::mouseReleaseEvent(QMouseEvent* event) {
  QTableView::mouseReleaseEvent(event);
  const QModelIndex index = indexAt(event->pos());
  if (event->button() == Qt::LeftButton && index.column() == RunTableModel::Favourite) {
    Q_EMIT favouriteClicked(m_runs->folderOf(index.row()));
  }
}

QList<VirtualControl> RunsTable::virtualControls() const {
  QList<VirtualControl> controls;
  const QRect seen = viewport()->geometry();
  const int first = std::max(0, rowAt(0));
  for (int row = first; row < m_runs->rowCount(); ++row) {
    const QRect cell = visualRect(m_runs->index(row, RunTableModel::State));
    if (cell.top() >= viewport()->height()) break;
    const workspace::RunEntry& entry = m_runs->entry(row);
    const QString name = u"run.%1"_s.arg(entry.number);
    const QRect line(0, cell.top(), viewport()->width(), cell.height());
    const auto add = [&](const QString& part, const QString& role, const QString& text,
                         const QString& value, const QRect& rect) {
      const QRect inside = rect.translated(seen.topLeft()).intersected(seen);
      if (!inside.isEmpty()) controls.append({name + part, role, text, value, inside, true});
    };
    add({}, u"row"_s, shownName(entry.name), stateText(entry), line);
    const bool ticked = m_runs->checked().contains(qstring(entry.folder));
    add(u".check"_s, u"checkbox"_s, tr("compare"), ticked ? u"true"_s : u"false"_s,
        checkBoxIn(visualRect(m_runs->index(row, RunTableModel::Checked))));
    add(u".favourite"_s, u"button"_s, tr("favorite"),
        entry.labels.favourite ? u"true"_s : u"false"_s,
        visualRect(m_runs->index(row, RunTableModel::Favourite)));
  }
  const QHeaderView* header = horizontalHeader();
  for (int column = 0; column < RunTableModel::kColumnCount; ++column) {
    const QString title = m_runs->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    if (!title.isEmpty() && !isColumnHidden(column)) {
      controls.append({u"runs.sort."_s + title, u"button"_s, title,
                       header->sortIndicatorSection() == column
                           ? header->sortIndicatorOrder() == Qt::AscendingOrder ? u"ascending"_s
                                                                                : u"descending"_s
                           : QString(),
                       QRect(header->x() + header->sectionViewportPosition(column), header->y(),
                             header->sectionSize(column), header->height()),
                       true});
    }
  }
  return controls;
}

}  // namespace stagelane::ui
