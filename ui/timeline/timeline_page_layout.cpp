/// How the Timeline page is put together, its states and its export. Part of
/// ui/timeline/timeline_page.h.

#include <QAction>
#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <cmath>

#include "profiler/formats/perfetto.h"
#include "ui/frame/banner.h"
#include "ui/frame/command_palette.h"
#include "ui/kit/badge.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/pictures/export_dialog.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/current_legend.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/loading_text.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"
#include "ui/timeline/idle_cause_table.h"
#include "ui/timeline/timeline_events.h"
#include "ui/timeline/timeline_find.h"
#include "ui/timeline/timeline_legend.h"
#include "ui/timeline/timeline_minimap.h"
#include "ui/timeline/timeline_page.h"
#include "ui/timeline/timeline_selection.h"
#include "ui/timeline/timeline_skeleton.h"
#include "ui/timeline/timeline_toolbar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tracks/timeline_export.h"

namespace stagelane::ui {
namespace {

constexpr int kLoadingWidth = 420;

void dress(QTableView& table, const QString& name, const QString& text) {
  setNames(&table, name, text);
  table.setShowGrid(false);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(20);
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setSelectionMode(QAbstractItemView::SingleSelection);
  table.setFrameShape(QFrame::NoFrame);
  table.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table.horizontalHeader()->setResizeContentsPrecision(50);
  table.horizontalHeader()->setHighlightSections(false);
}

QWidget* titled(const QString& title, QWidget* note, QWidget* content, QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(measure::kPanelPadding, 6, measure::kPanelPadding, 4);
  layout->setSpacing(2);
  auto* line = new QHBoxLayout;
  if (!title.isEmpty()) {
    auto* label = new QLabel(title, box);
    label->setFont(fontOf(TextSize::Body, TextWeight::Bold));
    line->addWidget(label);
  }
  if (note != nullptr) line->addWidget(note, 1);
  layout->addLayout(line);
  layout->addWidget(content);
  return box;
}

}  // namespace

void TimelinePage::buildLayout() {
  m_stack = new QStackedWidget(this);
  m_splitter = new QSplitter(Qt::Vertical, this);
  setNames(m_splitter, QStringLiteral("timelineSplitter"),
           QStringLiteral("Timeline, and what is said about it"));
  m_splitter->addWidget(buildUpper());
  m_splitter->addWidget(buildLower());
  m_splitter->setStretchFactor(0, 1);
  m_splitter->setSizes({600, 224});
  m_splitter->setChildrenCollapsible(false);
  m_stack->addWidget(m_splitter);
  m_stack->addWidget(buildEmptyState());
  m_stack->addWidget(buildLoadingState());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_stack, 1);
}

void TimelinePage::placeBars() {
  auto* layout = static_cast<QVBoxLayout*>(this->layout());
  layout->insertWidget(0, m_toolbar);
  layout->insertWidget(1, m_banner);
  layout->insertWidget(1, m_runBanner);
}

QWidget* TimelinePage::buildUpper() {
  m_view = new TimelineView(this);
  m_minimap = new TimelineMinimap(this);
  auto* upper = new QWidget(this);
  auto* layout = new QVBoxLayout(upper);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_minimap);
  layout->addWidget(m_view, 1);
  return upper;
}

QWidget* TimelinePage::buildLower() {
  m_selection = new TimelineSelection(this);
  m_causes = new IdleCauseTable(this);
  m_causes->setModel(&m_causeModel);
  dress(*m_causes, QStringLiteral("idleCauses"), QStringLiteral("Idle causes of every device"));
  m_causes->setToolTip(QStringLiteral("Click a cause to mark its gaps"));
  auto* causesNote = mutedLabel(QStringLiteral("click a row to mark its gaps"), this);
  causesNote->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_causesNote = causesNote;
  m_events = new TimelineEvents(this);
  dress(*m_events, QStringLiteral("stepEvents"),
        QStringLiteral("Events of the step or of the area"));
  m_events->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_events->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_eventsTop = new QWidget(this);
  m_eventsNote = mutedLabel({}, m_eventsTop);
  m_eventsNote->setObjectName(QStringLiteral("eventsNote"));
  m_lost = new Badge(m_eventsTop);
  m_lost->setObjectName(QStringLiteral("lostRecords"));
  auto* top = new QHBoxLayout(m_eventsTop);
  top->setContentsMargins(0, 0, 0, 0);
  top->addWidget(m_eventsNote, 1);
  top->addWidget(m_lost);
  m_panels = new QSplitter(Qt::Horizontal, this);
  m_panels->setHandleWidth(1);
  m_tabs = new QTabWidget(this);
  setNames(m_tabs, QStringLiteral("timelineTabs"),
           QStringLiteral("Selection, idle causes, events"));
  m_tabs->setDocumentMode(true);
  connect(m_causes->horizontalHeader(), &QHeaderView::sectionResized, this,
          &TimelinePage::fitCauses);
  auto* lower = new QWidget(this);
  auto* layout = new QVBoxLayout(lower);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_panels);
  layout->addWidget(m_tabs);
  return lower;
}

QWidget* TimelinePage::buildEmptyState() {
  auto* empty = new QWidget(this);
  auto* sentence = new QLabel(empty);
  setNames(sentence, QStringLiteral("noTimeline"), QStringLiteral("Why there is no timeline"));
  m_emptyText = sentence;
  sentence->setAlignment(Qt::AlignCenter);
  auto* button = new QPushButton(QStringLiteral("Open the plan"), empty);
  setNames(button, QStringLiteral("openPlan"), QStringLiteral("Open the Plan page"));
  auto* layout = new QVBoxLayout(empty);
  layout->addStretch(1);
  layout->addWidget(sentence);
  layout->addWidget(button, 0, Qt::AlignCenter);
  layout->addStretch(1);
  connect(button, &QPushButton::clicked, this, [this] {
    if (m_session != nullptr) m_session->pages().request(QStringLiteral("plan"));
  });
  return empty;
}

QWidget* TimelinePage::buildLoadingState() {
  m_skeleton = new TimelineSkeleton(this);
  auto* loading = new QWidget(m_skeleton);
  setNames(loading, QStringLiteral("loadingCard"), QStringLiteral("What is being read"));
  setLook(loading, QStringLiteral("panel"));
  auto* middle = new QVBoxLayout(m_skeleton);
  middle->addWidget(loading, 0, Qt::AlignCenter);
  m_loadingText = new QLabel(loading);
  setNames(m_loadingText, QStringLiteral("traceLoading"), QStringLiteral("What is being read"));
  m_loadingText->setMinimumWidth(kLoadingWidth);
  m_loadingText->setAlignment(Qt::AlignCenter);
  m_loadingBar = new QProgressBar(loading);
  setNames(m_loadingBar, QStringLiteral("traceProgress"), QStringLiteral("Share that is read"));
  m_loadingBar->setFixedWidth(360);
  m_loadingBar->setTextVisible(false);
  m_cancel = new QPushButton(QStringLiteral("Cancel"), loading);
  setNames(m_cancel, QStringLiteral("cancelLoading"), QStringLiteral("Stop reading the trace"));
  m_cancel->setToolTip(QStringLiteral("Stop reading; what was shown before comes back (Esc)"));
  auto* layout = new QVBoxLayout(loading);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(10);
  layout->addWidget(m_loadingText);
  layout->addWidget(m_loadingBar, 0, Qt::AlignCenter);
  layout->addWidget(m_cancel, 0, Qt::AlignCenter);
  connect(m_cancel, &QPushButton::clicked, this, &TimelinePage::stopWaiting);
  return m_skeleton;
}

/// Reading ends, and what was shown before comes back; of a trace that was read, the experiment.
void TimelinePage::stopWaiting() {
  if (m_session->loading().trace() || m_session->loading().run() || measuredComing()) {
    m_session->loading().requestStopTrace();
    m_session->loading().requestStopRun();
  } else if (m_session->traceFile().opened()) {
    m_session->traceFile().show(nullptr);
  }
}

bool TimelinePage::measuredComing() const {
  const QString variant = m_session->selection().variantId();
  return !m_session->traceFile().opened() && m_session->runState().phase() == RunPhase::Idle &&
         m_session->results().traceComing(variant) && !m_session->results().trace(variant);
}

void TimelinePage::updateState() {
  // A run that is being opened, or its trace: the prediction would pass for what was measured.
  const auto& loading =
      m_session->loading().trace() ? m_session->loading().trace() : m_session->loading().run();
  const bool coming = measuredComing();
  if (loading) {
    const bool known = loading->totalBytes > 0;
    if (!m_sinceLoading.isValid()) m_sinceLoading.start();
    m_loadingText->setText(
        loadingText(*loading, static_cast<double>(m_sinceLoading.elapsed()) / 1e3));
    m_loadingBar->setRange(0, known ? 1000 : 0);
    if (known) {
      m_loadingBar->setValue(static_cast<int>(loading->doneBytes * 1000 /
                                              std::max<std::uint64_t>(1, loading->totalBytes)));
    }
  } else if (coming) {
    m_loadingText->setText(QStringLiteral("Reading the steps that were measured"));
    m_loadingBar->setRange(0, 0);
  } else if (m_stepJob.running() && !m_data) {
    m_loadingText->setText(QStringLiteral("Laying out the step"));
    m_loadingBar->setRange(0, 0);
  }
  const OpenedTracePtr opened = m_session->traceFile().opened();
  m_emptyText->setText(opened && opened->trace
                           ? QStringLiteral("There are no events in %1.").arg(opened->name)
                           : QStringLiteral("No timeline yet: the plan cannot be predicted, and "
                                            "nothing has been measured."));
  if (!loading) m_sinceLoading.invalidate();
  const bool waiting = loading || coming || (m_stepJob.running() && !m_data);
  const bool canStop = waiting && (loading || coming || opened);
  m_cancel->setVisible(canStop);
  if (m_stopWaiting != nullptr) m_stopWaiting->setEnabled(canStop);
  const bool arrived = m_stack->currentIndex() == 2 && !waiting;
  m_stack->setCurrentIndex(waiting ? 2 : m_data ? 0 : 1);
  if (arrived && isVisible()) m_view->setFocus();
  // What belongs to the step that was shown before says so by resting.
  m_toolbar->setEnabled(!waiting);
  if (m_legend != nullptr) m_legend->setEnabled(!waiting);
  if (waiting) {
    m_banner->hide();
  } else {
    updateBanner();
  }
  updateEventsNote();
}

void TimelinePage::updateEventsNote() {
  if (!m_data) return;
  m_eventsNote->setText(m_events->note());
  const auto lost = static_cast<std::int64_t>(m_data->notes().lost);
  m_lost->show(m_session->currentTheme()->theme(),
               countedText(lost, QStringLiteral("record lost"), QStringLiteral("records lost")),
               lost == 0 ? Tone::Success : Tone::Warning);
}

void TimelinePage::tellRefused(const QString& name, const QString& why) {
  m_refused = name;
  m_whyRefused = why;
  updateBanner();
}

void TimelinePage::updateBanner() {
  const OpenedTracePtr opened = m_session->traceFile().opened();
  std::vector<BannerButton> buttons;
  if (m_withOperators) {
    buttons.push_back({QStringLiteral("showOperators"),
                       QStringLiteral("Show the repeat with operators"),
                       [this, step = *m_withOperators] {
                         m_view->setFocus();  // the button goes with its banner
                         showStep(static_cast<int>(step));
                       }});
  }
  if (!opened) {
    m_banner->clear();
    if (m_withOperators) {
      m_banner->show(Tone::Neutral, QStringLiteral("This step has no operators"),
                     QStringLiteral("They are recorded in an extra repeat that no time is taken "
                                    "from"),
                     buttons);
    }
    return;
  }
  if (!m_refused.isEmpty()) {
    m_banner->show(Tone::Error, QStringLiteral("%1 cannot be shown").arg(m_refused),
                   QStringLiteral("%1 · %2 is still shown").arg(m_whyRefused, opened->name),
                   {{QStringLiteral("dismissTrace"), QStringLiteral("Dismiss"),
                     [this] {
                       m_view->setFocus();  // the button goes with its banner
                       tellRefused({}, {});
                     },
                     QStringLiteral("Back to the trace that is shown")}});
    return;
  }
  const BannerButton back{QStringLiteral("closeTrace"), QStringLiteral("Back to the experiment"),
                          [this] { m_session->traceFile().show(nullptr); }};
  if (!opened->trace) {
    m_banner->show(Tone::Error, QStringLiteral("%1 cannot be shown").arg(opened->name),
                   opened->problem, {back});
    return;
  }
  buttons.push_back(back);
  const auto events = static_cast<std::int64_t>(opened->trace->size());
  QString detail = QStringLiteral("%1 from %2")
                       .arg(countedText(events, QStringLiteral("event"), QStringLiteral("events")),
                            opened->path);
  if (!opened->problem.isEmpty()) detail += QStringLiteral(" · ") + opened->problem;
  m_banner->show(opened->lost > 0 ? Tone::Warning : Tone::Neutral,
                 QStringLiteral("Trace %1").arg(opened->name), detail, buttons);
}

void TimelinePage::buildActions() {
  const auto add = [this](const char* text, const QKeySequence& key, auto&& work) {
    auto* action = new QAction(QString::fromUtf8(text), this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, std::forward<decltype(work)>(work));
    addAction(action);
    m_actions.append(action);
    return action;
  };
  // Letters are keys of the view alone: elsewhere they are typed.
  const auto addOfView = [&](const char* text, const char* keys, auto&& work) {
    add(text, {}, std::forward<decltype(work)>(work))
        ->setProperty(kViewKeys, QString::fromUtf8(keys));
  };
  addOfView("Fit the step", "F", [this] { m_view->fit(); });
  addOfView("Zoom in", "W", [this] { m_view->zoomIn(); });
  addOfView("Zoom out", "S", [this] { m_view->zoomOut(); });
  addOfView("Pan to the left", "A", [this] { m_view->pan(-TimelineView::kPanStep); });
  addOfView("Pan to the right", "D", [this] { m_view->pan(TimelineView::kPanStep); });
  addOfView("Next event of the track", ".", [this] { m_view->stepEvent(1); });
  addOfView("Previous event of the track", ",", [this] { m_view->stepEvent(-1); });
  addOfView("Fold or open the selected track", "E", [this] { m_view->toggleFold(); });
  addOfView("Next gap", "]", [this] { m_view->stepGap(1); });
  addOfView("Previous gap", "[", [this] { m_view->stepGap(-1); });
  addOfView("Undo zoom", "Backspace", [this] { m_view->undoZoom(); });
  addOfView("Zoom to the selection", "Enter", [this] { m_view->zoomToSelection(); });
  addOfView("Measure", "M", [this] { m_view->setMeasuring(!m_view->measuring()); });
  addOfView("Pin the selected track", "P", [this] { m_view->togglePin(); });
  add("Find an event", QKeySequence(Qt::CTRL | Qt::Key_F),
      [this] { m_toolbar->find().focusField(); });
  add("Next match", QKeySequence(Qt::Key_F3), [this] { stepMatch(1); });
  add("Previous match", QKeySequence(Qt::SHIFT | Qt::Key_F3), [this] { stepMatch(-1); });
  add("Export…", QKeySequence(QStringLiteral("Ctrl+E")), [this] {
    exportTimeline();
  })->setObjectName(QStringLiteral("exportAction"));
  add("Open a trace…", {}, [this] { m_session->traceFile().requestOpen(); });
  m_stopWaiting =
      add("Stop reading the trace", QKeySequence(Qt::Key_Escape), [this] { stopWaiting(); });
  m_stopWaiting->setEnabled(false);
  m_actions += m_toolbar->choices() + m_selection->actions();
  connect(m_view, &TimelineView::matchWanted, this, &TimelinePage::stepMatch);
}

void TimelinePage::placePanels(bool wide) {
  if (m_panels->isHidden() != wide && m_panels->count() + m_tabs->count() > 0) return;
  struct Panel {
    QString title;
    QWidget* note;
    QWidget* content;
  };
  const std::vector<Panel> panels{
      {QStringLiteral("Selection"), nullptr, m_selection},
      {QStringLiteral("Idle causes"), wide ? m_causesNote : nullptr, m_causes},
      {QStringLiteral("Events"), m_eventsTop, m_events}};
  for (const Panel& panel : panels) {
    panel.content->setParent(this);
    if (panel.note != nullptr) panel.note->setParent(this);
  }
  m_causesNote->setParent(this);
  m_causesNote->hide();  // a tab is too low for it
  while (m_panels->count() > 0) delete m_panels->widget(0);
  while (m_tabs->count() > 0) {
    QWidget* page = m_tabs->widget(0);
    m_tabs->removeTab(0);
    delete page;
  }
  for (const Panel& panel : panels) {
    // A tab has its title already.
    QWidget* box = titled(wide ? panel.title : QString(), panel.note, panel.content, this);
    panel.content->show();
    if (panel.note != nullptr) panel.note->show();
    if (wide) {
      m_panels->addWidget(box);
    } else {
      m_tabs->addTab(box, panel.title);
    }
  }
  if (wide) m_panels->setSizes({4200, 4100, 6500});
  m_panels->setVisible(wide);
  m_tabs->setVisible(!wide);
}

/// Its columns are seen, as long as the panels beside it keep half of the page.
void TimelinePage::fitCauses() {
  const bool wide = !m_panels->isHidden();
  m_causes->setMinimumWidth(wide ? std::min(m_causes->wantedWidth(), width() / 2) : 0);
}

void TimelinePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  const bool wide = width() >= kWidePage;
  placePanels(wide);
  fitCauses();
  if (m_legend != nullptr) m_legend->setRoom(width() - kHintWidth);
}

void TimelinePage::exportTimeline() {
  if (!m_data) return;
  const OpenedTracePtr opened = m_session->traceFile().opened();
  const QString name =
      opened ? opened->name.section(QChar(u'.'), 0, 0) : m_session->selection().variantId();
  Exportable what = exportableTimeline(
      m_data, {m_view->axis(), m_view->rows(), m_session->legend().filter(), m_view->colorBy(),
               m_view->predictedShiftNs(), m_view->selection()});
  what.title = QStringLiteral("Timeline of %1").arg(name);
  what.fileStem = QStringLiteral("timeline-") + name;
  ExportDialog dialog(std::move(what), QDir::homePath(), this);
  if (dialog.exec() == QDialog::Accepted) {
    m_session->pages().showHint(QStringLiteral("Wrote %1").arg(dialog.writtenPath()));
  }
}

}  // namespace stagelane::ui
