#include "ui/timeline/timeline_finder.h"

#include <functional>
#include <memory>
#include <utility>

#include "ui/session/current_legend.h"
#include "ui/session/session.h"
#include "ui/timeline/timeline_find.h"
#include "ui/timeline/timeline_view.h"

namespace stagelane::ui {
namespace {

/// Searching fewer events is faster than starting a thread.
constexpr std::size_t kSearchAtOnce = 20'000;

}  // namespace

TimelineFinder::TimelineFinder(const Session* session, TimelineFind* field, TimelineView* view)
    : QObject(field), m_session(session), m_field(field), m_view(view) {
  connect(field, &TimelineFind::textChanged, this, &TimelineFinder::search);
  connect(field, &TimelineFind::stepWanted, this, &TimelineFinder::stepMatch);
  connect(field, &TimelineFind::left, view, qOverload<>(&QWidget::setFocus));
  connect(view, &TimelineView::findRequested, field, &TimelineFind::focusField);
  connect(view, &TimelineView::matchWanted, this, &TimelineFinder::stepMatch);
}

void TimelineFinder::setStep(TimelineDataPtr data) {
  m_job.cancel();
  m_data = std::move(data);
  m_found = nullptr;
}

void TimelineFinder::search() {
  const QString text = m_field->text();
  if (!m_data || text.trimmed().isEmpty()) {
    m_job.cancel();
    take(nullptr);
    return;
  }
  const LegendFilter filter = m_session->legend().filter();
  if (m_data->trace().size() <= kSearchAtOnce) {
    take(std::make_shared<const SearchResult>(findEvents(*m_data, text, filter)));
    return;
  }
  m_field->showCount(0, -1);
  m_job.start([this, data = m_data, text, filter](const std::atomic<bool>&) {
    auto found = std::make_shared<const SearchResult>(findEvents(*data, text, filter));
    return std::function<void()>([this, found] { take(found); });
  });
}

void TimelineFinder::take(const SearchResultPtr& found) {
  m_found = found && !found->text.isEmpty() ? found : nullptr;
  m_view->setFound(m_found);
  m_field->showCount(m_found ? m_found->events.size() : 0, -1, m_found ? m_found->hidden : 0);
  if (m_found && !m_found->problem.isEmpty()) m_field->showProblem(m_found->problem);
}

void TimelineFinder::stepMatch(int direction) {
  if (!m_data || !m_found) return;
  SearchFrom from{.event = -1, .timeNs = m_view->axis().firstNs()};
  if (m_view->selection().kind == TimelineTarget::Kind::Event) {
    from.event = static_cast<std::int64_t>(m_view->selection().event);
  }
  const std::int64_t place = nextMatch(*m_data, *m_found, from, direction);
  if (place < 0) return;
  const std::size_t event = m_found->byStart[static_cast<std::size_t>(place)];
  m_view->reveal({.kind = TimelineTarget::Kind::Event,
                  .event = event,
                  .device = m_data->deviceOfEvent(event)});
  m_field->showCount(m_found->events.size(), place, m_found->hidden);
}

}  // namespace stagelane::ui
