#include "ui/plan/lanes/chip_painter.h"

#include <QFontMetricsF>
#include <algorithm>

#include "ui/kit/icons.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/chip_groups.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/plan/plan_model/shown_problems.h"

namespace stagelane::ui {
namespace {

constexpr qreal kLabeledChip = 36;  ///< narrower chips carry no text
constexpr qreal kRoomyChip = 60;    ///< inside; from here on, name and icon share a line

constexpr qreal kChipIcon = 14;
constexpr qreal kChipMargin = 7;
constexpr qreal kChipHatch = 0.5;  ///< fainter than on actions: there is text on it

/// Elides a name, or drops it if fewer than three characters remain.
QString elidedName(const QString& name, const QFont& font, qreal width) {
  const QString text = QFontMetricsF(font).elidedText(name, Qt::ElideRight, width);
  return text.size() < std::min<qsizetype>(3, name.size()) ? QString() : text;
}

/// Numbers are not elided, because a partial number misleads.
QString wholeOrNone(const QString& text, const QFont& font, qreal width) {
  return QFontMetricsF(font).horizontalAdvance(text) <= width ? text : QString();
}

}  // namespace

ChipPainter::ChipPainter(const LanesCanvas& canvas)
    : m_canvas(canvas), m_painter(canvas.painter), m_model(canvas.model), m_theme(canvas.theme) {}

void ChipPainter::paint(std::size_t index, int lane) {
  const ChipPlace& chip = m_canvas.geometry.chain.chips[index];
  const QRectF rect = m_canvas.geometry.chipRect(index, lane);
  const QString problem = m_model.shownProblems().word(m_model.deviceOfLane(lane));
  const bool failed = !problem.isEmpty();
  paintGround(rect, index, failed);
  if (chip.width >= kLabeledChip) {
    paintText(chip, rect, problem);
  } else if (const QString name = iconOf(chip, failed); !name.isEmpty()) {
    paintIcon(m_painter, name, colorOf(name),
              QRectF(rect.center().x() - kChipIcon / 2, rect.top() + 6, kChipIcon, kChipIcon));
  }
  paintRatio(chip, rect);
}

void ChipPainter::paintGround(const QRectF& rect, std::size_t index, bool failed) {
  const ChipPlace& chip = m_canvas.geometry.chain.chips[index];
  const LanesState& state = m_canvas.state;
  const Selected part = m_model.selected(chip.first, chip.last);
  const bool selected = part == Selected::All || m_canvas.isDragged(chip);
  const bool current =
      state.focused && m_model.current() >= chip.first && m_model.current() <= chip.last;
  const ControlColors& colors = m_theme.control;
  const QColor ground = selected ? colors.selected : failed ? colors.errorGround : colors.raised;
  const QColor line = selected || part == Selected::Part ? colors.accent
                      : failed                           ? colors.error
                      : state.hoveredChip == index       ? colors.muted
                                                         : colors.border2;
  const qreal width = selected ? 2.0 : 1.0;
  m_painter.setPen(QPen(line, width));
  m_painter.setBrush(ground);
  const qreal inset = width / 2;
  m_painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), measure::kChipRadius,
                            measure::kChipRadius);
  if (m_model.table()->basis == predict::Basis::Estimate && !failed && !selected) {
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(estimateHatch(m_theme, m_painter.device()->devicePixelRatioF()));
    m_painter.setOpacity(m_painter.opacity() * kChipHatch);
    m_painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), measure::kChipRadius,
                              measure::kChipRadius);
    m_painter.setOpacity(m_painter.opacity() / kChipHatch);
  }
  if (current) {
    m_painter.setPen(QPen(colors.accent, 2));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRoundedRect(rect.adjusted(3, 3, -3, -3), 2, 2);
  }
}

QString ChipPainter::labelOf(const ChipPlace& chip) const {
  const ChainGroup* group = m_model.chips().groupOf(chip.first);
  if (chip.group || group == nullptr || chip.width >= 76) return chip.name;
  // "layer2.0" becomes "2.0", because the bracket above it shows the rest.
  qsizetype digit = 0;
  while (digit < group->name.size() && !group->name[digit].isDigit()) ++digit;
  return chip.name.mid(digit < group->name.size() ? digit : group->name.size() + 1);
}

QString ChipPainter::iconOf(const ChipPlace& chip, bool failed) const {
  for (std::size_t block = chip.first; block <= chip.last; ++block) {
    if (m_model.locks().locked(block)) return u"lock"_s;
  }
  if (failed) return u"warn"_s;
  // The icon stands in for text that does not fit.
  const QString tied = tiedWords(chip);
  const QFont plain = fontOf(TextSize::Caption);
  const bool said = chip.width >= kLabeledChip &&
                    !wholeOrNone(tied, plain, chip.width - 2 * kChipMargin).isEmpty();
  return tied.isEmpty() || said ? QString() : u"link"_s;
}

QColor ChipPainter::colorOf(const QString& icon) const {
  return icon == u"warn"_s   ? m_theme.control.error
         : icon == u"link"_s ? m_theme.control.warning
                             : m_theme.control.muted;
}

QString ChipPainter::tiedWords(const ChipPlace& chip) const {
  for (std::size_t block = chip.first; block <= chip.last; ++block) {
    if (const QString other = m_model.figures().tiedAcrossDevices(block); !other.isEmpty()) {
      return QObject::tr("tied to ") + other;
    }
  }
  return {};
}

void ChipPainter::paintText(const ChipPlace& chip, const QRectF& rect, const QString& problem) {
  const bool failed = !problem.isEmpty();
  const ControlColors& colors = m_theme.control;
  const QRectF inner = rect.adjusted(kChipMargin, 5, -kChipMargin, -5);
  const QFont bold = fontOf(TextSize::Caption, TextWeight::Bold);
  const QString icon = iconOf(chip, failed);
  // If the name would not fit beside the icon, the icon goes below it.
  const bool beside =
      !icon.isEmpty() && QFontMetricsF(bold).horizontalAdvance(labelOf(chip)) + kChipIcon <
                             std::max(inner.width(), kRoomyChip);
  const qreal nameWidth = inner.width() - (beside ? kChipIcon : 0);
  m_painter.setFont(bold);
  m_painter.setPen(failed ? colors.error : colors.text);
  m_painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), 15), Qt::AlignVCenter,
                     elidedName(labelOf(chip), bold, nameWidth));
  if (!icon.isEmpty()) {
    paintIcon(m_painter, icon, colorOf(icon),
              beside ? QRectF(inner.right() - 12, inner.top() + 1, kChipIcon, kChipIcon)
                     : QRectF(inner.left(), inner.top() + 17, kChipIcon, kChipIcon));
  }
  const qreal left = icon.isEmpty() || beside ? 0 : kChipIcon + 4;
  paintFigures(chip, inner.adjusted(left, 0, 0, 0), problem, beside ? kChipIcon : 0);
}

/// The quantity that the chip's width follows.
QString ChipPainter::widthText(const ChipPlace& chip) const {
  TimeNs time = 0;
  Bytes memory = 0;
  std::int64_t parameters = 0;
  for (std::size_t block = chip.first; block <= chip.last; ++block) {
    const BlockFigures& figures = m_model.table()->blocks[block];
    time += figures.timeNs();
    memory += figures.memoryBytes();
    parameters += figures.parameters;
  }
  switch (m_model.chips().width()) {
    case ChipWidth::Time: break;
    case ChipWidth::Memory: return bytesText(memory);
    case ChipWidth::Parameters: return countText(parameters);
  }
  return approximately(m_model.table()->basis) + timeText(time);
}

void ChipPainter::paintFigures(const ChipPlace& chip, const QRectF& inner, const QString& problem,
                               qreal iconSpace) {
  const bool failed = !problem.isEmpty();
  Bytes kept = 0;
  for (std::size_t block = chip.first; block <= chip.last; ++block) {
    kept += m_model.table()->blocks[block].keptBytes;
  }
  const QFont plain = fontOf(TextSize::Caption);
  const QFontMetricsF metrics(plain);
  const QString takes = widthText(chip);
  const QString keeps = QObject::tr("keeps ") + bytesText(kept);
  const QRectF second(inner.left(), inner.top() + 16, inner.width(), 15);
  const bool detailed =
      chip.group &&
      metrics.horizontalAdvance(takes) + metrics.horizontalAdvance(keeps) + 10 < inner.width();
  m_painter.setFont(plain);
  m_painter.setPen(failed ? m_theme.control.error : m_theme.control.muted);
  m_painter.drawText(second, Qt::AlignVCenter,
                     wholeOrNone(failed && !detailed ? problem : takes, plain, inner.width()));
  if (detailed) {
    const auto count = static_cast<std::int64_t>(chip.last - chip.first + 1);
    m_painter.drawText(QRectF(inner.left(), inner.top(), inner.width() - iconSpace, 15),
                       Qt::AlignVCenter | Qt::AlignRight,
                       countedText(count, QObject::tr("block"), QObject::tr("blocks")));
    m_painter.drawText(second, Qt::AlignVCenter | Qt::AlignRight, failed ? problem : keeps);
  }
  const QString tied = tiedWords(chip);
  if (!tied.isEmpty() && !failed) {
    m_painter.setPen(m_theme.control.warning);
    m_painter.drawText(QRectF(inner.left(), inner.top() + 29, inner.width(), 13), Qt::AlignVCenter,
                       wholeOrNone(tied, plain, inner.width()));
  }
}

void ChipPainter::paintRatio(const ChipPlace& chip, const QRectF& rect) {
  const qreal margin = rect.width() >= kLabeledChip ? 7 : 5;
  const QRectF bar(rect.left() + margin, rect.bottom() - 9, rect.width() - 2 * margin, 4);
  TimeNs forward = 0;
  TimeNs backward = 0;
  for (std::size_t block = chip.first; block <= chip.last; ++block) {
    forward += m_model.table()->blocks[block].forwardNs;
    backward += m_model.table()->blocks[block].backwardNs;
  }
  if (bar.width() < 6 || forward + backward <= 0) return;
  const qreal share = static_cast<qreal>(forward) / static_cast<qreal>(forward + backward);
  const qreal split = bar.left() + bar.width() * share;
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(m_theme.action.forward);
  m_painter.drawRect(QRectF(bar.left(), bar.top(), split - bar.left() - 0.5, bar.height()));
  m_painter.setBrush(m_theme.action.backward);
  m_painter.drawRect(QRectF(split + 0.5, bar.top(), bar.right() - split - 0.5, bar.height()));
}

}  // namespace stagelane::ui
