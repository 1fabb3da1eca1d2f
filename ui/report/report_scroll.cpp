#include "ui/report/report_scroll.h"

#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/report/report_preview.h"

namespace stagelane::ui {

ReportScroll::ReportScroll(QWidget* parent)
    : QScrollArea(parent), m_preview(new ReportPreview), m_controls(new QWidget(parent)) {
  setNames(this, u"reportPages"_s, tr("Pages of the report"));
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  setWidget(m_preview);
  buildControls();
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ReportScroll::refreshPageCount);
}

QAbstractButton* ReportScroll::fitWidthButton() const { return m_fitWidth; }
QAbstractButton* ReportScroll::realSizeButton() const { return m_realSize; }

QToolButton* ReportScroll::addButton(const QString& name, const QString& text,
                                     const QString& words) {
  auto* button = new QToolButton(m_controls);
  button->setText(text);
  setNames(button, name, words);
  button->setToolTip(words);
  return button;
}

void ReportScroll::buildControls() {
  m_pageCount = mutedLabel(QString(), m_controls);
  m_pageCount->setObjectName(u"reportPageCount"_s);
  m_previousPage = addButton(u"reportPreviousPage"_s, u"‹"_s, tr("Previous page of the report"));
  m_nextPage = addButton(u"reportNextPage"_s, u"›"_s, tr("Next page of the report"));
  rowLayout(m_controls, {.margins = {0, 0, 0, 0}, .spacing = 4},
            {m_pageCount, m_previousPage, m_nextPage, Gap{4}, buildZoom()});
  connect(m_previousPage, &QToolButton::clicked, this, [this] { showPageOf(-1); });
  connect(m_nextPage, &QToolButton::clicked, this, [this] { showPageOf(1); });
}

QWidget* ReportScroll::buildZoom() {
  m_fitWidth =
      addButton(u"reportFitWidth"_s, tr("Fit width"), tr("Scale the pages to the available width"));
  m_realSize =
      addButton(u"reportRealSize"_s, u"100 %"_s, tr("Show the pages at their printed size"));
  auto* box = new QWidget(m_controls);
  auto* layout = rowLayout(box, kNoRoom);
  for (QToolButton* one : {m_fitWidth, m_realSize}) {
    setLook(one, u"segment"_s);
    one->setProperty("edge", one == m_fitWidth ? u"first"_s : u"last"_s);
    one->setCheckable(true);
    one->setAutoExclusive(true);
    layout->addWidget(one);
    connect(one, &QToolButton::clicked, this, [this] {
      m_zoomChosen = true;
      refreshZoom();
    });
  }
  return box;
}

void ReportScroll::setPages(std::shared_ptr<const ReportPages> pages) {
  m_preview->setPages(std::move(pages));
  refreshZoom();
}

void ReportScroll::setTheme(const Theme& theme) { m_preview->setTheme(theme); }

void ReportScroll::showPageOf(int step) {
  const int page = static_cast<int>(m_preview->pageAt(verticalScrollBar()->value())) + step;
  const int last = static_cast<int>(m_preview->pageCount()) - 1;
  verticalScrollBar()->setValue(
      m_preview->topOf(static_cast<std::size_t>(std::clamp(page, 0, std::max(0, last)))));
}

void ReportScroll::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  refreshZoom();
}

void ReportScroll::refreshPageCount() {
  const std::size_t count = m_preview->pageCount();
  const std::size_t page = count == 0 ? 0 : m_preview->pageAt(verticalScrollBar()->value());
  m_pageCount->setText(tr("Page %1 of %2").arg(count == 0 ? 0 : page + 1).arg(count));
  m_previousPage->setEnabled(page > 0);
  m_nextPage->setEnabled(page + 1 < count);
}

void ReportScroll::refreshZoom() {
  const int room = viewport()->width();
  if (!m_zoomChosen) (m_preview->fitsAtRealSize(room) ? m_realSize : m_fitWidth)->setChecked(true);
  m_preview->setFitWidth(m_fitWidth->isChecked());
  m_preview->setAvailableWidth(room);
  refreshPageCount();
}

}  // namespace stagelane::ui
