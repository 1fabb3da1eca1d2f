#include "ui/report/report_preview.h"

#include <QPaintEvent>
#include <QPainter>
#include <algorithm>

#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kGap = 16;

}  // namespace

ReportPreview::ReportPreview(QWidget* parent) : QWidget(parent), m_theme(&lightTheme()) {
  setNames(this, u"reportPreview"_s, tr("Preview of the report's pages"));
}

void ReportPreview::setPages(std::shared_ptr<const ReportPages> pages) {
  m_pages = std::move(pages);
  relayout();
}

void ReportPreview::setTheme(const Theme& theme) {
  m_theme = &theme;
  update();
}

void ReportPreview::setAvailableWidth(int width) {
  if (width == m_available) return;
  m_available = width;
  relayout();
}

void ReportPreview::setFitWidth(bool fit) {
  if (fit == m_fitWidth) return;
  m_fitWidth = fit;
  relayout();
}

bool ReportPreview::fitsAtRealSize(int width) const {
  return ReportPages::size().width() + 2.0 * kGap <= width;
}

int ReportPreview::topOf(std::size_t page) const { return pageRect(page).top() - kGap; }

std::size_t ReportPreview::pageAt(int y) const {
  std::size_t page = 0;
  // The page in the upper third of the view.
  while (page + 1 < pageCount() && topOf(page + 1) <= y + pageRect(page).height() / 3) ++page;
  return page;
}

void ReportPreview::relayout() {
  const double pageWidth = ReportPages::size().width();
  m_scale = m_fitWidth ? std::clamp((m_available - 2.0 * kGap) / pageWidth, 0.3, 2.0) : 1.0;
  const std::size_t count = m_pages ? m_pages->count() : 0;
  m_pixmaps.assign(count, {});
  const int height = count == 0 ? kGap : pageRect(count - 1).bottom() + 1 + kGap;
  setMinimumSize(static_cast<int>(pageWidth * m_scale) + 2 * kGap, height);
  resize(std::max(m_available, minimumWidth()), height);
  update();
}

QRect ReportPreview::pageRect(std::size_t page) const {
  const QSize size = (ReportPages::size() * m_scale).toSize();
  const int left = std::max(kGap, (width() - size.width()) / 2);
  return {QPoint(left, kGap + static_cast<int>(page) * (size.height() + kGap)), size};
}

const QPixmap& ReportPreview::pixmapOf(std::size_t page) {
  QPixmap& pixmap = m_pixmaps[page];
  if (pixmap.isNull()) {
    pixmap = QPixmap(pageRect(page).size() * devicePixelRatioF());
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    pixmap.fill(Qt::white);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(m_scale, m_scale);
    m_pages->paint(painter, page, PaintMode::Vector);
  }
  return pixmap;
}

void ReportPreview::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.fillRect(event->rect(), m_theme->control.window);
  for (std::size_t page = 0; m_pages && page < m_pages->count(); ++page) {
    const QRect rect = pageRect(page);
    if (!rect.intersects(event->rect())) continue;
    painter.drawPixmap(rect.topLeft(), pixmapOf(page));
    painter.setPen(m_theme->control.border2);
    painter.drawRect(rect.adjusted(-1, -1, 0, 0));
  }
}

}  // namespace stagelane::ui
