#include "ui/frame/sweep_offer.h"

#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_text.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"

namespace stagelane::ui {

SweepOffer::SweepOffer(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_banner(new Banner(session->currentTheme(), u"banner.sweep"_s, this)) {
  columnLayout(this, {.margins = {0, 0, 0, 0}}, {m_banner});
  connect(&session->sweep(), &CurrentSweep::changed, this, &SweepOffer::refresh);
  connect(&session->runState(), &RunState::phaseChanged, this, &SweepOffer::refresh);
  refresh();
}

void SweepOffer::setPage(const QString& name) {
  m_page = name;
  // The Runs page shows the sweep itself.
  m_answered = m_answered || (name == u"runs"_s && m_session->sweep().view());
  refresh();
}

void SweepOffer::refresh() {
  const SweepViewPtr sweep = m_session->sweep().view();
  m_answered = m_answered || m_session->runState().phase() != RunPhase::Idle;
  const bool unfinished =
      sweep && (sweep->state == SweepState::Interrupted || sweep->state == SweepState::Paused);
  const bool offered = unfinished && !m_answered && m_page != u"runs"_s;
  setVisible(offered);
  if (!offered) {
    m_banner->clear();
    return;
  }
  m_banner->show(
      Tone::Neutral,
      tr("Sweep %1 is %2 and can be resumed.").arg(sweep->name, sweepStateText(sweep->state)),
      sweepProgressText(*sweep) + QChar(u'.'),
      {{u"offerSweep"_s, tr("Show sweep"), [this] { m_session->pages().request(u"runs"_s); }},
       {u"offerSweepLater"_s, tr("Not now"), [this] {
          m_answered = true;
          refresh();
        }}});
}

}  // namespace stagelane::ui
