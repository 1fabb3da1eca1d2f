#include "ui/plan/cost_status.h"

#include <QAction>

#include "engine/plan/experiment.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/run_choice.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kAnnounceMs = 100;
constexpr int kLongestText = 56;

QString shortened(const QString& text) {
  return text.size() <= kLongestText ? text : text.left(kLongestText - 1) + QChar(u'…');
}

}  // namespace

CostStatus::CostStatus(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_basis(new Badge(this)),
      m_progress(mutedLabel({}, this)),
      m_calibrateButton(new QToolButton(this)),
      m_cancelButton(new QToolButton(this)),
      m_calibrate(new QAction(this)),
      m_cancel(new QAction(tr("Cancel calibration"), this)) {
  m_basis->setObjectName(u"basis"_s);
  setNames(m_progress, u"calibrationProgress"_s, tr("Calibration progress"));
  m_calibrate->setObjectName(u"calibrateAction"_s);
  m_cancel->setObjectName(u"cancelCalibrationAction"_s);
  rowLayout(this, {.margins = {0, 0, 0, 0}, .spacing = measure::kControlGap},
            {m_basis, m_progress, m_calibrateButton, m_cancelButton});
  for (QToolButton* button : {m_calibrateButton, m_cancelButton}) {
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setLook(button, u"flat"_s);
  }
  setNames(m_calibrateButton, u"calibrate"_s, tr("Calibrate"));
  setNames(m_cancelButton, u"cancelCalibration"_s, m_cancel->text());
  m_cancelButton->setText(tr("Cancel"));
  connect(m_calibrate, &QAction::triggered, this, [session] { session->calibration().request(); });
  connect(m_cancel, &QAction::triggered, this,
          [session] { session->calibration().requestCancel(); });
  connect(m_calibrateButton, &QToolButton::clicked, m_calibrate, &QAction::trigger);
  connect(m_cancelButton, &QToolButton::clicked, m_cancel, &QAction::trigger);
  m_updating.setSingleShot(true);
  m_updating.setInterval(kAnnounceMs);
  connect(&m_updating, &QTimer::timeout, this, &CostStatus::refreshBasis);
  connect(&session->predictor(), &Predictor::changed, this, &CostStatus::refreshBasis);
  connect(&session->costs(), &Costs::changed, this, &CostStatus::refresh);
  connect(&session->runState(), &RunState::phaseChanged, this, &CostStatus::refreshCalibration);
  connect(&session->runState(), &RunState::engineProblemChanged, this,
          &CostStatus::refreshCalibration);
  // An edit makes the prediction stale, and staleness has no signal of its own.
  connect(&session->document(), &ExperimentDocument::changed, this, &CostStatus::refresh);
  connect(session->currentTheme(), &CurrentTheme::changed, this, &CostStatus::refresh);
  connect(&session->calibration(), &Calibration::changed, this, &CostStatus::refresh);
  refresh();
}

void CostStatus::setRoom(Room room) {
  if (room != m_room) {
    m_room = room;
    m_calibrateButton->setToolButtonStyle(room == Room::Narrow ? Qt::ToolButtonIconOnly
                                                               : Qt::ToolButtonTextBesideIcon);
    refresh();
  }
}

void CostStatus::refresh() {
  refreshBasis();
  refreshCalibration();
}

void CostStatus::showBadge(const QString& text, Tone tone, const QString& icon,
                           const QString& tip) {
  m_basis->show(m_session->currentTheme()->theme(), shortened(text), tone, icon);
  m_basis->setToolTip(tip);
}

void CostStatus::refreshBasis() {
  const PlanPredictionPtr prediction = m_session->predictor().prediction();
  if (m_session->predictor().error()) {
    const Error& error = *m_session->predictor().error();
    const QString brief = tr("Impossible");
    showBadge(roomy() ? tr("Impossible: %1").arg(qstring(error.message)) : brief, Tone::Error,
              u"warn"_s, errorText(error));
    return;
  }
  if (m_session->predictor().stale()) {
    if (m_updating.isActive()) return;
    if (sender() == &m_updating || m_basis->text().isEmpty()) {
      const plan::Variant* variant = m_session->selection().variant();
      const bool searched = variant != nullptr && plan::hasOpenOrder(*variant);
      showBadge(searched ? tr("Updating: searching…") : tr("Updating"), Tone::Accent, u"refresh"_s,
                searched ? tr("Searching for a schedule (auto). Dimmed values are from the "
                              "previous plan.")
                         : tr("Updating the prediction. Dimmed values are from the "
                              "previous plan."));
    } else {
      m_updating.start();
    }
    return;
  }
  m_updating.stop();
  const QString impediment = prediction ? prediction->impediment() : QString();
  if (!impediment.isEmpty()) {
    showBadge(roomy() ? tr("Does not fit: %1").arg(impediment) : tr("Does not fit"), Tone::Error,
              u"warn"_s,
              tr("%1. Move blocks to another device, or reduce the split size").arg(impediment));
    return;
  }
  if (!prediction) {
    showBadge({}, Tone::Warning, {}, {});
    return;
  }
  const BasisWords words = wordsOf(prediction->basis, m_session->costs().facts());
  const bool known = prediction->basis == predict::Basis::Calibrated && !words.doubtful;
  showBadge(roomy() ? words.text : words.brief,
            words.doubtful ? Tone::Warning : toneOf(prediction->basis),
            known ? u"check"_s : QString(), words.text + QChar(u'\n') + words.meaning);
}

QString CostStatus::calibrateText() const {
  const bool again =
      m_session->costs().table() != nullptr || !m_session->costs().facts().file.empty();
  const QString word = again ? tr("Recalibrate") : tr("Calibrate");
  return roomy() ? tr("%1, %2").arg(word, durationText(Calibration::kSeconds)) : word;
}

QString CostStatus::whyNot() const {
  if (const QString host = hostToRun(m_session->document()); !host.isEmpty()) {
    return tr("Only devices of this machine can be calibrated here; on %1, run "
              "stagelane-engine calibrate")
        .arg(host);
  }
  if (!m_session->runState().engineProblem().isEmpty()) {
    return tr("Requires stagelane-engine, which was not found");
  }
  if (m_session->runState().phase() != RunPhase::Idle) {
    return tr("A run is in progress; wait for it to finish before calibrating");
  }
  return m_session->document().experiment() ? QString() : tr("The experiment cannot be read");
}

void CostStatus::refreshCalibration() {
  const Calibration& calibration = m_session->calibration();
  const bool running = calibration.running();
  const QString refusal = whyNot();
  m_calibrate->setText(calibrateText());
  m_calibrate->setEnabled(!running && refusal.isEmpty());
  m_cancel->setEnabled(calibration.phase() == CalibrationPhase::Running);
  m_calibrateButton->setVisible(!running);
  m_calibrateButton->setEnabled(m_calibrate->isEnabled());
  m_calibrateButton->setText(calibrateText());
  m_calibrateButton->setIcon(icon(u"refresh"_s, m_session->currentTheme()->theme().control.muted));
  const QString meaning = tr("Measure each block on this machine's devices (about %1). "
                             "Keep the machine otherwise idle.")
                              .arg(durationText(Calibration::kSeconds));
  m_calibrateButton->setToolTip(!refusal.isEmpty()                ? refusal
                                : calibration.problem().isEmpty() ? meaning
                                                                  : calibration.problem());
  m_progress->setVisible(running);
  m_cancelButton->setVisible(running);
  m_cancelButton->setEnabled(m_cancel->isEnabled());
  if (!running) return;
  QString text = calibration.phase() == CalibrationPhase::Canceling
                     ? tr("Canceling")
                     : tr("Calibrating %1").arg(percentText(calibration.fraction()));
  if (roomy() && calibration.secondsLeft() && calibration.phase() == CalibrationPhase::Running) {
    text += tr(", %1 left").arg(durationText(*calibration.secondsLeft()));
  }
  m_progress->setText(text);
}

}  // namespace stagelane::ui
