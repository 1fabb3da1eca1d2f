#include "ui/timeline/trace_banner.h"

#include "ui/kit/current_theme.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::ui {

TraceBanner::TraceBanner(Session* session, QWidget* parent)
    : Banner(session->currentTheme(), QStringLiteral("traceBanner"), parent), m_session(session) {}

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
    show(Tone::Neutral, QStringLiteral("This step has no operators"),
         QStringLiteral("They are recorded in an extra repeat that no time is taken from"),
         operatorsButton());
  }
}

void TraceBanner::showRefused(const OpenedTrace& opened) {
  show(Tone::Error, QStringLiteral("%1 cannot be shown").arg(m_refused),
       QStringLiteral("%1 · %2 is still shown").arg(m_why, opened.name),
       {{QStringLiteral("dismissTrace"), QStringLiteral("Dismiss"),
         [this] {
           Q_EMIT focusLost();
           setRefused({}, {});
         },
         QStringLiteral("Back to the trace that is shown")}});
}

void TraceBanner::showOpened(const OpenedTrace& opened) {
  if (!opened.trace) {
    show(Tone::Error, QStringLiteral("%1 cannot be shown").arg(opened.name), opened.problem,
         {backButton()});
    return;
  }
  std::vector<BannerButton> buttons = operatorsButton();
  buttons.push_back(backButton());
  const auto events = static_cast<std::int64_t>(opened.trace->size());
  QString detail =
      QStringLiteral("%1 from %2")
          .arg(countedText(events, QStringLiteral("event"), QStringLiteral("events")), opened.path);
  if (!opened.problem.isEmpty()) detail += QStringLiteral(" · ") + opened.problem;
  show(opened.lost > 0 ? Tone::Warning : Tone::Neutral, QStringLiteral("Trace %1").arg(opened.name),
       detail, buttons);
}

/// None where the step that is shown has operators, or no other has them.
std::vector<BannerButton> TraceBanner::operatorsButton() {
  if (!m_withOperators) return {};
  return {{QStringLiteral("showOperators"), QStringLiteral("Show the repeat with operators"),
           [this, step = static_cast<int>(*m_withOperators)] {
             Q_EMIT focusLost();
             Q_EMIT stepWanted(step);
           }}};
}

BannerButton TraceBanner::backButton() {
  return {QStringLiteral("closeTrace"), QStringLiteral("Back to the experiment"),
          [this] { m_session->traceFile().show(nullptr); }};
}

}  // namespace stagelane::ui
