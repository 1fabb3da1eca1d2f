#include "ui/timeline/trace_banner.h"

#include "ui/kit/current_theme.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::ui {

TraceBanner::TraceBanner(Session* session, QWidget* parent)
    : Banner(session->currentTheme(), u"traceBanner"_s, parent), m_session(session) {}

void TraceBanner::setRefused(const QString& name, const QString& why) {
  m_refused = name;
  m_why = why;
  refresh();
}

void TraceBanner::setStepWithOperators(std::optional<std::size_t> step) {
  m_withOperators = step;
  refresh();
}

void TraceBanner::refresh() {
  if (const OpenedTracePtr opened = m_session->traceFile().opened()) {
    m_refused.isEmpty() ? showOpened(*opened) : showRefused(*opened);
    return;
  }
  clear();
  if (m_withOperators) {
    show(Tone::Neutral, tr("This step has no operators"),
         tr("Operators are recorded in an extra, untimed repeat"), operatorsButton());
  }
}

void TraceBanner::showRefused(const OpenedTrace& opened) {
  show(Tone::Error, tr("Cannot show %1").arg(m_refused),
       tr("%1 · %2 stays open").arg(m_why, opened.name),
       {{u"dismissTrace"_s, tr("Dismiss"),
         [this] {
           Q_EMIT focusLost();
           setRefused({}, {});
         },
         tr("Return to the current trace")}});
}

void TraceBanner::showOpened(const OpenedTrace& opened) {
  if (!opened.trace) {
    show(Tone::Error, tr("Cannot show %1").arg(opened.name), opened.problem, {backButton()});
    return;
  }
  std::vector<BannerButton> buttons = operatorsButton();
  buttons.push_back(backButton());
  const auto events = static_cast<std::int64_t>(opened.trace->size());
  QString detail =
      tr("%1 from %2").arg(countedText(events, tr("event"), tr("events")), opened.path);
  if (!opened.problem.isEmpty()) detail += u" · "_s + opened.problem;
  show(opened.lost > 0 ? Tone::Warning : Tone::Neutral, tr("Trace %1").arg(opened.name), detail,
       buttons);
}

/// Empty if the shown step has operators, or no other has them.
std::vector<BannerButton> TraceBanner::operatorsButton() {
  if (!m_withOperators) return {};
  return {
      {u"showOperators"_s, tr("Show operators"), [this, step = static_cast<int>(*m_withOperators)] {
         Q_EMIT focusLost();
         Q_EMIT stepWanted(step);
       }}};
}

BannerButton TraceBanner::backButton() {
  return {u"closeTrace"_s, tr("Back to the experiment"),
          [this] { m_session->traceFile().show(nullptr); }};
}

}  // namespace stagelane::ui
