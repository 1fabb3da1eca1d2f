#include "ui/timeline/event_table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/session/prediction/prediction_error.h"
#include "ui/timeline/table_looks.h"

namespace stagelane::ui {
namespace {

constexpr std::size_t kAskedEvery = 1 << 16;  ///< events between two checks for cancellation
constexpr std::size_t kSortedAtOnce = 1 << 18;

/// Compares digits as numbers and ignores case.
bool comesBefore(std::string_view left, std::string_view right) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::size_t i = 0, j = 0;
  while (i < left.size() && j < right.size()) {
    if (digit(left[i]) && digit(right[j])) {
      while (i < left.size() && left[i] == '0') ++i;
      while (j < right.size() && right[j] == '0') ++j;
      const std::size_t iBegin = i, jBegin = j;
      while (i < left.size() && digit(left[i])) ++i;
      while (j < right.size() && digit(right[j])) ++j;
      const std::string_view a = left.substr(iBegin, i - iBegin);
      const std::string_view b = right.substr(jBegin, j - jBegin);
      if (a.size() != b.size()) return a.size() < b.size();
      if (a != b) return a < b;
    } else {
      if (lower(left[i]) != lower(right[j])) return lower(left[i]) < lower(right[j]);
      ++i;
      ++j;
    }
  }
  if (left.size() - i != right.size() - j) return left.size() - i < right.size() - j;
  return left < right;
}

/// Rank of each name in their order.
std::vector<std::int64_t> ranksOf(const std::vector<std::string>& names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return comesBefore(names[a], names[b]); });
  std::vector<std::int64_t> ranks(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<std::int64_t>(i);
  return ranks;
}

std::optional<double> toPredicted(const TimelineData& data, std::size_t event) {
  const auto predicted = data.predictedEvent(event);
  if (!predicted) return std::nullopt;
  return predictionError(data.predicted()->durationsNs()[*predicted],
                         data.trace().durationsNs()[event]);
}

/// What a column is sorted by.
class Keys {
 public:
  Keys(const TimelineData& data, const EventSort& sort) : m_data(data), m_sort(sort) {
    if (sort.column == EventColumn::Action) m_ranks = ranksOf(data.trace().names());
  }

  [[nodiscard]] std::int64_t of(std::size_t event) const {
    if (m_sort.column == EventColumn::ToPredicted) {
      const auto share = toPredicted(m_data, event);
      if (!share) return std::numeric_limits<std::int64_t>::max();
      constexpr double kMost = 1e9;
      return turned(std::llround(std::clamp(*share, -kMost, kMost) * 1e9));
    }
    return turned(plain(event));
  }

 private:
  [[nodiscard]] std::int64_t plain(std::size_t event) const {
    const trace::Trace& trace = m_data.trace();
    switch (m_sort.column) {
      case EventColumn::Action: return m_ranks[trace.nameNumbers()[event]];
      case EventColumn::Device: return m_data.deviceOfEvent(event);
      case EventColumn::Duration: return trace.durationsNs()[event];
      default: return trace.startsNs()[event] - m_data.startNs();
    }
  }
  [[nodiscard]] std::int64_t turned(std::int64_t key) const {
    return m_sort.descending ? -key : key;
  }

  const TimelineData& m_data;
  EventSort m_sort;
  std::vector<std::int64_t> m_ranks;
};

struct Entry {
  std::int64_t key = 0;
  TimeNs startNs = 0;
  std::uint32_t event = 0;
  friend bool operator<(const Entry& a, const Entry& b) {
    return std::tie(a.key, a.startNs, a.event) < std::tie(b.key, b.startNs, b.event);
  }
};

/// Sorts in parts and checks for cancellation between them.
bool sortEntries(std::vector<Entry>& entries, const std::atomic<bool>& canceled) {
  const auto at = [&](std::size_t place) {
    return entries.begin() + static_cast<std::ptrdiff_t>(std::min(place, entries.size()));
  };
  for (std::size_t i = 0; i < entries.size(); i += kSortedAtOnce) {
    if (canceled) return false;
    std::sort(at(i), at(i + kSortedAtOnce));
  }
  for (std::size_t width = kSortedAtOnce; width < entries.size(); width *= 2) {
    for (std::size_t i = 0; i + width < entries.size(); i += 2 * width) {
      if (canceled) return false;
      std::inplace_merge(at(i), at(i + width), at(i + 2 * width));
    }
  }
  return true;
}

template <class Take>
void forEachLane(const TimelineData& data, const EventRange& range, Take take) {
  const auto ofTrack = [&](std::size_t track) {
    for (std::size_t lane = 0; lane < data.lanes().laneCount(track); ++lane) {
      take(trace::LaneCursor(data.lanes(), track, lane));
    }
  };
  if (range.tracks.empty()) {
    for (std::size_t track = 0; track < data.trace().tracks().size(); ++track) ofTrack(track);
  } else {
    for (const std::size_t track : range.tracks) ofTrack(track);
  }
}

/// With nanosecond digits, because events may be far shorter than their step.
QString exactInUnit(TimeNs ns, const detail::StepUnit& unit) {
  return numberText(static_cast<double>(ns) / unit.ns, unit.ns > 1e3 ? 6 : 3);
}

}  // namespace

EventRange shownRange(const TimelineData& data) {
  return {data.startNs(), data.startNs() + data.wallNs()};
}

std::vector<std::uint32_t> firstEvents(const TimelineData& data, const EventRange& range,
                                       std::size_t most) {
  const auto starts = data.trace().startsNs();
  // A heap of each lane's next event, the earliest on top.
  struct Next {
    TimeNs startNs;
    std::size_t event;
    std::size_t lane;
    std::size_t position;
  };
  const auto later = [](const Next& left, const Next& right) {
    return std::tie(left.startNs, left.event) > std::tie(right.startNs, right.event);
  };
  std::vector<Next> heap;
  std::vector<trace::LaneCursor> cursors;
  const auto push = [&](std::size_t lane, std::size_t position) {
    if (position >= cursors[lane].count()) return;
    const std::size_t event = cursors[lane].eventAt(position);
    if (starts[event] >= range.toNs) return;
    heap.push_back({starts[event], event, lane, position});
    std::push_heap(heap.begin(), heap.end(), later);
  };
  forEachLane(data, range, [&](const trace::LaneCursor& cursor) {
    cursors.push_back(cursor);
    push(cursors.size() - 1, cursors.back().firstReaching(range.fromNs));
  });
  std::vector<std::uint32_t> events;
  while (!heap.empty() && events.size() < most) {
    std::pop_heap(heap.begin(), heap.end(), later);
    const Next next = heap.back();
    heap.pop_back();
    events.push_back(static_cast<std::uint32_t>(next.event));
    push(next.lane, next.position + 1);
  }
  return events;
}

EventListPtr beginningOf(const TimelineData& data, const EventRange& range) {
  auto list = std::make_shared<EventList>();
  list->range = range;
  list->events = firstEvents(data, range, kMostTableEvents + 1);
  list->complete = list->events.size() <= kMostTableEvents;
  if (!list->complete) list->events.pop_back();
  return list;
}

EventListPtr sortedEvents(const TimelineData& data, const EventRange& range, const EventSort& sort,
                          const std::atomic<bool>& canceled) {
  const Keys keys(data, sort);
  const auto starts = data.trace().startsNs();
  std::vector<Entry> entries;
  forEachLane(data, range, [&](trace::LaneCursor cursor) {
    for (std::size_t i = cursor.firstReaching(range.fromNs); i < cursor.count(); ++i) {
      if (entries.size() % kAskedEvery == 0 && canceled) return;
      const std::size_t event = cursor.eventAt(i);
      if (starts[event] >= range.toNs) return;
      entries.push_back({keys.of(event), starts[event], static_cast<std::uint32_t>(event)});
    }
  });
  if (canceled || !sortEntries(entries, canceled)) return nullptr;
  auto list = std::make_shared<EventList>();
  list->range = range;
  list->sort = sort;
  list->events.reserve(entries.size());
  for (const Entry& entry : entries) list->events.push_back(entry.event);
  return list;
}

void StepEventsModel::setEvents(TimelineDataPtr timeline, EventListPtr list, std::size_t first) {
  beginResetModel();
  m_timeline = std::move(timeline);
  m_list = m_timeline ? std::move(list) : nullptr;
  const std::size_t count = m_list ? m_list->events.size() : 0;
  m_first = std::min(first, count - std::min(count, kMostTableEvents));
  if (m_timeline) m_unit = detail::unitOf(*m_timeline).name;
  endResetModel();
}

int StepEventsModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || !m_list) return 0;
  return static_cast<int>(std::min(m_list->events.size() - m_first, kMostTableEvents));
}

int StepEventsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kEventColumns;
}

std::size_t StepEventsModel::eventOf(int row) const {
  return m_list->events[m_first + static_cast<std::size_t>(row)];
}

QVariant StepEventsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  if (role == Qt::TextAlignmentRole && index.column() > 1) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  }
  if (role == Qt::DecorationRole && index.column() == 0) {
    return detail::swatch(fillOf(*m_theme, categoryOf(index.row())));
  }
  if (role != Qt::DisplayRole) return {};
  const std::size_t event = eventOf(index.row());
  const trace::EventView view = m_timeline->trace().event(event);
  switch (static_cast<EventColumn>(index.column())) {
    case EventColumn::Action: return shortName(view.name);
    case EventColumn::Device: {
      const std::int32_t device = m_timeline->deviceOfEvent(event);
      return device < 0 ? QString()
                        : qstring(m_timeline->trace().devices()[static_cast<std::size_t>(device)]);
    }
    case EventColumn::Start:
      return exactInUnit(view.startNs - m_timeline->startNs(), detail::unitOf(*m_timeline));
    case EventColumn::Duration: return exactInUnit(view.durationNs, detail::unitOf(*m_timeline));
    case EventColumn::ToPredicted: break;
  }
  const auto share = toPredicted(*m_timeline, event);
  return share ? percentDifferenceText(*share) : u"–"_s;
}

QVariant StepEventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) {
    switch (static_cast<EventColumn>(section)) {
      case EventColumn::Action: return tr("Action");
      case EventColumn::Device: return tr("Device");
      case EventColumn::Start: return tr("Start ") + m_unit;
      case EventColumn::Duration: return tr("Duration ") + m_unit;
      case EventColumn::ToPredicted: return tr("prediction");
    }
  }
  if (role == Qt::ToolTipRole) {
    const QString sorts = tr("Click to sort all events by this column");
    return static_cast<EventColumn>(section) == EventColumn::ToPredicted
               ? predictionErrorTip(tr("The duration")) + u". "_s + sorts
               : sorts;
  }
  if (role == Qt::TextAlignmentRole && section > 1) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  }
  return {};
}

void StepEventsModel::sort(int column, Qt::SortOrder order) {
  if (column < 0 || column >= kEventColumns) return;
  Q_EMIT sortWanted({static_cast<EventColumn>(column), order == Qt::DescendingOrder});
}

void StepEventsModel::setTheme(const Theme& theme) {
  m_theme = &theme;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0));
}

TimelineTarget StepEventsModel::targetOf(int row) const {
  const std::size_t event = eventOf(row);
  return {.kind = TimelineTarget::Kind::Event,
          .event = event,
          .device = m_timeline->deviceOfEvent(event)};
}

std::optional<std::size_t> StepEventsModel::placeOf(const TimelineTarget& target) const {
  if (target.kind != TimelineTarget::Kind::Event || !m_list) return std::nullopt;
  const auto& events = m_list->events;
  const auto found = std::find(events.begin(), events.end(), target.event);
  if (found == events.end()) return std::nullopt;
  return static_cast<std::size_t>(found - events.begin());
}

int StepEventsModel::rowOf(const TimelineTarget& target) const {
  const auto place = placeOf(target);
  if (!place || *place < m_first) return -1;
  const std::size_t row = *place - m_first;
  return row < static_cast<std::size_t>(rowCount()) ? static_cast<int>(row) : -1;
}

trace::Category StepEventsModel::categoryOf(int row) const {
  return m_timeline->trace().categories()[eventOf(row)];
}

QString eventsNoteText(const StepEventsModel& model, const QString& where) {
  const int rows = model.rowCount();
  const EventListPtr& list = model.list();
  const QString in = QObject::tr(" in this ") + where;
  if (list && !list->complete) return QObject::tr("first %1").arg(rows) + in;
  if (!list || list->events.size() == static_cast<std::size_t>(rows)) {
    return QString::number(rows) + in;
  }
  const auto first = static_cast<qulonglong>(model.first());
  return rangeText(QString::number(first + 1),
                   QString::number(first + static_cast<qulonglong>(rows))) +
         QObject::tr(" of %1").arg(list->events.size()) + in;
}

}  // namespace stagelane::ui
