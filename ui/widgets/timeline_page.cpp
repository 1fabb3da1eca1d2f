#include "ui/widgets/timeline_page.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "profiler/formats/perfetto.h"
#include "ui/models/formatting.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/combo.h"
#include "ui/widgets/export_dialog.h"
#include "ui/widgets/look.h"
#include "ui/widgets/timeline_legend.h"
#include "ui/widgets/timeline_minimap.h"
#include "ui/widgets/timeline_view.h"

namespace stagelane::ui {
namespace {

constexpr int kWideFrom = 1280;

QTableView* makeTable(QAbstractItemModel* model, const QString& name, const QString& text,
                      QWidget* parent) {
  auto* table = new QTableView(parent);
  table->setObjectName(name);
  table->setAccessibleName(text);
  table->setModel(model);
  table->setShowGrid(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(20);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setFrameShape(QFrame::NoFrame);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setHighlightSections(false);
  return table;
}

QWidget* titled(const QString& title, QWidget* content, QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(measure::kPanelPadding, 8, measure::kPanelPadding, 4);
  auto* label = new QLabel(title, box);
  label->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  layout->addWidget(label);
  layout->addWidget(content);
  return box;
}

}  // namespace

TimelinePage::TimelinePage(QWidget* parent) : Page(parent) {
  m_view = new TimelineView(this);
  m_minimap = new TimelineMinimap(this);
  m_causes = makeTable(&m_causeModel, QStringLiteral("idleCauses"),
                       QStringLiteral("Idle causes of every device"), this);
  m_events = makeTable(&m_eventModel, QStringLiteral("stepEvents"),
                       QStringLiteral("Events of the step"), this);
  m_panels = new QSplitter(Qt::Horizontal, this);
  m_panels->setHandleWidth(1);
  m_tabs = new QTabWidget(this);
  m_tabs->setObjectName(QStringLiteral("timelineTabs"));
  m_tabs->setAccessibleName(QStringLiteral("Selection, idle causes, events"));
  m_tabs->setDocumentMode(true);
  m_selectionPanel = buildSelectionPanel();

  auto* upper = new QWidget(this);
  auto* upperLayout = new QVBoxLayout(upper);
  upperLayout->setContentsMargins(0, 0, 0, 0);
  upperLayout->setSpacing(0);
  upperLayout->addWidget(m_minimap);
  upperLayout->addWidget(m_view, 1);
  auto* lower = new QWidget(this);
  auto* lowerLayout = new QVBoxLayout(lower);
  lowerLayout->setContentsMargins(0, 0, 0, 0);
  lowerLayout->addWidget(m_panels);
  lowerLayout->addWidget(m_tabs);
  m_splitter = new QSplitter(Qt::Vertical, this);
  m_splitter->addWidget(upper);
  m_splitter->addWidget(lower);
  m_splitter->setStretchFactor(0, 1);
  m_splitter->setSizes({600, 210});
  m_splitter->setChildrenCollapsible(false);

  m_stack = new QStackedWidget(this);
  m_stack->addWidget(m_splitter);
  m_stack->addWidget(buildEmptyState());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_stack, 1);
  buildActions();
  placePanels(true);

  connect(m_view, &TimelineView::axisChanged, this, [this] { m_minimap->setAxis(m_view->axis()); });
  connect(m_minimap, &TimelineMinimap::rangeWanted, m_view, &TimelineView::showRange);
  connect(m_view, &TimelineView::selectionChanged, this, &TimelinePage::showSelection);
  connect(m_events, &QTableView::clicked, this,
          [this](const QModelIndex& index) { m_view->select(m_eventModel.targetOf(index.row())); });
  connect(m_events, &QTableView::doubleClicked, this,
          [this](const QModelIndex& index) { m_view->zoomTo(m_eventModel.targetOf(index.row())); });
}

QWidget* TimelinePage::buildToolbar() {
  auto* bar = new QWidget(this);
  setLook(bar, QStringLiteral("toolbar"));
  bar->setFixedHeight(measure::kToolbarHeight);
  m_steps = new Combo(m_session, bar);
  m_steps->setObjectName(QStringLiteral("step"));
  m_steps->setAccessibleName(QStringLiteral("Step shown"));
  m_steps->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_predicted = new QCheckBox(QStringLiteral("Predicted"), bar);
  m_predicted->setObjectName(QStringLiteral("showPredicted"));
  m_predicted->setAccessibleName(QStringLiteral("Show the predicted step above the measured one"));
  m_predicted->setChecked(true);
  m_badge = new Badge(bar);
  m_headline = new QLabel(bar);
  m_headline->setObjectName(QStringLiteral("timelineHeadline"));
  m_headline->setAccessibleName(QStringLiteral("Predicted and measured step time"));
  m_export = new QToolButton(bar);
  m_export->setObjectName(QStringLiteral("export"));
  m_export->setAccessibleName(QStringLiteral("Export the timeline as picture or table"));
  m_export->setText(QStringLiteral("Export…"));
  auto* fit = new QToolButton(bar);
  fit->setObjectName(QStringLiteral("fit"));
  fit->setAccessibleName(QStringLiteral("Show the whole step"));
  fit->setText(QStringLiteral("Fit"));
  fit->setToolTip(QStringLiteral("Show the whole step (F)"));

  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(measure::kPanelPadding, 0, measure::kPanelPadding, 0);
  layout->setSpacing(measure::kControlGap);
  layout->addWidget(new QLabel(QStringLiteral("Step"), bar));
  layout->addWidget(m_steps);
  layout->addWidget(m_predicted);
  layout->addWidget(fit);
  layout->addStretch(1);
  layout->addWidget(m_headline);
  layout->addWidget(m_badge);
  layout->addWidget(m_export);
  connect(m_steps, &QComboBox::currentIndexChanged, this, &TimelinePage::showStep);
  connect(m_predicted, &QCheckBox::toggled, m_view, &TimelineView::setShowPredicted);
  connect(m_export, &QToolButton::clicked, this, &TimelinePage::exportPicture);
  connect(fit, &QToolButton::clicked, m_view, &TimelineView::fit);
  return bar;
}

QWidget* TimelinePage::buildSelectionPanel() {
  auto* content = new QWidget(this);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  m_selectionTitle = new QLabel(content);
  m_selectionTitle->setObjectName(QStringLiteral("selectionTitle"));
  m_selectionTitle->setAccessibleName(QStringLiteral("What is selected"));
  m_selectionText = new QLabel(content);
  m_selectionText->setObjectName(QStringLiteral("selectionText"));
  m_selectionText->setAccessibleName(QStringLiteral("Facts about the selection"));
  m_selectionText->setWordWrap(true);
  m_selectionText->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_zoomToSelection = new QPushButton(QStringLiteral("Zoom to it"), content);
  m_zoomToSelection->setObjectName(QStringLiteral("zoomToSelection"));
  m_zoomToSelection->setAccessibleName(QStringLiteral("Zoom to the selection"));
  m_copySentence = new QPushButton(QStringLiteral("Copy"), content);
  m_copySentence->setObjectName(QStringLiteral("copySelection"));
  m_copySentence->setAccessibleName(QStringLiteral("Copy the text about the selection"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_zoomToSelection);
  buttons->addWidget(m_copySentence);
  buttons->addStretch(1);
  layout->addWidget(m_selectionTitle);
  layout->addWidget(m_selectionText);
  layout->addLayout(buttons);
  layout->addStretch(1);
  connect(m_zoomToSelection, &QPushButton::clicked, this,
          [this] { m_view->zoomTo(m_view->selection()); });
  connect(m_copySentence, &QPushButton::clicked, this, [this] {
    QGuiApplication::clipboard()->setText(m_selectionTitle->text() + QChar(u'\n') +
                                          m_selectionText->text());
  });
  return content;
}

QWidget* TimelinePage::buildEmptyState() {
  auto* empty = new QWidget(this);
  auto* sentence = new QLabel(QStringLiteral("No timeline yet: the plan cannot be predicted, and "
                                             "nothing has been measured."),
                              empty);
  sentence->setAlignment(Qt::AlignCenter);
  auto* button = new QPushButton(QStringLiteral("Open the plan"), empty);
  button->setObjectName(QStringLiteral("openPlan"));
  button->setAccessibleName(QStringLiteral("Open the Plan page"));
  auto* layout = new QVBoxLayout(empty);
  layout->addStretch(1);
  layout->addWidget(sentence);
  layout->addWidget(button, 0, Qt::AlignCenter);
  layout->addStretch(1);
  connect(button, &QPushButton::clicked, this, [this] {
    if (m_session != nullptr) m_session->requestPage(QStringLiteral("plan"));
  });
  return empty;
}

void TimelinePage::buildActions() {
  const auto add = [this](const char* text, const QKeySequence& key, auto&& work) {
    auto* action = new QAction(QString::fromUtf8(text), this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, std::forward<decltype(work)>(work));
    addAction(action);
    m_actions.append(action);
  };
  add("Timeline: fit the step", QKeySequence(QStringLiteral("F")), [this] { m_view->fit(); });
  add("Timeline: next gap", QKeySequence(QStringLiteral("]")), [this] { m_view->stepGap(1); });
  add("Timeline: previous gap", QKeySequence(QStringLiteral("[")), [this] { m_view->stepGap(-1); });
  add("Timeline: undo zoom", QKeySequence(Qt::Key_Backspace), [this] { m_view->undoZoom(); });
  add("Timeline: export…", QKeySequence(QStringLiteral("Ctrl+E")), [this] { exportPicture(); });
}

void TimelinePage::placePanels(bool wide) {
  if (m_panels->isHidden() != wide && m_panels->count() + m_tabs->count() > 0) return;
  const std::vector<std::pair<QString, QWidget*>> panels{
      {QStringLiteral("Selection"), m_selectionPanel},
      {QStringLiteral("Idle causes"), m_causes},
      {QStringLiteral("Events"), m_events}};
  for (const auto& entry : panels) entry.second->setParent(this);
  while (m_panels->count() > 0) delete m_panels->widget(0);
  while (m_tabs->count() > 0) {
    QWidget* page = m_tabs->widget(0);
    m_tabs->removeTab(0);
    delete page;
  }
  for (const auto& entry : panels) {
    QWidget* box = titled(entry.first, entry.second, this);
    entry.second->show();
    if (wide) {
      m_panels->addWidget(box);
    } else {
      m_tabs->addTab(box, entry.first);
    }
  }
  m_panels->setVisible(wide);
  m_tabs->setVisible(!wide);
}

void TimelinePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  placePanels(width() >= kWideFrom);
}

QWidget* TimelinePage::statusWidget() {
  if (m_legend == nullptr) {
    m_legend = new TimelineLegend(this);
    connect(m_legend, &TimelineLegend::filterChanged, this,
            [this] { m_view->setFilter(m_legend->filter()); });
    m_legend->setData(m_data);
    applyTheme();
  }
  return m_legend;
}

void TimelinePage::setSession(Session* session) {
  m_session = session;
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, buildToolbar());
  connect(session, &Session::currentVariantChanged, this, &TimelinePage::reload);
  connect(session, &Session::predictionChanged, this, &TimelinePage::reload);
  connect(session, &Session::traceChanged, this, [this](const QString& variant) {
    if (variant == m_session->currentVariantId()) reload();
  });
  connect(session, &Session::resultChanged, this, &TimelinePage::updateHeadline);
  connect(session, &Session::themeChanged, this, &TimelinePage::applyTheme);
  connect(m_view, &TimelineView::hintChanged, session, &Session::showHint);
  applyTheme();
  reload();
}

void TimelinePage::applyTheme() {
  if (m_session == nullptr) return;
  m_view->setTheme(m_session->theme());
  m_minimap->setTheme(m_session->theme());
  if (m_legend != nullptr) m_legend->setTheme(m_session->theme());
  updateHeadline();
}

void TimelinePage::reload() {
  trace::TracePtr measured = m_session->measuredTrace(m_session->currentVariantId());
  const PlanPredictionPtr prediction = m_session->prediction();
  m_trace = measured ? measured : (prediction ? prediction->trace : nullptr);
  fillSteps();
}

void TimelinePage::fillSteps() {
  const QSignalBlocker blocker(m_steps);
  m_steps->clear();
  int median = -1;
  if (m_trace) {
    const auto steps = analysis::stepsOf(*m_trace);
    if (!steps.empty()) median = static_cast<int>(analysis::medianStep(steps));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      QString text = m_trace->predicted() ? QStringLiteral("predicted step")
                                          : QStringLiteral("repeat %1").arg(steps[i].repeat + 1);
      if (!m_trace->predicted() && steps[i].step > 0) {
        text += QStringLiteral(", step %1").arg(steps[i].step + 1);
      }
      if (steps[i].extra) text += QStringLiteral(" (extra, not timed)");
      if (static_cast<int>(i) == median && !m_trace->predicted()) {
        text += QStringLiteral(" (median)");
      }
      m_steps->addItem(text);
    }
  }
  m_steps->setCurrentIndex(median);
  m_steps->setEnabled(m_steps->count() > 1);
  showStep(median);
}

void TimelinePage::showStep(int index) {
  m_data = nullptr;
  if (m_trace && index >= 0) {
    const PlanPredictionPtr prediction = m_session->prediction();
    const bool beside = prediction && !m_trace->predicted();
    m_data = std::make_shared<const TimelineData>(m_trace, static_cast<std::size_t>(index),
                                                  beside ? prediction->trace : nullptr);
  }
  m_view->setData(m_data);
  m_minimap->setData(m_data);
  m_minimap->setAxis(m_view->axis());
  m_causeModel.setTimeline(m_data);
  m_eventModel.setTimeline(m_data);
  if (m_legend != nullptr) m_legend->setData(m_data);
  m_stack->setCurrentIndex(m_data ? 0 : 1);
  m_export->setEnabled(m_data != nullptr);
  m_predicted->setVisible(m_data && m_data->predicted() != nullptr);
  updateHeadline();
}

void TimelinePage::updateHeadline() {
  if (m_session == nullptr || !m_data) {
    m_headline->clear();
    m_badge->hide();
    return;
  }
  const Theme& theme = m_session->theme();
  m_badge->setVisible(true);
  if (m_data->trace().predicted()) {
    m_headline->setText(QStringLiteral("predicted ≈ %1").arg(timeText(m_data->wallNs())));
    m_badge->show(theme, QStringLiteral("Predicted"), Tone::Accent);
    return;
  }
  QString text = QStringLiteral("measured %1").arg(timeText(m_data->wallNs()));
  if (m_data->predictedStep() != nullptr) {
    text =
        QStringLiteral("predicted ≈ %1   ").arg(timeText(m_data->predictedStep()->wallNs())) + text;
  }
  if (m_data->trace().droppedEvents() > 0) {
    text += QStringLiteral("   %1 records dropped").arg(m_data->trace().droppedEvents());
  }
  m_headline->setText(text);
  m_badge->show(theme, QStringLiteral("Measured"), Tone::Success);
}

void TimelinePage::showSelection() {
  const TimelineTarget target = m_view->selection();
  const bool something = m_data && target.kind != TimelineTarget::Kind::None;
  m_zoomToSelection->setVisible(something);
  m_copySentence->setVisible(something);
  if (!something) {
    m_selectionTitle->setText(QStringLiteral("Nothing selected"));
    m_selectionText->setText(
        QStringLiteral("Click an action or a gap. [ and ] walk the gaps, W A S D moves, F fits."));
    return;
  }
  const TargetText text = describeTarget(*m_data, target);
  QStringList lines;
  if (!text.sentence.isEmpty()) lines << text.sentence;
  for (const auto& fact : text.facts) lines << fact.first + QStringLiteral(": ") + fact.second;
  m_selectionTitle->setText(text.title);
  m_selectionText->setText(lines.join(QChar(u'\n')));
  const int row = m_eventModel.rowOf(target);
  if (row >= 0) {
    m_events->selectRow(row);
    m_events->scrollTo(m_eventModel.index(row, 0));
  }
}

void TimelinePage::exportPicture() {
  if (!m_data) return;
  const TimelineDataPtr timeline = m_data;
  const TimeAxis axis = m_view->axis();
  constexpr double kWidth = 1100.0;
  const double height =
      paintTimelinePicture(nullptr, {*timeline, axis}, kWidth, lightTheme(), PaintMode::Screen);
  Exportable what;
  what.title = QStringLiteral("Timeline of %1").arg(m_session->currentVariantId());
  what.fileStem = QStringLiteral("timeline-") + m_session->currentVariantId();
  what.suggestedMm = QSizeF(240.0, std::ceil(240.0 * height / kWidth));
  what.paint = [timeline, axis, height](QPainter& painter, QSizeF size, PaintMode mode,
                                        const Theme& theme) {
    const double scale = std::min(size.width() / kWidth, size.height() / height);
    painter.fillRect(QRectF(QPointF(0, 0), size), theme.control.panel);
    painter.scale(scale, scale);
    paintTimelinePicture(&painter, {*timeline, axis}, size.width() / scale, theme, mode);
  };
  what.csv = [timeline] { return qstring(formats::toCsv(timeline->trace())); };
  ExportDialog dialog(std::move(what), QDir::homePath(), this);
  if (dialog.exec() == QDialog::Accepted) {
    m_session->showHint(QStringLiteral("Wrote %1").arg(dialog.writtenPath()));
  }
}

}  // namespace stagelane::ui
