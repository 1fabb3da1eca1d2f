#include "ui/runs/sweep/sweep_panel.h"

#include <QDir>
#include <filesystem>

#include "engine/base/text.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/elided_label.h"
#include "ui/kit/look.h"
#include "ui/kit/pictures/export_dialog.h"
#include "ui/kit/question.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plots/sweep_picture.h"
#include "ui/runs/sweep/sweep_curve.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_text.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

QString detailText(const Session& session, const SweepView& view) {
  QString text = sweepProgressText(view);
  if (view.state == SweepState::Running && session.runState().progress().secondsLeft) {
    text += QObject::tr(", %1 left").arg(durationText(*session.runState().progress().secondsLeft));
  }
  const QString best = sweepBestText(view);
  return best.isEmpty() ? text : text + u" · "_s + best;
}

}  // namespace

SweepPanel::SweepPanel(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_title(new QLabel(this)),
      m_text(new ElidedLabel(this)),
      m_problem(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_curve(new SweepCurve(session->currentTheme(), this)) {
  setNames(this, u"sweepPanel"_s, tr("Sweep"));
  setLook(this, u"panel2"_s);
  makeChoices();
  build();
  connect(m_curve, &SweepCurve::pointChosen, this, &SweepPanel::open);
  connect(m_curve, &SweepCurve::hinted, &session->pages(), &PageRequests::showHint);
  connect(&session->results(), &MeasuredResults::changed, this, &SweepPanel::showWanted);
  connect(&session->document(), &ExperimentDocument::changed, this, &SweepPanel::showWanted);
  connect(&session->sweep(), &CurrentSweep::changed, this, &SweepPanel::refresh);
  connect(&session->runState(), &RunState::phaseChanged, this, &SweepPanel::refresh);
  connect(&session->runState(), &RunState::progressChanged, this, &SweepPanel::refresh);
  connect(session->currentTheme(), &CurrentTheme::changed, m_curve, qOverload<>(&QWidget::update));
  refresh();
}

SweepPanel::Choice SweepPanel::makeChoice(const ChoiceWords& words, std::function<void()> act) {
  Choice made{new QPushButton(words.text, this), new QAction(words.action, this)};
  setNames(made.button, words.name, words.action);
  made.button->setToolTip(words.tip);
  made.action->setObjectName(words.name + u"Action"_s);
  connect(made.action, &QAction::triggered, this, std::move(act));
  connect(made.button, &QPushButton::clicked, made.action, &QAction::trigger);
  m_actions.append(made.action);
  return made;
}

void SweepPanel::offer(const Choice& choice, bool shown, bool enabled) {
  choice.button->setVisible(shown);
  choice.button->setEnabled(enabled);
  choice.action->setEnabled(shown && enabled);
}

void SweepPanel::makeChoices() {
  m_pause = makeChoice({u"sweepPause"_s, tr("Pause"), tr("Pause the sweep"),
                        tr("Stop at the next opportunity; measurements are kept")},
                       [this] { m_session->runRequests().cancel(); });
  m_goOn = makeChoice(
      {u"sweepGoOn"_s, tr("Resume"), tr("Resume the sweep"), tr("Measure the missing points")},
      [this] { m_session->sweep().requestGoOn(m_session->sweep().view()->folder); });
  m_cancel = makeChoice({u"sweepCancel"_s, tr("Cancel"), tr("Cancel the sweep"),
                         tr("Cancel the sweep permanently; its runs are kept")},
                        [this] { cancel(); });
  m_export = makeChoice({u"export"_s, tr("Export…"), tr("Export the sweep…"),
                         tr("Export the curve as PNG, SVG or PDF, or the points as CSV (Ctrl+E)")},
                        [this] { exportCurve(); });
  m_export.action->setShortcut(Qt::CTRL | Qt::Key_E);
  addAction(m_export.action);
  m_hide = makeChoice(
      {u"sweepHide"_s, tr("Hide"), tr("Hide the sweep"), tr("Reopen it from any of its runs")},
      [this] { m_session->sweep().setView(nullptr); });
}

void SweepPanel::cancel() {
  const QString folder = m_session->sweep().view()->folder;
  const std::size_t answer = ask(
      this, {u"sweepCancelDialog"_s,
             tr("Cancel sweep"),
             tr("Cancel the sweep permanently?"),
             tr("Measured runs are kept; missing points will not be measured. "
                "Use Pause to resume the sweep later."),
             {{u"sweepCancelForGood"_s, tr("Cancel sweep")}, {u"sweepKeep"_s, tr("Keep sweep")}},
             true});
  // The sweep may have finished, or been hidden, meanwhile.
  const SweepViewPtr sweep = m_session->sweep().view();
  if (answer == 0 && sweep && sweep->folder == folder && !sweep->over()) {
    m_session->sweep().requestCancel(folder);
  }
}

void SweepPanel::build() {
  setNames(m_title, u"sweepTitle"_s, tr("Sweep name"));
  m_title->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  setNames(m_text, u"sweepText"_s, tr("Sweep status"));
  setLook(m_text, u"muted"_s);
  m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setNames(m_problem, u"sweepProblem"_s, tr("Sweep problem"));
  setLook(m_problem, u"error"_s);
  m_problem->setWordWrap(true);
  setNames(m_progress, u"sweepProgress"_s, tr("Sweep progress"));
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(110);
  auto* top = rowLayout({.spacing = measure::kControlGap}, {m_title, {m_text, 1}, m_progress});
  for (const Choice& choice : {m_pause, m_goOn, m_cancel, m_export, m_hide}) {
    top->addWidget(choice.button);
  }
  columnLayout(this,
               {.margins = {measure::kPanelPadding, 6, measure::kPanelPadding, 4}, .spacing = 4},
               {top, m_problem, m_curve});
}

void SweepPanel::refresh() {
  const SweepViewPtr sweep = m_session->sweep().view();
  setVisible(sweep != nullptr);
  if (!sweep) {
    for (QAction* action : m_actions) action->setEnabled(false);
    return;
  }
  const bool running = sweep->state == SweepState::Running;
  const bool idle = m_session->runState().phase() == RunPhase::Idle;
  m_title->setText(tr("Sweep %1: %2").arg(sweep->name, sweepStateText(sweep->state)));
  m_text->setText(detailText(*m_session, *sweep));
  m_text->setToolTip(m_text->text());
  m_problem->setText(sweep->problem);
  m_problem->setVisible(!sweep->problem.isEmpty());
  m_progress->setRange(0, std::max(1, sweep->repeatsAsked));
  m_progress->setValue(sweep->repeatsDone);
  // One replaces the other and takes the focus. While neither is enabled, the panel has the focus,
  // because the next button is Cancel.
  const bool keyboard = hasFocus() || m_pause.button->hasFocus() || m_goOn.button->hasFocus();
  const bool pausable = running && m_session->runState().phase() != RunPhase::Canceling;
  const bool resumable =
      !running && !sweep->over() && idle && m_session->runState().engineProblem().isEmpty();
  if (keyboard && !pausable && !resumable) setFocus();
  offer(m_pause, running, pausable);
  offer(m_goOn, !running && !sweep->over(), resumable);
  if (keyboard && pausable) m_pause.button->setFocus();
  if (keyboard && resumable) m_goOn.button->setFocus();
  offer(m_cancel, !sweep->over());
  offer(m_export, true, !sweep->points.empty());
  // A paused sweep can be reopened from its runs.
  offer(m_hide, !running);
  m_curve->show(sweep);
}

void SweepPanel::open(const SweepPoint& point) {
  m_wantedRun = point.run;
  m_wantedVariant = point.variantId;
  if (m_session->results().folder() == std::filesystem::path(utf8(point.run))) {
    showWanted();
    m_session->pages().request(u"timeline"_s);
    return;
  }
  m_session->runFolders().requestOpen(point.run, RunUse::Timeline);
}

void SweepPanel::showWanted() {
  const auto experiment = m_session->document().experiment();
  if (m_wantedRun.isEmpty() || !experiment ||
      m_session->results().folder() != std::filesystem::path(utf8(m_wantedRun)) ||
      experiment->variantById(utf8(m_wantedVariant)) == nullptr) {
    return;
  }
  m_wantedRun.clear();
  m_session->traceFile().show(nullptr);
  m_session->selection().setVariant(m_wantedVariant);
}

void SweepPanel::exportCurve() {
  const SweepViewPtr sweep = m_session->sweep().view();
  if (!sweep) return;
  Exportable what;
  what.title = tr("Sweep %1").arg(sweep->name);
  what.fileStem = u"sweep-"_s + qstring(slug(utf8(sweep->name)));
  what.layOut = [sweep](QSizeF size, PaintMode, const Theme& theme) {
    return [sweep, size, look = &theme](QPainter& painter) {
      painter.fillRect(QRectF(QPointF(0, 0), size), look->control.panel);
      paintSweep(painter, *sweep, size, *look, SweepUse::Paper);
    };
  };
  what.csv = [sweep] { return sweepCsv(*sweep); };
  ExportDialog dialog(std::move(what), QDir::homePath(), this);
  if (dialog.exec() == QDialog::Accepted) {
    m_session->pages().showHint(tr("Wrote %1").arg(dialog.writtenPath()));
  }
}

}  // namespace stagelane::ui
