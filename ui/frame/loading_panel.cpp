#include "ui/frame/loading_panel.h"

#include <QPainter>
#include <algorithm>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/run/loading_text.h"

namespace stagelane::ui {
namespace {

constexpr int kCardWidth = 360, kThousand = 1000;
/// Heights of bars and lengths of lines as fractions, without meaning.
constexpr double kShares[] = {0.9, 0.55, 0.75, 0.4, 0.65, 0.8, 0.5, 0.7};
constexpr double kTwoColumnsFrom = 1400.0, kChartTall = 260.0, kGap = measure::kCardGap;

void paintChart(QPainter& painter, const QRectF& card, const ControlColors& colors) {
  painter.fillRect(card, colors.panel);
  painter.fillRect(QRectF(card.left() + 14, card.top() + 14, 120, 10), colors.border);
  const double ground = card.bottom() - 28.0;
  const double room = ground - card.top() - 48.0;
  const double slot = (card.width() - 60.0) / static_cast<double>(std::size(kShares));
  double x = card.left() + 30.0;
  for (const double share : kShares) {
    painter.fillRect(QRectF(x + slot * 0.25, ground - room * share, slot * 0.5, room * share),
                     colors.grid);
    x += slot;
  }
  painter.fillRect(QRectF(card.left() + 30, ground, card.width() - 60, 1), colors.border);
}

void paintCharts(QPainter& painter, const QRectF& rect, const ControlColors& colors) {
  const int columns = rect.width() >= kTwoColumnsFrom ? 2 : 1;
  const double width = (rect.width() - kGap * (columns + 1)) / columns;
  for (double y = kGap; y < rect.height(); y += kChartTall + kGap) {
    for (int column = 0; column < columns; ++column) {
      paintChart(painter, QRectF(kGap + column * (width + kGap), y, width, kChartTall), colors);
    }
  }
}

void paintPage(QPainter& painter, const QRectF& rect, const ControlColors& colors) {
  const double width = std::min(794.0, rect.width() - 2.0 * kGap);
  const QRectF page((rect.width() - width) / 2.0, kGap, width, rect.height());
  painter.fillRect(page, colors.panel);
  painter.fillRect(QRectF(page.left() + 56, page.top() + 56, 260, 18), colors.border);
  double y = page.top() + 104.0;
  for (std::size_t line = 0; y < rect.bottom(); ++line, y += 22.0) {
    const double share = kShares[line % std::size(kShares)];
    painter.fillRect(QRectF(page.left() + 56, y, (width - 112) * share, 9), colors.grid);
  }
}

}  // namespace

LoadingPanel::LoadingPanel(SkeletonKind kind, const QString& name, QWidget* parent)
    : QWidget(parent), m_kind(kind), m_theme(&lightTheme()) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  auto* card = m_card = new QWidget(this);
  setNames(card, u"loadingCard"_s, tr("Loading"));
  setLook(card, u"panel"_s);
  m_text = new QLabel(card);
  setNames(m_text, name, tr("Current operation"));
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setMinimumWidth(kCardWidth);
  m_bar = new QProgressBar(card);
  setNames(m_bar, name + u"Progress"_s, tr("Progress"));
  m_bar->setTextVisible(false);
  m_bar->setFixedWidth(kCardWidth);
  auto* cancel = new QPushButton(tr("Cancel"), card);
  setNames(cancel, name + u"Cancel"_s, tr("Cancel"));
  cancel->setToolTip(tr("Stops reading. Files on disk are unchanged."));
  columnLayout(card, {.margins = {16, 16, 16, 16}, .spacing = 10},
               {m_text, {m_bar, 0, Qt::AlignCenter}, {cancel, 0, Qt::AlignCenter}});
  columnLayout(this, {}, {{card, 0, Qt::AlignCenter}});
  connect(cancel, &QPushButton::clicked, this, &LoadingPanel::cancelWanted);
}

void LoadingPanel::setTheme(const Theme& theme) {
  m_theme = &theme;
  update();
}

void LoadingPanel::show(const QString& text, int done, int of) {
  m_text->setText(text);
  m_bar->setRange(0, of);
  m_bar->setValue(std::min(done, of));
}

void LoadingPanel::show(const TraceLoading& loading) {
  const double total = static_cast<double>(loading.totalBytes);
  const bool known = loading.totalBytes > 0;
  const double share = known ? static_cast<double>(loading.doneBytes) / total : 0.0;
  show(loadingText(loading, 0.0), static_cast<int>(share * kThousand), known ? kThousand : 0);
}

void LoadingPanel::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const ControlColors& colors = m_theme->control;
  painter.fillRect(rect(), colors.window);
  if (m_kind == SkeletonKind::Charts) {
    paintCharts(painter, rect(), colors);
  } else {
    paintPage(painter, rect(), colors);
  }
  painter.fillRect(m_card->geometry().adjusted(-1, -1, 1, 1), colors.border);
}

}  // namespace stagelane::ui
