#include "ui/timeline/timeline_panels.h"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "profiler/analysis/area_statistics.h"
#include "ui/kit/badge.h"
#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/timeline/idle_cause_table.h"
#include "ui/timeline/timeline_events.h"
#include "ui/timeline/timeline_selection.h"

namespace stagelane::ui {
namespace {

constexpr int kWidePage = 1200;  ///< from this width on, panels are side by side

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
  auto* line = rowLayout({});
  if (!title.isEmpty()) {
    auto* label = new QLabel(title, box);
    label->setFont(fontOf(TextSize::Body, TextWeight::Bold));
    line->addWidget(label);
  }
  if (note != nullptr) line->addWidget(note, 1);
  columnLayout(box,
               {.margins = {measure::kPanelPadding, 6, measure::kPanelPadding, 4}, .spacing = 2},
               {line, content});
  return box;
}

}  // namespace

TimelinePanels::TimelinePanels(QWidget* parent)
    : QWidget(parent),
      m_theme(&lightTheme()),
      m_selection(new TimelineSelection(this)),
      m_causes(new IdleCauseTable(this)),
      m_events(new TimelineEvents(this)) {
  buildCauses();
  buildEvents();
  m_columns = new QSplitter(Qt::Horizontal, this);
  m_columns->setHandleWidth(1);
  m_tabs = new QTabWidget(this);
  setNames(m_tabs, u"timelineTabs"_s, tr("Selection, idle causes, events"));
  m_tabs->setDocumentMode(true);
  columnLayout(this, {.margins = {0, 0, 0, 0}}, {m_columns, m_tabs});
}

void TimelinePanels::buildCauses() {
  m_causes->setModel(&m_causeModel);
  dress(*m_causes, u"idleCauses"_s, tr("Idle causes of every device"));
  m_causes->setToolTip(tr("Click a cause to mark its gaps"));
  m_causesNote = mutedLabel(tr("click a row to mark its gaps"), this);
  m_causesNote->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  connect(m_causes->horizontalHeader(), &QHeaderView::sectionResized, this,
          &TimelinePanels::fitCauses);
  connect(m_causes, &QTableView::clicked, this, [this](const QModelIndex& index) {
    Q_EMIT causeClicked(m_causeModel.causeOf(index.row()));
  });
}

void TimelinePanels::buildEvents() {
  dress(*m_events, u"stepEvents"_s, tr("Events of the step or area"));
  m_events->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_events->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_eventsTop = new QWidget(this);
  m_eventsNote = mutedLabel({}, m_eventsTop);
  m_eventsNote->setObjectName(u"eventsNote"_s);
  m_lost = new Badge(m_eventsTop);
  m_lost->setObjectName(u"lostRecords"_s);
  rowLayout(m_eventsTop, {.margins = {0, 0, 0, 0}}, {{m_eventsNote, 1}, m_lost});
  connect(m_events, &TimelineEvents::noteChanged, this, &TimelinePanels::showNote);
}

void TimelinePanels::setTheme(const Theme& theme) {
  m_theme = &theme;
  m_selection->setTheme(theme);
  m_causeModel.setTheme(theme);
  m_events->setTheme(theme);
  showNote();
}

void TimelinePanels::setStep(TimelineDataPtr timeline, const EventListPtr& events) {
  m_areaJob.cancel();
  m_data = std::move(timeline);
  m_causeModel.setTimeline(m_data);
  m_events->setStep(m_data, events);
}

void TimelinePanels::showTarget(const TimelineTarget& target) {
  m_areaJob.cancel();
  m_selection->showTarget(m_data.get(), target);
  m_events->showTarget(target);
}

void TimelinePanels::showArea(const TimelineArea& marked, const LegendFilter& filter) {
  if (!m_data) return;
  analysis::Area area;
  area.fromNs = m_data->startNs() + static_cast<TimeNs>(std::llround(marked.fromNs));
  area.toNs = m_data->startNs() + static_cast<TimeNs>(std::llround(marked.toNs));
  area.tracks = marked.tracks;
  for (const trace::Category hidden : filter.hiddenCategories) {
    area.shown = static_cast<trace::CategoryMask>(area.shown & ~trace::maskOf(hidden));
  }
  m_selection->showCounting();
  m_areaJob.start([this, area, timeline = m_data](const std::atomic<bool>& canceled) {
    auto statistics = std::make_shared<const analysis::AreaStatistics>(
        analysis::areaStatistics(timeline->trace(), area, &canceled));
    // An empty list of tracks would mean all of them.
    const EventListPtr events = area.tracks.empty()
                                    ? std::make_shared<const EventList>()
                                    : beginningOf(*timeline, {area.fromNs, area.toNs, area.tracks});
    return std::function<void()>([this, timeline, statistics, events] {
      m_selection->showArea(*statistics, timeline->startNs());
      m_events->setArea(events);
    });
  });
}

void TimelinePanels::clearCause() { m_causes->clearSelection(); }

bool TimelinePanels::busy() const { return m_areaJob.running() || m_events->busy(); }

void TimelinePanels::placeFor(int pageWidth) {
  m_pageWidth = pageWidth;
  place(pageWidth >= kWidePage);
  fitCauses();
}

void TimelinePanels::place(bool wide) {
  if (m_columns->isHidden() != wide && m_columns->count() + m_tabs->count() > 0) return;
  struct Panel {
    QString title;
    QWidget* note;
    QWidget* content;
  };
  const std::vector<Panel> panels{{tr("Selection"), nullptr, m_selection},
                                  {tr("Idle causes"), wide ? m_causesNote : nullptr, m_causes},
                                  {tr("Events"), m_eventsTop, m_events}};
  for (const Panel& panel : panels) {
    panel.content->setParent(this);
    if (panel.note != nullptr) panel.note->setParent(this);
  }
  m_causesNote->setParent(this);
  m_causesNote->hide();  // a tab is too low for the note
  takeApart();
  for (const Panel& panel : panels) {
    // The tab already has the title.
    QWidget* box = titled(wide ? panel.title : QString(), panel.note, panel.content, this);
    panel.content->show();
    if (panel.note != nullptr) panel.note->show();
    if (wide) {
      m_columns->addWidget(box);
    } else {
      m_tabs->addTab(box, panel.title);
    }
  }
  if (wide) m_columns->setSizes({4200, 4100, 6500});
  m_columns->setVisible(wide);
  m_tabs->setVisible(!wide);
}

void TimelinePanels::takeApart() {
  while (m_columns->count() > 0) delete m_columns->widget(0);
  while (m_tabs->count() > 0) {
    QWidget* page = m_tabs->widget(0);
    m_tabs->removeTab(0);
    delete page;
  }
}

/// Shows all its columns while the other panels keep half of the page.
void TimelinePanels::fitCauses() {
  const bool wide = !m_columns->isHidden();
  m_causes->setMinimumWidth(wide ? std::min(m_causes->wantedWidth(), m_pageWidth / 2) : 0);
}

void TimelinePanels::showNote() {
  if (!m_data) return;
  m_eventsNote->setText(m_events->note());
  const auto lost = static_cast<std::int64_t>(m_data->notes().lost);
  m_lost->show(*m_theme, countedText(lost, tr("record lost"), tr("records lost")),
               lost == 0 ? Tone::Success : Tone::Warning);
}

}  // namespace stagelane::ui
