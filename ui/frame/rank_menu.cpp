#include "ui/frame/rank_menu.h"

#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/run/rank_choice.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {

RankMenu::RankMenu(Session* session, QWidget* parent)
    : QMenu(parent), m_session(session), m_group(new QActionGroup(this)) {
  setNames(this, u"rankMenu"_s, tr("Number of processes"));
  menuAction()->setObjectName(u"ranksOfRun"_s);
  setToolTipsVisible(true);
  connect(&session->document(), &ExperimentDocument::changed, this, &RankMenu::refresh);
  // The choice is for one experiment; another may have as many devices.
  connect(&session->document(), &ExperimentDocument::aboutToLoad, this,
          [session] { session->runState().setWantedRanks(0); });
  // Queued, because an action of the menu emits it and would be deleted.
  connect(&session->runState(), &RunState::wantedRanksChanged, this, &RankMenu::refresh,
          Qt::QueuedConnection);
  refresh();
}

void RankMenu::add(int ranks, const QString& text, const QString& tip, bool chosen) {
  QAction* action = addAction(text);
  action->setObjectName(u"ranks.%1"_s.arg(ranks));
  action->setToolTip(tip);
  action->setCheckable(true);
  action->setChecked(chosen);
  m_group->addAction(action);
  connect(action, &QAction::triggered, this,
          [this, ranks] { m_session->runState().setWantedRanks(ranks); });
}

void RankMenu::refresh() {
  clear();
  const auto experiment = m_session->document().experiment();
  const std::vector<int> counts = experiment ? rankCounts(*experiment) : std::vector<int>();
  const int asked = experiment ? ranksToAsk(*experiment, m_session->runState().wantedRanks()) : 0;
  menuAction()->setVisible(!counts.empty());
  setTitle(asked > 0 ? tr("Processes: %1").arg(asked) : tr("Processes"));
  add(0, tr("As needed"), tr("One process, or one for each device of distributed data parallel"),
      asked == 0);
  for (const int ranks : counts) {
    add(ranks, countedText(ranks, tr("process"), tr("processes")),
        tr("Deal the devices of pipelines and model-parallel variants to %1 processes (--ranks %1)")
            .arg(ranks),
        asked == ranks);
  }
}

}  // namespace stagelane::ui
