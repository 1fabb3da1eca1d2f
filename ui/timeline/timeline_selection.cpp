#include "ui/timeline/timeline_selection.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/tracks/step_clock.h"

namespace stagelane::ui {
namespace {

constexpr std::size_t kMostRows = 1000;
constexpr int kSwatch = 12;
constexpr int kWidestCulprit = 160;

QStandardItem* cell(const QString& text, bool number) {
  auto* item = new QStandardItem(text);
  item->setEditable(false);
  if (number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  return item;
}

}  // namespace

TimelineSelection::TimelineSelection(QWidget* parent)
    : QWidget(parent),
      m_theme(&lightTheme()),
      m_title(new QLabel(this)),
      m_text(new QLabel(this)),
      m_scroll(new QScrollArea(this)),
      m_table(new QTableView(this)),
      m_byKind(new QToolButton(this)),
      m_goTo(new QPushButton(this)),
      m_zoom(new QPushButton(tr("Zoom"), this)),
      m_copy(new QPushButton(tr("Copy"), this)) {
  setNames(m_title, u"selectionTitle"_s, tr("Selection"));
  setNames(m_text, u"selectionText"_s, tr("Selection details"));
  setNames(m_table, u"areaTable"_s, tr("Events in the area"));
  m_table->setTabKeyNavigation(false);
  setNames(m_byKind, u"areaByKind"_s, tr("Group the area by kind"));
  setNames(m_goTo, u"goToCulprit"_s, tr("Go to the main cause"));
  setNames(m_zoom, u"zoomToSelection"_s, tr("Zoom to the selection"));
  setNames(m_copy, u"copySelection"_s, tr("Copy selection details"));
  m_goTo->setToolTip(tr("Select the event that this gap waited for longest"));
  m_zoom->setToolTip(tr("Zoom to the selection (Enter)"));
  m_copy->setToolTip(tr("Copy these details to the clipboard"));
  m_byKind->setToolTip(tr("Group by kind instead of by name"));
  build();
  connect(m_goTo, &QPushButton::clicked, this, [this] { Q_EMIT culpritWanted(m_said.culprit); });
  connect(m_zoom, &QPushButton::clicked, this, &TimelineSelection::zoomWanted);
  connect(m_copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(asText()); });
  connect(m_byKind, &QToolButton::toggled, this, &TimelineSelection::fillTable);
  connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
    Q_EMIT nameWanted(m_rows.item(index.row(), 0)->text());
  });
  for (QAbstractButton* button :
       std::initializer_list<QAbstractButton*>{m_copy, m_goTo, m_byKind}) {
    addAction(new ControlAction(button->accessibleName(), button, this));
  }
  showTarget(nullptr, {});
}

void TimelineSelection::build() {
  m_title->setWordWrap(true);
  m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_text->setWordWrap(true);
  m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_byKind->setText(tr("By kind"));
  m_byKind->setCheckable(true);
  m_table->setModel(&m_rows);
  m_table->setShowGrid(false);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(20);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->horizontalHeader()->setHighlightSections(false);
  for (QPushButton* button : {m_goTo, m_zoom, m_copy}) button->setFocusPolicy(Qt::TabFocus);
  m_byKind->setFocusPolicy(Qt::TabFocus);
  auto* content = new QWidget(m_scroll);
  columnLayout(content, {.margins = {0, 0, 0, 0}, .spacing = 4}, {m_text, Stretch{1}});
  m_scroll->setWidget(content);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* buttons = rowLayout({}, {m_goTo, m_zoom, m_copy, m_byKind, Stretch{1}});
  columnLayout(this, {.margins = {0, 0, 0, 0}, .spacing = 4},
               {m_title, {m_scroll, 1}, {m_table, 1}, buttons});
}

void TimelineSelection::setTheme(const Theme& theme) {
  m_theme = &theme;
  showParts();
}

void TimelineSelection::showTarget(const TimelineData* timeline, const TimelineTarget& target) {
  const bool something = timeline != nullptr && target.kind != TimelineTarget::Kind::None;
  m_table->hide();
  m_byKind->hide();
  m_scroll->show();
  m_zoom->setVisible(something);
  m_copy->setVisible(something);
  if (something) {
    showFacts(describeTarget(*timeline, target));
    return;
  }
  showFacts({tr("Nothing selected"), {}});
  m_text->setText(
      tr("Click an action or a gap, or drag over an area to see its figures. [ and ] select "
         "gaps, comma and period the events of a track; W A S D zoom and pan, F fits, / "
         "finds, M measures, P pins and E folds the track under the mouse."));
}

void TimelineSelection::showFacts(const TargetText& text) {
  m_said = text;
  QStringList lines;
  if (!text.sentence.isEmpty()) lines << text.sentence;
  for (const auto& fact : text.facts) lines << fact.first + u": "_s + fact.second;
  m_title->setText(text.title);
  m_text->setText(lines.join(QChar(u'\n')));
  const bool said = !text.sentence.isEmpty();
  setLook(m_text, said ? u"said"_s : QString());
  m_text->setContentsMargins(said ? QMargins(10, 6, 10, 6) : QMargins());
  m_goTo->setVisible(!text.culpritName.isEmpty());
  m_goTo->setText(tr("Go to %1")
                      .arg(m_goTo->fontMetrics().elidedText(text.culpritName, Qt::ElideMiddle,
                                                            kWidestCulprit)));
  m_zoom->setText(text.parts.empty() ? tr("Zoom") : tr("Zoom to gap"));
  showParts();
}

void TimelineSelection::showParts() {
  delete m_parts;
  m_parts = nullptr;
  if (m_said.parts.empty()) return;
  m_parts = new QWidget(m_scroll->widget());
  auto* grid = new QGridLayout(m_parts);
  grid->setContentsMargins(0, 4, 0, 0);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(3);
  grid->setColumnStretch(4, 1);
  for (int row = 0; row < static_cast<int>(m_said.parts.size()); ++row) addPart(*grid, row);
  static_cast<QVBoxLayout*>(m_scroll->widget()->layout())->insertWidget(1, m_parts);
}

/// Swatch, name, time, share and reason.
void TimelineSelection::addPart(QGridLayout& grid, int row) {
  const GapPart& part = m_said.parts[static_cast<std::size_t>(row)];
  auto* mark = new QLabel(m_parts);
  QPixmap pixmap(QSize(kSwatch, kSwatch) * devicePixelRatioF());
  pixmap.setDevicePixelRatio(devicePixelRatioF());
  pixmap.fill(Qt::transparent);
  QPainter(&pixmap).fillRect(QRect(0, 0, kSwatch, kSwatch),
                             brushOf(*m_theme, part.cause, devicePixelRatioF()));
  mark->setPixmap(pixmap);
  grid.addWidget(mark, row, 0);
  grid.addWidget(new QLabel(part.name, m_parts), row, 1);
  grid.addWidget(new QLabel(part.time, m_parts), row, 2, Qt::AlignRight);
  grid.addWidget(new QLabel(part.share, m_parts), row, 3, Qt::AlignRight);
  auto* why = mutedLabel(part.why, m_parts);
  why->setWordWrap(true);
  setNames(why, u"gapPart.%1"_s.arg(row), u"%1, %2: %3"_s.arg(part.name, part.time, part.why));
  grid.addWidget(why, row, 4);
}

void TimelineSelection::showCounting() {
  showTarget(nullptr, {});
  m_title->setText(tr("Area"));
  m_text->setText(tr("Counting…"));
}

void TimelineSelection::showArea(const analysis::AreaStatistics& statistics, TimeNs startNs) {
  m_statistics = statistics;
  const analysis::AreaRow& all = statistics.all;
  m_title->setText(areaText(statistics, startNs));
  m_text->setText(tr("count %1\ntotal %2 ns").arg(all.count).arg(all.totalNs));
  m_said = {};
  showParts();
  m_goTo->hide();
  m_zoom->setText(tr("Zoom"));
  m_scroll->hide();
  m_table->show();
  m_byKind->show();
  m_zoom->show();
  m_copy->show();
  fillTable();
}

void TimelineSelection::fillTable() {
  const bool byKind = m_byKind->isChecked();
  const auto& rows = byKind ? m_statistics.kinds : m_statistics.names;
  m_rows.clear();
  m_rows.setHorizontalHeaderLabels(
      {byKind ? tr("Kind") : tr("Name"), tr("Count"), tr("Total ns"), tr("Mean ns"), tr("Share")});
  for (std::size_t i = 0; i < rows.size() && i < kMostRows; ++i) {
    const analysis::AreaRow& row = rows[i];
    const double share =
        m_statistics.all.totalNs > 0
            ? static_cast<double>(row.totalNs) / static_cast<double>(m_statistics.all.totalNs)
            : 0.0;
    m_rows.appendRow({cell(byKind ? categoryText(row.category) : shortName(row.name), false),
                      cell(QString::number(row.count), true),
                      cell(QString::number(row.totalNs), true),
                      cell(numberText(row.meanNs(), 1), true), cell(percentText(share, 1), true)});
  }
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (int column = 1; column < m_rows.columnCount(); ++column) {
    m_rows.horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  }
}

QString TimelineSelection::asText() const {
  if (m_table->isHidden()) {
    QString text = m_title->text() + QChar(u'\n') + m_text->text();
    for (const GapPart& part : m_said.parts) {
      text += u"\n%1: %2, %3, %4"_s.arg(part.name, part.time, part.share, part.why);
    }
    return text;
  }
  QString text = m_title->text() + u"\nname\tkind\tcount\ttotal_ns\tmean_ns\n"_s;
  const auto& rows = m_byKind->isChecked() ? m_statistics.kinds : m_statistics.names;
  for (const analysis::AreaRow& row : rows) {
    text += u"%1\t%2\t%3\t%4\t%5\n"_s.arg(qstring(row.name), qstring(trace::word(row.category)))
                .arg(row.count)
                .arg(row.totalNs)
                .arg(row.meanNs(), 0, 'f', 1);
  }
  return text;
}

}  // namespace stagelane::ui
