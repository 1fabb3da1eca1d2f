#include "ui/timeline/timeline_events.h"

#include <QScopedValueRollback>
#include <QScrollBar>

#include "ui/kit/look.h"
#include "ui/kit/sort_header.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr const char* kColumnNames[kEventColumns] = {"action", "device", "start", "duration",
                                                     "toPredicted"};

constexpr int kLeastColumn = 84;  ///< the name of a transfer beside its swatch

}  // namespace

TimelineEvents::TimelineEvents(QWidget* parent) : QTableView(parent) {
  setModel(&m_model);
  setLook(this, u"events"_s);
  setTabKeyNavigation(false);
  setHorizontalHeader(new SortHeader(Qt::Horizontal, this));
  horizontalHeader()->setSectionsClickable(true);
  horizontalHeader()->setMinimumSectionSize(kLeastColumn);
  horizontalHeader()->setSortIndicator(static_cast<int>(EventColumn::Start), Qt::AscendingOrder);
  setSortingEnabled(true);
  connect(&m_model, &StepEventsModel::sortWanted, this, [this](const EventSort& sort) {
    m_sort = sort;
    if (m_model.list()) showList(m_model.list());
  });
  connect(this, &QTableView::clicked, this,
          [this](const QModelIndex& index) { Q_EMIT chosen(m_model.targetOf(index.row())); });
  connect(this, &QTableView::doubleClicked, this,
          [this](const QModelIndex& index) { Q_EMIT zoomWanted(m_model.targetOf(index.row())); });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &TimelineEvents::scrolled);
}

void TimelineEvents::setStep(TimelineDataPtr timeline, EventListPtr list) {
  m_job.cancel();
  m_data = std::move(timeline);
  m_step = std::move(list);
  m_target = {};
  m_ofArea = false;
  setColumnHidden(static_cast<int>(EventColumn::ToPredicted),
                  !m_data || m_data->predicted() == nullptr);
  showList(m_step);
}

void TimelineEvents::setArea(const EventListPtr& list) {
  m_target = {};
  m_ofArea = true;
  showList(list);
}

void TimelineEvents::showTarget(const TimelineTarget& target) {
  m_target = target;
  if (target.kind == TimelineTarget::Kind::Event && m_ofArea && !m_model.placeOf(target)) {
    m_ofArea = false;
    showList(m_step);
    return;
  }
  selectTarget();
}

void TimelineEvents::showList(const EventListPtr& list) {
  m_job.cancel();
  if (!list || list->events.empty() || list->sort == m_sort) {
    take(list);
  } else if (list->complete && list->events.size() <= kMostTableEvents) {
    const std::atomic<bool> never{false};
    take(sortedEvents(*m_data, list->range, m_sort, never));
  } else {
    take(list);
    putInOrder(list->range);
  }
}

void TimelineEvents::putInOrder(const EventRange& range) {
  m_job.start([this, data = m_data, range, sort = m_sort](const std::atomic<bool>& canceled) {
    EventListPtr list = sortedEvents(*data, range, sort, canceled);
    return list == nullptr ? std::function<void()>()
                           : std::function<void()>([this, list] { take(list); });
  });
  Q_EMIT noteChanged();
}

void TimelineEvents::take(const EventListPtr& list) {
  const EventListPtr before = m_model.list();
  const bool more = before && list && before->sort == list->sort && before->range == list->range;
  if (!m_ofArea) m_step = list;
  if (more) {
    const int top = verticalScrollBar()->value();
    const QScopedValueRollback moving(m_moving, true);
    m_model.setEvents(m_data, list, m_model.first());
    verticalScrollBar()->setValue(top);
  } else {
    const QScopedValueRollback moving(m_moving, true);
    m_model.setEvents(m_data, list);
    scrollToTop();
  }
  selectTarget();
  Q_EMIT noteChanged();
}

void TimelineEvents::selectTarget() {
  if (m_target.kind != TimelineTarget::Kind::Event || !m_model.list()) {
    clearSelection();
    return;
  }
  const auto place = m_model.placeOf(m_target);
  if (!place) {
    clearSelection();
    // It may follow the listed events.
    if (!m_model.list()->complete && !m_job.running()) putInOrder(m_model.list()->range);
    return;
  }
  const auto rows = static_cast<std::size_t>(m_model.rowCount());
  if (*place < m_model.first() || *place >= m_model.first() + rows) {
    const QScopedValueRollback moving(m_moving, true);
    m_model.setEvents(m_data, m_model.list(), *place - std::min(*place, kMostTableEvents / 2));
    Q_EMIT noteChanged();
  }
  const int row = static_cast<int>(*place - m_model.first());
  const QScopedValueRollback moving(m_moving, true);
  selectRow(row);
  scrollTo(m_model.index(row, 0));
}

void TimelineEvents::scrolled(int value) {
  const QScrollBar& bar = *verticalScrollBar();
  const EventListPtr list = m_model.list();
  if (m_moving || !list || bar.maximum() == 0) return;
  const auto rows = static_cast<std::size_t>(m_model.rowCount());
  const std::size_t half = kMostTableEvents / 2;
  if (value == bar.maximum() && m_model.first() + rows < list->events.size()) {
    moveWindow(m_model.first() + half);
  } else if (value == bar.maximum() && !list->complete && !m_job.running()) {
    putInOrder(list->range);
  } else if (value == bar.minimum() && m_model.first() > 0) {
    moveWindow(m_model.first() - std::min(half, m_model.first()));
  }
}

void TimelineEvents::moveWindow(std::size_t first) {
  const std::size_t top = m_model.first() + static_cast<std::size_t>(std::max(0, rowAt(0)));
  const QScopedValueRollback moving(m_moving, true);
  m_model.setEvents(m_data, m_model.list(), first);
  scrollTo(m_model.index(static_cast<int>(top - m_model.first()), 0), PositionAtTop);
  if (const int row = m_model.rowOf(m_target); row >= 0) {
    selectionModel()->select(m_model.index(row, 0),
                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  }
  Q_EMIT noteChanged();
}

QList<VirtualControl> TimelineEvents::virtualControls() const {
  QList<VirtualControl> controls;
  const QHeaderView& head = *horizontalHeader();
  for (int column = 0; column < kEventColumns; ++column) {
    const QString title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const bool sorted = static_cast<int>(m_sort.column) == column;
    const QString order = !sorted             ? QString()
                          : m_sort.descending ? u"descending"_s
                                              : u"ascending"_s;
    controls.append({u"events.sort.%1"_s.arg(QLatin1String(kColumnNames[column])), u"button"_s,
                     title, order,
                     QRect(head.x() + head.sectionViewportPosition(column), head.y(),
                           head.sectionSize(column), head.height()),
                     true});
  }
  const QModelIndexList rows = selectionModel()->selectedRows();
  if (rows.isEmpty()) return controls;
  QStringList cells;
  for (int column = 0; column < kEventColumns; ++column) {
    cells << m_model.data(rows[0].siblingAtColumn(column), Qt::DisplayRole).toString();
  }
  const QRect rect = visualRect(rows[0]) & viewport()->rect();
  controls.append({u"events.selected"_s, u"row"_s, cells.join(QChar(u' ')),
                   QString::number(m_model.first() + static_cast<std::size_t>(rows[0].row())),
                   rect.translated(viewport()->pos()), true});
  return controls;
}

QString TimelineEvents::note() const {
  if (!m_data) return {};
  if (m_job.running()) return tr("Sorting…");
  return eventsNoteText(m_model, m_ofArea          ? tr("area")
                                 : m_data->whole() ? tr("trace")
                                                   : tr("step"));
}

}  // namespace stagelane::ui
