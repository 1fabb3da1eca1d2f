#include "ui/frame/run_bar.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/frame/banner_text.h"
#include "ui/frame/connection_text.h"
#include "ui/frame/rank_menu.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/elided_label.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/menu_place.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/sentence.h"
#include "ui/kit/text/short_name.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/rank_choice.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kWideBar = 1180;  ///< minimum width for the search field's text
constexpr int kLeastExperiment = 170;
constexpr int kMostExperiment = 190;  ///< width of the experiment's name

QString estimateText(const std::optional<double>& seconds) {
  return seconds ? u" (≈ %1)"_s.arg(durationText(*seconds)) : QString();
}

}  // namespace

RunBar::RunBar(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_estimate(new RunEstimate(session, this)),
      m_experiment(new QToolButton(this)),
      m_experimentMenu(new QMenu(this)),
      m_variant(new Combo(session->currentTheme(), this)),
      m_undo(new QToolButton(this)),
      m_redo(new QToolButton(this)),
      m_search(new QToolButton(this)),
      m_message(new ElidedLabel(this)),
      m_progress(new QProgressBar(this)),
      m_left(new QLabel(this)),
      m_ranks(new QToolButton(this)),
      m_run(new PrimaryButton(session->currentTheme(), this)),
      m_runMenu(new PrimaryButton(session->currentTheme(), this)),
      m_runThis(new QAction(this)),
      m_cancel(new QToolButton(this)) {
  setLook(this, u"bar"_s);
  setFixedHeight(measure::kRunBarHeight);
  build();
  buildRun();
  layOut();
  connect(&session->document(), &ExperimentDocument::changed, this, &RunBar::refresh);
  connect(&session->selection(), &VariantSelection::changed, this, &RunBar::refresh);
  connect(&session->runState(), &RunState::phaseChanged, this, &RunBar::refreshRun);
  connect(&session->runState(), &RunState::progressChanged, this, &RunBar::refreshProgress);
  connect(&session->sweep(), &CurrentSweep::changed, this, &RunBar::refreshCancel);
  connect(&session->runState(), &RunState::connectionChanged, this, [this] {
    refreshCancel();
    refreshProgress();
  });
  connect(&session->runState(), &RunState::engineProblemChanged, this, &RunBar::refreshRun);
  connect(&session->runState(), &RunState::wantedRanksChanged, this, &RunBar::refreshRun);
  connect(&session->predictor(), &Predictor::changed, this, &RunBar::refreshRun);
  connect(&session->calibration(), &Calibration::changed, this, &RunBar::refreshRun);
  connect(session->currentTheme(), &CurrentTheme::changed, this, &RunBar::refreshIcons);
  connect(m_estimate, &RunEstimate::changed, this, &RunBar::refreshRun);
  connect(&session->document(), &ExperimentDocument::modifiedChanged, this, [this] { refresh(); });
  refreshIcons();
  refresh();
}

void RunBar::build() {
  setNames(m_experiment, u"experimentMenu"_s, tr("Experiment"));
  m_experiment->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_experiment->setPopupMode(QToolButton::InstantPopup);
  m_experiment->setMenu(m_experimentMenu);
  setNames(m_variant, u"variant"_s, tr("Variant"));
  m_variant->setToolTip(tr("Variant shown on Plan, Timeline and Charts"));
  m_variant->setMinimumWidth(110);
  m_variant->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_variant->setMinimumContentsLength(14);
  const auto flat = [](QToolButton* button, const QString& name, const QString& text) {
    setNames(button, name, text);
    button->setToolTip(text);
    setLook(button, u"flat"_s);
  };
  flat(m_undo, u"undo"_s, tr("Undo"));
  flat(m_redo, u"redo"_s, tr("Redo"));
  QUndoStack& stack = m_session->document().undoStack();
  connect(m_undo, &QToolButton::clicked, &stack, &QUndoStack::undo);
  connect(m_redo, &QToolButton::clicked, &stack, &QUndoStack::redo);
  const auto follow = [this, &stack] {
    m_undo->setEnabled(stack.canUndo());
    m_redo->setEnabled(stack.canRedo());
    m_undo->setToolTip(stack.canUndo() ? tr("Undo: %1 (Ctrl+Z)").arg(stack.undoText())
                                       : tr("Undo"));
    m_redo->setToolTip(stack.canRedo() ? tr("Redo: %1 (Ctrl+Shift+Z)").arg(stack.redoText())
                                       : tr("Redo"));
  };
  connect(&stack, &QUndoStack::indexChanged, this, follow);
  follow();
  setNames(m_search, u"search"_s, tr("Search actions"));
  m_search->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_search->setToolTip(tr("Search actions (Ctrl+Shift+P)"));
  connect(m_search, &QToolButton::clicked, this, &RunBar::paletteRequested);
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(110);
  m_progress->setRange(0, 1000);
  m_progress->setObjectName(u"progress"_s);
  m_progress->setAccessibleName(tr("Run progress"));
  m_message->setObjectName(u"runMessage"_s);
  setLook(m_message, u"muted"_s);
  m_left->setObjectName(u"timeLeft"_s);
  m_message->setMinimumWidth(0);
  m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_message->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

  connect(m_variant, &Combo::listClosed, this, &RunBar::left);
  connect(m_variant, &QComboBox::activated, this,
          [this](int row) { m_session->selection().setTab(m_variant->itemData(row).toString()); });
}

void RunBar::layOut() {
  auto* split = rowLayout({.spacing = 0}, {m_run, m_runMenu});
  const BoxItem message(m_message, 1);
  rowLayout(this, kToolbarRoom,
            {m_experiment, m_variant, m_undo, m_redo, Gap{8}, m_search, message, m_progress, m_left,
             m_ranks, split, m_cancel});
}

void RunBar::buildRun() {
  setNames(m_run, u"run"_s, tr("Run"));
  m_run->setProperty("edge", u"first"_s);
  setNames(m_runMenu, u"runMenu"_s, tr("Run options"));
  m_runMenu->setToolTip(tr("Run only the current tab, or a sweep over values"));
  m_runMenu->setProperty("edge", u"last"_s);
  m_runMenu->setPopupMode(QToolButton::InstantPopup);
  // A click leaves the focus on the page, where it stays when Run is disabled.
  m_run->setFocusPolicy(Qt::TabFocus);
  m_runMenu->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(m_runMenu);
  m_runThis->setObjectName(u"runThis"_s);
  menu->addAction(m_runThis);
  menu->addMenu(new RankMenu(m_session, menu));
  m_runMenu->setMenu(menu);
  keepInWindow(menu, m_runMenu);
  connect(m_run, &QToolButton::clicked, this, [this] { m_session->runRequests().run({}); });
  connect(m_runThis, &QAction::triggered, this,
          [this] { m_session->runRequests().run({m_session->selection().tabId()}); });
  setNames(m_cancel, u"cancel"_s, tr("Cancel the run"));
  m_cancel->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_cancel->setMinimumHeight(measure::kButtonHeight);
  connect(m_cancel, &QToolButton::clicked, &m_session->runRequests(), &RunRequests::cancel);
}

void RunBar::refreshIcons() {
  const ControlColors& colors = m_session->currentTheme()->theme().control;
  m_experiment->setIcon(icon(u"folder"_s, colors.muted));
  m_undo->setIcon(icon(u"undo"_s, colors.text, colors.faint));
  m_redo->setIcon(icon(u"redo"_s, colors.text, colors.faint));
  m_search->setIcon(icon(u"search"_s, colors.muted));
  m_run->setIcon(icon(u"play"_s, colors.onAccent, colors.faint));
  m_cancel->setIcon(icon(u"stop"_s, colors.text, colors.faint));
  m_runThis->setIcon(icon(u"play"_s, colors.text, colors.faint));
}

void RunBar::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_experiment->setText({});  // the style has only now made widths known
  refresh();
}

void RunBar::refresh() {
  const ExperimentDocument& document = m_session->document();
  const QFontMetrics metrics(m_experiment->font());
  const QString name =
      buttonName(metrics.elidedText(shownName(document.name()), Qt::ElideRight, kMostExperiment));
  const QString marked = name + u" ●"_s;
  const QString text = document.modified() ? marked : name;
  if (m_experiment->text() != text) {
    // The width includes the mark, so that the first edit moves nothing.
    m_experiment->setText(marked);
    m_experiment->setMinimumWidth(std::max(kLeastExperiment, m_experiment->sizeHint().width()));
    m_experiment->setText(text);
  }
  m_experiment->setToolTip(document.path().isEmpty() ? tr("Not saved to a file yet")
                                                     : document.path());
  refreshVariants();
  refreshRun();
}

void RunBar::refreshVariants() {
  const QSignalBlocker blocker(m_variant);
  const auto& tabs = m_session->document().tabs();
  while (m_variant->count() > static_cast<int>(tabs.size())) {
    m_variant->removeItem(m_variant->count() - 1);
  }
  for (int row = 0; row < static_cast<int>(tabs.size()); ++row) {
    const VariantTab& tab = tabs[static_cast<std::size_t>(row)];
    const QString name = shownName(tab.name);
    if (row == m_variant->count()) {
      m_variant->addItem(name, tab.id);
    } else if (m_variant->itemText(row) != name || m_variant->itemData(row) != tab.id) {
      m_variant->setItemText(row, name);
      m_variant->setItemData(row, tab.id);
    }
  }
  m_variant->setCurrentIndex(m_variant->findData(m_session->selection().tabId()));
}

QString RunBar::whyNot() const {
  if (!m_session->runState().engineProblem().isEmpty() &&
      hostToRun(m_session->document()).isEmpty()) {
    return tr("the engine was not found");
  }
  if (m_session->calibration().running()) return tr("calibration in progress");
  return includedToRun(m_session->document()).whyNot;
}

QString RunBar::runText(const RunChoice& choice) const {
  const QString time = estimateText(m_estimate->includedSeconds());
  const auto left = static_cast<qsizetype>(choice.leftOut.size());
  const qsizetype runs = choice.tabIds.size();
  return left == 0 || runs == 0
             ? tr("Run %1 included%2").arg(runs + left).arg(time)
             : tr("Run %1 of %2 included%3").arg(runs).arg(runs + left).arg(time);
}

/// With the chosen number of processes.
QString RunBar::runTip() const {
  const auto experiment = m_session->document().experiment();
  const int asked = experiment ? ranksToAsk(*experiment, m_session->runState().wantedRanks()) : 0;
  return asked > 0 ? tr("Run the included variants in %1 processes (F5)").arg(asked)
                   : tr("Run the included variants (F5)");
}

void RunBar::refreshRunThis() {
  const VariantTab* tab = m_session->document().tab(m_session->selection().tabId());
  const auto refusal =
      tab != nullptr ? whyTabCannotRun(m_session->document(), *tab) : std::optional<CannotRun>();
  m_runThis->setEnabled(tab != nullptr && !refusal);
  // The page's own action has the key; it is only displayed here.
  m_runThis->setText(
      (refusal ? tr("Run this one (it %1)").arg(refusal->text)
               : tr("Run this one%1")
                     .arg(estimateText(m_estimate->tabSeconds(m_session->selection().tabId())))) +
      u"\tShift+F5"_s);
}

void RunBar::refreshRun() {
  const bool running = m_session->runState().phase() != RunPhase::Idle;
  const QString reason = whyNot();
  const RunChoice choice = includedToRun(m_session->document());
  QStringList leftOut;
  for (const LeftOut& left : choice.leftOut) leftOut.append(left.reason);
  const QString without = leftOut.join(u". "_s);
  m_run->setText(running ? tr("Running") : runText(choice));
  m_run->setEnabled(!running && reason.isEmpty());
  m_run->setToolTip(!reason.isEmpty()   ? reason
                    : leftOut.isEmpty() ? runTip()
                                        : tr("%1. %2").arg(runTip(), without));
  refreshRunThis();
  const bool engine = m_session->runState().engineProblem().isEmpty() ||
                      !hostToRun(m_session->document()).isEmpty();
  m_runMenu->setEnabled(!running && engine && !m_session->calibration().running());
  refreshCancel();
  m_progress->setVisible(running);
  m_left->setVisible(running);
  if (running) {
    refreshProgress();
  } else {
    m_message->setText(!reason.isEmpty()   ? tr("Run disabled: %1").arg(reason)
                       : leftOut.isEmpty() ? m_text
                                           : without);
  }
}

/// For a sweep, ends the current run so that the sweep can be resumed, like the sweep panel.
void RunBar::refreshCancel() {
  const SweepViewPtr sweep = m_session->sweep().view();
  const bool sweeps = m_session->runState().phase() != RunPhase::Idle && sweep &&
                      sweep->state == SweepState::Running;
  // A run on a host that is not reached cannot be canceled now, but left.
  const bool leaves = m_session->runState().phase() == RunPhase::Canceling &&
                      m_session->runState().connection().isBroken();
  m_cancel->setEnabled(m_session->runState().phase() == RunPhase::Running || leaves);
  m_cancel->setText(leaves ? tr("Leave") : sweeps ? tr("Pause") : tr("Cancel"));
  m_cancel->setAccessibleName(leaves   ? tr("Leave the run")
                              : sweeps ? tr("Pause the sweep")
                                       : tr("Cancel the run"));
  m_cancel->setToolTip(
      leaves   ? tr("Stop following the run; it can be taken up later (Ctrl+.)")
      : sweeps ? tr("End the current repeat; the sweep can be resumed (Ctrl+.)")
               : tr("End the run at its next action and keep its measurements (Ctrl+.)"));
}

void RunBar::refreshProgress() {
  if (m_session->runState().phase() == RunPhase::Idle) return;
  const RunProgress& progress = m_session->runState().progress();
  const QString connection = connectionText(*m_session);
  const QString turn = turnText(*m_session);
  if (!connection.isEmpty()) {
    m_message->setText(asSentence(connection));
  } else if (m_session->runState().phase() == RunPhase::Canceling) {
    m_message->setText(tr("Canceling: waiting for the current step"));
  } else {
    m_message->setText(turn.isEmpty() ? tr("Starting the engine") : turn);
  }
  m_message->setToolTip(m_message->text());
  m_progress->setValue(static_cast<int>(std::lround(progress.fraction * 1000.0)));
  m_left->setText(progress.secondsLeft ? tr("%1 left").arg(durationText(*progress.secondsLeft))
                                       : QString());
}

void RunBar::setRanks(QAction* toggle) {
  setNames(m_ranks, u"ranks"_s, tr("Ranks"));
  m_ranks->setDefaultAction(toggle);
  m_ranks->setVisible(toggle->isVisible());
  connect(toggle, &QAction::changed, m_ranks,
          [this, toggle] { m_ranks->setVisible(toggle->isVisible()); });
}

void RunBar::setMessage(const QString& message) {
  m_text = message;
  m_message->setToolTip(message);
  refreshRun();
}

void RunBar::resizeEvent(QResizeEvent*) {
  const bool wide = width() >= kWideBar;
  m_search->setText(wide ? tr("Search actions   Ctrl+Shift+P") : QString());
  m_search->setToolButtonStyle(wide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
  m_variant->setMinimumContentsLength(wide ? 14 : 10);
}

}  // namespace stagelane::ui
