#include "ui/widgets/sweep_panel.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/models/formatting.h"
#include "ui/models/sweep_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/look.h"
#include "ui/widgets/sweep_curve.h"

namespace stagelane::ui {
namespace {

QString detailText(const Session& session, const SweepView& view) {
  QString text = sweepProgressText(view);
  if (view.state == SweepState::Running && session.progress().secondsLeft) {
    text += QStringLiteral(", %1 left").arg(durationText(*session.progress().secondsLeft));
  }
  const QString best = sweepBestText(view);
  return best.isEmpty() ? text : text + QStringLiteral(" · ") + best;
}

}  // namespace

SweepPanel::SweepPanel(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_title(new QLabel(this)),
      m_text(new ElidedLabel(this)),
      m_problem(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_pause(new QPushButton(tr("Pause"), this)),
      m_goOn(new QPushButton(tr("Go on"), this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_hide(new QPushButton(tr("Hide"), this)),
      m_curve(new SweepCurve(session, this)) {
  setNames(this, QStringLiteral("sweepPanel"), tr("Sweep"));
  setLook(this, QStringLiteral("panel2"));
  build();
  connect(session, &Session::sweepChanged, this, &SweepPanel::refresh);
  connect(session, &Session::runPhaseChanged, this, &SweepPanel::refresh);
  connect(session, &Session::progressChanged, this, &SweepPanel::refresh);
  connect(session, &Session::themeChanged, m_curve, qOverload<>(&QWidget::update));
  refresh();
}

void SweepPanel::build() {
  setNames(m_title, QStringLiteral("sweepTitle"), tr("Name of the sweep"));
  m_title->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  setNames(m_text, QStringLiteral("sweepText"), tr("How far the sweep is"));
  setLook(m_text, QStringLiteral("muted"));
  m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setNames(m_problem, QStringLiteral("sweepProblem"), tr("Why the sweep did not go on"));
  setLook(m_problem, QStringLiteral("error"));
  m_problem->setWordWrap(true);
  setNames(m_progress, QStringLiteral("sweepProgress"), tr("Progress of the sweep"));
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(110);
  setNames(m_pause, QStringLiteral("sweepPause"), tr("Pause the sweep"));
  setNames(m_goOn, QStringLiteral("sweepGoOn"), tr("Go on with the sweep"));
  setNames(m_cancel, QStringLiteral("sweepCancel"), tr("Cancel the sweep for good"));
  setNames(m_hide, QStringLiteral("sweepHide"), tr("Hide the sweep"));
  auto* top = new QHBoxLayout;
  top->setSpacing(measure::kControlGap);
  top->addWidget(m_title);
  top->addWidget(m_text, 1);
  top->addWidget(m_progress);
  for (QPushButton* button : {m_pause, m_goOn, m_cancel, m_hide}) {
    top->addWidget(button);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(measure::kPanelPadding, 6, measure::kPanelPadding, 4);
  layout->setSpacing(4);
  layout->addLayout(top);
  layout->addWidget(m_problem);
  layout->addWidget(m_curve);
  connect(m_pause, &QPushButton::clicked, m_session, &Session::requestCancel);
  connect(m_goOn, &QPushButton::clicked, this,
          [this] { m_session->requestSweepGoOn(m_session->sweep()->folder); });
  connect(m_cancel, &QPushButton::clicked, this,
          [this] { m_session->requestSweepCancel(m_session->sweep()->folder); });
  connect(m_hide, &QPushButton::clicked, this, [this] { m_session->setSweep(nullptr); });
}

void SweepPanel::refresh() {
  const SweepViewPtr sweep = m_session->sweep();
  setVisible(sweep != nullptr);
  if (!sweep) {
    return;
  }
  const bool running = sweep->state == SweepState::Running;
  const bool idle = m_session->runPhase() == RunPhase::Idle;
  const bool over = sweep->state == SweepState::Done || sweep->state == SweepState::Canceled;
  m_title->setText(tr("Sweep %1: %2").arg(sweep->name, sweepStateText(sweep->state)));
  m_text->setText(detailText(*m_session, *sweep));
  m_text->setToolTip(m_text->text());
  m_problem->setText(sweep->problem);
  m_problem->setVisible(!sweep->problem.isEmpty());
  m_progress->setRange(0, std::max(1, sweep->repeatsAsked));
  m_progress->setValue(sweep->repeatsDone);
  m_pause->setVisible(running);
  m_pause->setEnabled(m_session->runPhase() == RunPhase::Running);
  m_goOn->setVisible(!running && !over);
  m_goOn->setEnabled(idle && m_session->engineProblem().isEmpty());
  m_cancel->setVisible(!over);
  // One that can go on is found again from its runs.
  m_hide->setVisible(!running);
  m_curve->show(sweep);
}

}  // namespace stagelane::ui
