#include "ui/charts/charts_page.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QDate>
#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/record/fastest.h"
#include "engine/workspace/workspace.h"
#include "profiler/analysis/idle.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/measured_steps.h"
#include "ui/frame/loading_panel.h"
#include "ui/frame/run_banner.h"
#include "ui/kit/background.h"
#include "ui/kit/boxes.h"
#include "ui/kit/combo.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/empty_state.h"
#include "ui/kit/icons.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/look.h"
#include "ui/kit/menu_place.h"
#include "ui/kit/pictures/export_dialog.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/kit/theme.h"
#include "ui/session/current_legend.h"
#include "ui/session/document/device_budgets.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/legend_filter.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/run_plan.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/earlier_results.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_so_far.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/run_words.h"
#include "ui/session/run/runs_to_show.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {
namespace {

constexpr int kTwoColumnsFrom = 1400;
constexpr int kRefreshMs = 33, kLongestRefreshMs = 1000;
constexpr qint64 kRest =
    9;  ///< minimum idle time during a run, as a multiple of the last drawing time
constexpr int kScrollMargin = 60;
constexpr std::size_t kMostRuns = 30;

}  // namespace

ChartsPage::ChartsPage(QWidget* parent) : Page(parent), m_history(workspace::workspaceRoot()) {
  m_refresh.setSingleShot(true);
  m_refresh.setInterval(kRefreshMs);
  connect(&m_refresh, &QTimer::timeout, this, &ChartsPage::refresh);
  connect(&m_fill, &QTimer::timeout, this, &ChartsPage::fillNext);
  // In Tab order.
  QWidget* toolbar = buildToolbar();
  m_stack = new QStackedWidget(this);
  buildCards();
  m_stack->addWidget(m_scroll);
  m_stack->addWidget(buildEmptyState());
  m_loading = new LoadingPanel(SkeletonKind::Charts, u"chartsLoading"_s, this);
  m_stack->addWidget(m_loading);
  columnLayout(this, kNoRoom, {toolbar, {m_stack, 1}});
  buildActions();
}

QHBoxLayout* ChartsPage::buildStyles(QWidget* bar) {
  auto* styles = new QButtonGroup(this);
  const auto segment = [&](const QString& name, const QString& text, const QString& edge) {
    auto* button = new QToolButton(bar);
    setNames(button, name, tr("Draw the charts in the style \"%1\"").arg(text));
    button->setProperty("edge", edge);
    setLook(button, u"segment"_s);
    button->setText(text);
    button->setCheckable(true);
    styles->addButton(button);
    keepChoice(button);
    return button;
  };
  m_stagelane = segment(u"styleStagelane"_s, tr("Stagelane"), u"first"_s);
  m_tutorial = segment(u"styleTutorial"_s, tr("Tutorial"), u"last"_s);
  m_tutorial->setToolTip(tr("Draw execution times in the PyTorch tutorial's style"));
  m_stagelane->setChecked(true);
  m_stagelane->setToolTip(tr("Draw all variants with standard deviations and repeat counts"));
  auto* segments = rowLayout({.spacing = 0}, {m_stagelane, m_tutorial});
  connect(m_tutorial, &QToolButton::toggled, this, [this] { refresh(); });
  return segments;
}

void ChartsPage::buildExport(QWidget* bar) {
  m_export = new QToolButton(bar);
  setNames(m_export, u"export"_s, tr("Export a chart"));
  m_export->setToolTip(tr("Export a chart as PNG, SVG, PDF or CSV (Ctrl+E)"));
  m_export->setText(tr("Export…"));
  m_export->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_export->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(m_export);
  setNames(menu, u"exportMenu"_s, tr("Charts to export"));
  for (const ChartKind kind : allChartKinds()) {
    QAction* action = menu->addAction(chartTitle(kind) + u"…"_s);
    action->setObjectName(u"exportMenu."_s + qstring(chartKindWord(kind)));
    connect(action, &QAction::triggered, this, [this, kind] { exportChartOf(kind); });
    m_exports.emplace_back(kind, action);
  }
  m_export->setMenu(menu);
  keepInWindow(menu, m_export);
}

QWidget* ChartsPage::buildToolbar() {
  auto* bar = new QWidget(this);
  setLook(bar, u"toolbar"_s);
  bar->setFixedHeight(measure::kToolbarHeight);
  m_runs = new Combo(bar);
  setNames(m_runs, u"chartsRun"_s, tr("Run to show"));
  m_runs->setToolTip(tr("Show the charts of another run and open its experiment"));
  m_runs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_runs->setMinimumContentsLength(38);
  connect(m_runs, &QComboBox::activated, this, &ChartsPage::chooseRun);
  QHBoxLayout* styles = buildStyles(bar);
  m_repeats = new QCheckBox(tr("Single repeats"), bar);
  setNames(m_repeats, u"singleRepeats"_s, tr("Show each repeat as a dot"));
  keepChoice(m_repeats);
  m_repeats->setToolTip(
      tr("Show each repeat as a dot, in addition to mean and standard deviation"));

  auto* layout = rowLayout(bar, kToolbarRoom,
                           {new QLabel(tr("Run"), bar), m_runs, Gap{measure::kControlGap},
                            new QLabel(tr("Style"), bar), styles, m_repeats, Stretch{1}});
  buildExport(bar);
  layout->addWidget(m_export);
  connect(m_repeats, &QCheckBox::toggled, this, [this] { refresh(); });
  return bar;
}

QWidget* ChartsPage::buildEmptyState() {
  auto* empty = new EmptyState(this);
  m_emptyText = empty->text();
  m_emptyButton = empty->button();
  setNames(m_emptyButton, u"chartsRunNow"_s, tr("Run experiment"));
  connect(m_emptyButton, &QPushButton::clicked, this, [this] {
    if (const QString newest = newestRun(); !newest.isEmpty()) {
      m_session->runFolders().requestOpen(newest, RunUse::Charts);
    } else if (m_session->runState().engineProblem().isEmpty()) {
      m_session->runRequests().run({});
    } else {
      m_session->pages().request(u"plan"_s);
    }
  });
  return empty;
}

void ChartsPage::buildCards() {
  auto* content = new QWidget;
  m_grid = new QGridLayout(content);
  m_grid->setContentsMargins(measure::kCardGap, measure::kCardGap, measure::kCardGap,
                             measure::kCardGap);
  m_grid->setSpacing(measure::kCardGap);
  for (const ChartKind kind : allChartKinds()) {
    auto* card = new ChartCard(kind, content);
    connect(card, &ChartCard::exportRequested, this, &ChartsPage::exportChartOf);
    connect(card->view(), &ChartView::variantClicked, this, &ChartsPage::openVariant);
    connect(card->view(), &ChartView::causeClicked, this, &ChartsPage::toggleCause);
    connect(card->view(), &ChartView::cursorMoved, this, [this, card](const QRect& to) {
      const QPoint middle = card->view()->mapTo(m_scroll->widget(), to.center());
      m_scroll->ensureVisible(middle.x(), middle.y(), 0, kScrollMargin);
    });
    connect(card->view(), &ChartView::hinted, this, [this](const QString& text) {
      if (m_session != nullptr) m_session->pages().showHint(text);
    });
    m_cards.push_back(card);
  }
  m_scroll = new QScrollArea(this);
  setNames(m_scroll, u"charts"_s, tr("Charts of the last run"));
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setWidgetResizable(true);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setWidget(content);
  setLook(content, u"window"_s);
  // The floating legend is painted at the scroll position.
  for (ChartCard* card : m_cards) {
    connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, card->view(),
            qOverload<>(&QWidget::update));
  }
}

void ChartsPage::buildActions() {
  for (const ChartKind kind : allChartKinds()) {
    auto* action = new QAction(tr("Export \"%1\"…").arg(chartTitle(kind)), this);
    action->setObjectName(u"export.%1Action"_s.arg(qstring(chartKindWord(kind))));
    connect(action, &QAction::triggered, this, [this, kind] { exportChartOf(kind); });
    m_exports.emplace_back(kind, action);
    m_actions.append(action);
  }
  auto* exports = new ControlAction(tr("Export a chart…"), m_export, this);
  exports->setShortcut(Qt::CTRL | Qt::Key_E);
  addAction(exports);
  m_actions.append(exports);
  m_actions.append(new ControlAction(tr("Show or hide single repeats"), m_repeats, this));
  for (QToolButton* style : {m_stagelane, m_tutorial}) {
    m_actions.append(new ControlAction(tr("Chart style: %1").arg(style->text()), style, this));
  }
  m_actions.append(new ControlAction(tr("Choose the run of the charts…"), m_runs, this));
  for (const analysis::Cause cause : analysis::kShownIdleCauses) {
    auto* action = new QAction(tr("Idle causes: hide or show %1").arg(causeText(cause)), this);
    connect(action, &QAction::triggered, this, [this, cause] { toggleCause(cause); });
    m_actions.append(action);
  }
}

void ChartsPage::setSession(Session* session) {
  m_session = session;
  static_cast<QVBoxLayout*>(layout())->insertWidget(1, new RunBanner(session, this));
  connect(&session->results(), &MeasuredResults::changed, this, [this] {
    // Results that arrive while cards are being filled wait, so that the last cards are reached.
    m_again = m_fill.isActive();
    if (!m_again && !m_refresh.isActive()) m_refresh.start();
  });
  const auto refreshSoon = [this] {
    const bool soon = m_refresh.isActive() && m_refresh.remainingTime() <= kRefreshMs;
    if (!soon) m_refresh.start(kRefreshMs);
  };
  connect(&session->runState(), &RunState::phaseChanged, this, refreshSoon);
  connect(&session->runState(), &RunState::engineProblemChanged, this, refreshSoon);
  connect(session->currentTheme(), &CurrentTheme::changed, this, refreshSoon);
  connect(&session->loading(), &Loading::runChanged, this, refreshSoon);
  connect(&session->legend(), &CurrentLegend::changed, this, refreshSoon);
  connect(m_loading, &LoadingPanel::cancelWanted, &session->loading(), &Loading::requestStopRun);
  connect(&session->runFolders(), &RunFolders::changed, &m_history, &RunHistory::reloadSoon);
  connect(&m_history, &RunHistory::changed, this, &ChartsPage::refreshRuns);
  connect(&m_history, &RunHistory::changed, this, &ChartsPage::refreshEmptyState);
  connect(&session->selection(), &VariantSelection::changed, this, &ChartsPage::markCurrent);
  m_history.reload();
  refresh();
}

void ChartsPage::markCurrent() {
  for (ChartCard* card : m_cards)
    card->view()->setCurrentVariant(m_session->selection().variantId());
}

ChartOptions ChartsPage::options() const {
  return {.style = m_tutorial->isChecked() ? ChartStyle::Tutorial : ChartStyle::Stagelane,
          .singleRepeats = m_repeats->isChecked(),
          .hiddenCauses = hiddenCauses(m_session->legend().filter()),
          .budgets = m_session->results().document()
                         ? deviceBudgets(*m_session->results().document())
                         : std::map<std::string, Bytes>{},
          .predictedSeconds = m_predicted,
          .repeatsAsked = record::repeatsAsked(m_session->results().document().get())};
}

void ChartsPage::predict() {
  // A run that starts has no files before its first result.
  const auto document = m_run ? m_session->results().document() : nullptr;
  if (document == m_predictedFor) return;
  m_predicted.clear();
  m_predictedFor = document;
  m_predicting.cancel();
  if (!document) return;
  m_predicting.start([this, folder = m_session->results().folder()](
                         const std::atomic<bool>& canceled) -> std::function<void()> {
    workBehindTheWindow();
    const GoesOn goesOn = [&canceled] { return !canceled; };
    const auto run = readRunPlan(folder, goesOn);
    auto seconds = run ? predictedRepeats(*run, goesOn) : std::map<std::string, double>();
    return [this, seconds = std::move(seconds)] {
      m_predicted = seconds;
      refresh();
    };
  });
}

void ChartsPage::refresh() {
  if (m_session == nullptr) return;
  m_run = pictured(m_session->results().result());
  predict();
  const Theme& theme = m_session->currentTheme()->theme();
  m_export->setIcon(icon(u"export"_s, theme.control.text, theme.control.faint));
  refreshExports();
  m_repeats->setEnabled(m_stagelane->isChecked());
  refreshRuns();
  fillCards();
  markCurrent();
  if (const auto& loading = m_session->loading().run()) {
    m_loading->setTheme(theme);
    m_loading->show(*loading);
    m_stack->setCurrentWidget(m_loading);
  } else {
    m_stack->setCurrentIndex(m_run && !m_run->variants.empty() ? 0 : 1);
  }
  refreshEmptyState();
  placeCards();
}

void ChartsPage::fillCards() {
  m_nextCard = 0;
  m_again = false;
  m_sinceFill.start();
  if (m_session->runState().phase() != RunPhase::Idle) {
    m_fill.start();
    return;
  }
  m_fill.stop();
  m_refresh.setInterval(kRefreshMs);
  for (ChartCard* card : m_cards) card->show(m_run, options(), m_session->currentTheme()->theme());
}

void ChartsPage::fillNext() {
  if (m_nextCard < m_cards.size()) {
    m_cards[m_nextCard++]->show(m_run, options(), m_session->currentTheme()->theme());
    return;
  }
  m_fill.stop();
  // The window shares the CPU with the measured run.
  m_refresh.setInterval(static_cast<int>(
      std::clamp<qint64>(m_sinceFill.elapsed() * kRest, kRefreshMs, kLongestRefreshMs)));
  if (m_again) m_refresh.start();
}

/// Enables the exports of charts that have data.
void ChartsPage::refreshExports() {
  const ChartOptions chosen = options();
  bool some = false;
  for (const auto& [kind, action] : m_exports) {
    action->setEnabled(m_run && chartHasData(kind, *m_run, chosen));
    some = some || action->isEnabled();
  }
  m_export->setEnabled(some);
}

void ChartsPage::refreshEmptyState() {
  const bool running = m_session->runState().phase() != RunPhase::Idle;
  const bool engine = m_session->runState().engineProblem().isEmpty();
  const SweepViewPtr sweep = m_session->sweep().view();
  const bool sweeps = running && sweep && sweep->state == SweepState::Running;
  m_emptyText->setText(sweeps    ? tr("A sweep is running; its curve is on the Runs page.")
                       : running ? tr("The run has begun; charts fill with each repeat.")
                       : engine  ? tr("No charts yet: nothing has been run in this window.")
                                 : m_session->runState().engineProblem());
  m_emptyButton->setVisible(!running);
  const bool some = !newestRun().isEmpty();
  const QString offer = some     ? tr("Open newest run")
                        : engine ? tr("Run experiment")
                                 : tr("Open plan");
  m_emptyButton->setText(offer);
  setNames(m_emptyButton, some ? u"chartsNewestRun"_s : u"chartsRunNow"_s, offer);
}

/// The folder of the newest run; empty if the workspace has none.
QString ChartsPage::newestRun() const {
  const RunListPtr known = m_history.runs();
  return known && !known->empty() ? qstring(known->front().folder) : QString();
}

void ChartsPage::refreshRuns() {
  const QSignalBlocker blocker(m_runs);
  const RunResultPtr run = m_session->results().result();
  const ShownRun shown{qstring(m_session->results().folder().string()),
                       run ? shownName(run->name) : QString(),
                       run ? statusText(run->status) : QString()};
  const RunListPtr known = m_history.runs();
  const auto choices = runsToShow(known ? *known : RunList{}, run ? shown : ShownRun{}, kMostRuns,
                                  QDate::currentDate().year());
  m_runs->clear();
  for (const RunToShow& choice : choices) m_runs->addItem(choice.text, choice.folder);
  m_runs->addItem(tr("All runs…"), QString());
  m_runs->setCurrentIndex(run ? m_runs->findData(shown.folder) : -1);
  m_runs->setEnabled(m_session->runState().phase() == RunPhase::Idle);
}

void ChartsPage::chooseRun() {
  const QString folder = m_runs->currentData().toString();
  if (folder.isEmpty()) {
    m_session->pages().request(u"runs"_s);
  } else if (folder != qstring(m_session->results().folder().string())) {
    m_session->runFolders().requestOpen(folder, RunUse::Charts);
  }
  // Unsaved changes may have kept the previous run.
  refreshRuns();
}

void ChartsPage::placeCards() {
  const int columns = width() >= kTwoColumnsFrom ? 2 : 1;
  if (columns == m_columns) return;
  m_columns = columns;
  for (std::size_t i = 0; i < m_cards.size(); ++i) m_grid->removeWidget(m_cards[i]);
  for (std::size_t i = 0; i < m_cards.size(); ++i) {
    const auto index = static_cast<int>(i);
    // A tall card does not stretch the one beside it.
    m_grid->addWidget(m_cards[i], index / columns, index % columns, Qt::AlignTop);
  }
  m_grid->setColumnStretch(0, 1);
  m_grid->setColumnStretch(1, columns - 1);
}

void ChartsPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  placeCards();
}

void ChartsPage::toggleCause(analysis::Cause cause) {
  LegendFilter filter = m_session->legend().filter();
  toggle(filter, cause);
  m_session->legend().set(filter);
}

void ChartsPage::openVariant(const QString& variantId) {
  if (const QString problem = showMeasuredStep(*m_session, variantId); !problem.isEmpty()) {
    m_session->pages().showHint(problem);
  } else {
    m_session->pages().request(u"timeline"_s);
  }
}

void ChartsPage::exportChartOf(ChartKind kind) {
  const RunResultPtr run = m_session == nullptr ? nullptr : pictured(m_session->results().result());
  if (!run) return;
  const ChartOptions chosen = options();
  if (!chartHasData(kind, *run, chosen)) return;
  Exportable what;
  what.title = chartTitle(kind);
  what.fileStem = qstring(chartKindWord(kind)) + u"-chart"_s;
  what.suggestedMm = suggestedChartMm(kind, *run, options());
  what.layOut = [=](QSizeF size, PaintMode mode, const Theme& theme) {
    return layOutChartPicture({kind, *run, chosen, size, theme, mode});
  };
  what.csv = [=] { return qstring(chartCsv(kind, *run)); };
  ExportDialog dialog(std::move(what), QDir::homePath(), this);
  if (dialog.exec() == QDialog::Accepted) {
    m_session->pages().showHint(tr("Wrote %1").arg(dialog.writtenPath()));
  }
}

}  // namespace stagelane::ui
