#pragma once

/// Finds events of the step by words, marks them in the view, and steps through the matches. Large
/// steps are searched in another thread.

#include <QObject>

#include "ui/kit/latest_job.h"
#include "ui/timeline/timeline_search.h"

namespace stagelane::ui {

class Session;
class TimelineFind;
class TimelineView;

class TimelineFinder final : public QObject {
  Q_OBJECT

 public:
  TimelineFinder(const Session* session, TimelineFind* field, TimelineView* view);
  /// Sets another step or none. Old results stay until `search` is called.
  void setStep(TimelineDataPtr data);
  /// Searches for the words in the field, among the kinds that the legend shows.
  void search();
  /// Selects the next (+1) or previous (−1) match.
  void stepMatch(int direction);
  [[nodiscard]] bool busy() const { return m_job.running(); }

 private:
  void take(const SearchResultPtr& found);

  const Session* m_session;
  TimelineFind* m_field;
  TimelineView* m_view;
  TimelineDataPtr m_data;
  SearchResultPtr m_found;
  LatestJob m_job;
};

}  // namespace stagelane::ui
