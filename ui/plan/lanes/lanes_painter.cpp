#include "ui/plan/lanes/lanes_painter.h"

#include <QFontMetricsF>
#include <algorithm>

#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/label_places.h"
#include "ui/kit/theme.h"
#include "ui/plan/chip_locks.h"
#include "ui/plan/drop_preview.h"
#include "ui/plan/lanes/chip_groups.h"
#include "ui/plan/plan_figures.h"
#include "ui/plan/plan_selection.h"
#include "ui/plan/shown_problems.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr qreal kLabelledChip = 36;  ///< narrower chips carry no text
constexpr qreal kRoomyChip = 60;     ///< inside: here name and icon share a line

constexpr qreal kChipIcon = 14;
constexpr qreal kChipMargin = 7;
constexpr qreal kChipHatch = 0.5;  ///< fainter than on actions: there is text on it

QString elided(const QString& text, const QFont& font, qreal width) {
  return QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
}

/// A name may lose its end, but not so much that it says nothing.
QString elidedName(const QString& name, const QFont& font, qreal width) {
  const QString text = elided(name, font, width);
  return text.size() < std::min<qsizetype>(3, name.size()) ? QString() : text;
}

/// Half a number is worse than none.
QString wholeOrNone(const QString& text, const QFont& font, qreal width) {
  return QFontMetricsF(font).horizontalAdvance(text) <= width ? text : QString();
}

}  // namespace

LanesPainter::LanesPainter(QPainter& painter, const PlanModel& model, const LanesGeometry& geometry,
                           const LanesState& state)
    : m_painter(painter),
      m_model(model),
      m_geometry(geometry),
      m_state(state),
      m_theme(model.session().currentTheme()->theme()) {}

void LanesPainter::paint() {
  m_painter.setRenderHint(QPainter::Antialiasing);
  paintTitle();
  for (std::size_t group = 0; group < m_geometry.chain.groups.size(); ++group) {
    paintBracket(m_geometry.chain.groups[group], m_geometry.groupRect(group));
  }
  for (int lane = 0; lane < m_geometry.lanes.count; ++lane) {
    paintLane(lane);
  }
  for (std::size_t chip = 0; chip < m_geometry.chain.chips.size(); ++chip) {
    if (isDragged(m_geometry.chain.chips[chip])) {
      paintOrigin(chip);
    }
    const int lane = laneOf(m_geometry.chain.chips[chip], m_model.dropPreview().shownShape());
    if (lane >= 0) {
      paintChip(chip, lane);
    }
  }
  paintBoundaries();
  paintHeaders();
  if (!m_state.dragged.empty()) {
    paintTooltip();
  }
}

bool LanesPainter::isDragged(const ChipPlace& chip) const {
  return std::binary_search(m_state.dragged.begin(), m_state.dragged.end(), chip.first);
}

int LanesPainter::laneOf(const ChipPlace& chip, const PlanShape& shape) const {
  return m_model.laneOf(shape.deviceOfBlock[chip.first]);
}

QString LanesPainter::labelOf(const ChipPlace& chip) const {
  const ChainGroup* group = m_model.chips().groupOf(chip.first);
  if (chip.group || group == nullptr || chip.width >= 76) {
    return chip.name;
  }
  // "layer2.0" is "2.0" under its bracket: the number says which layer, the bracket says the rest.
  qsizetype digit = 0;
  while (digit < group->name.size() && !group->name[digit].isDigit()) {
    ++digit;
  }
  return chip.name.mid(digit < group->name.size() ? digit : group->name.size() + 1);
}

void LanesPainter::paintTitle() {
  const QRectF rect = m_geometry.titleRect();
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.muted);
  const QString samples =
      countedText(m_model.table()->microBatch, QStringLiteral("sample"), QStringLiteral("samples"));
  QString note;
  switch (m_model.chips().width()) {
    case ChipWidth::Time:
      note = QStringLiteral("width = forward + backward time of %1").arg(samples);
      break;
    case ChipWidth::Memory: note = QStringLiteral("width = memory of %1").arg(samples); break;
    case ChipWidth::Parameters: note = QStringLiteral("width = parameters"); break;
  }
  const QRectF content =
      rect.adjusted(m_geometry.headerLeft() + m_geometry.contentLeft(), 0, -12, 0);
  const QString order = QStringLiteral("chain order →   ") + note;
  m_painter.drawText(content, Qt::AlignVCenter | Qt::AlignLeft, order);
  if (m_geometry.chain.clamped > 0) {
    const QString clamped =
        countedText(m_geometry.chain.clamped, QStringLiteral("chip"), QStringLiteral("chips")) +
        QStringLiteral(" drawn at the 18 px minimum");
    const QFontMetricsF metrics(m_painter.font());
    if (metrics.horizontalAdvance(order) + metrics.horizontalAdvance(clamped) + 24 <
        content.width()) {
      m_painter.drawText(content, Qt::AlignVCenter | Qt::AlignRight, clamped);
    }
  }
  m_painter.setPen(m_theme.control.border);
  m_painter.drawLine(QPointF(0, rect.bottom() - 0.5), QPointF(rect.right(), rect.bottom() - 0.5));
}

void LanesPainter::paintBracket(const GroupPlace& group, const QRectF& rect) {
  const QFont font = fontOf(TextSize::Caption);
  const QString name = elided(group.group.name, font, rect.width() - 24);
  const qreal textWidth = QFontMetricsF(font).horizontalAdvance(name);
  const qreal middle = rect.center().x();
  const qreal left = middle - (textWidth + 16) / 2;
  const qreal y = rect.center().y() + 0.5;
  m_painter.setPen(QPen(m_theme.control.border2, 1));
  m_painter.drawLine(QPointF(rect.left() + 0.5, y), QPointF(left - 4, y));
  m_painter.drawLine(QPointF(left + textWidth + 20, y), QPointF(rect.right() - 0.5, y));
  m_painter.drawLine(QPointF(rect.left() + 0.5, y), QPointF(rect.left() + 0.5, y + 5));
  m_painter.drawLine(QPointF(rect.right() - 0.5, y), QPointF(rect.right() - 0.5, y + 5));
  const QRectF box(left + 0.5, y - 5, 10, 10);
  m_painter.setPen(QPen(m_theme.control.muted, 1));
  m_painter.setBrush(Qt::NoBrush);
  m_painter.drawRoundedRect(box, 2, 2);
  m_painter.drawLine(box.center() - QPointF(2.5, 0), box.center() + QPointF(2.5, 0));
  if (!group.open) {
    m_painter.drawLine(box.center() - QPointF(0, 2.5), box.center() + QPointF(0, 2.5));
  }
  m_painter.setFont(font);
  m_painter.setPen(group.open ? m_theme.control.text : m_theme.control.muted);
  m_painter.drawText(QRectF(left + 16, rect.top(), textWidth + 2, rect.height()), Qt::AlignVCenter,
                     name);
}

void LanesPainter::paintLane(int lane) {
  const QRectF rect = m_geometry.laneRect(lane);
  const QRectF content = m_geometry.contentRect(lane);
  const bool target = m_state.targetLane == lane && !m_state.refusal;
  const bool refused = m_state.targetLane == lane && m_state.refusal;
  m_painter.fillRect(content, target    ? m_theme.control.accentSoft
                              : refused ? m_theme.control.errorGround
                                        : m_theme.control.lane);
  m_painter.setPen(m_theme.control.border);
  m_painter.drawLine(QPointF(0, rect.top() - 0.5), QPointF(rect.right(), rect.top() - 0.5));
  m_painter.drawLine(QPointF(0, rect.bottom() + 0.5), QPointF(rect.right(), rect.bottom() + 0.5));
  if (target || refused) {
    m_painter.setPen(QPen(target ? m_theme.control.accent : m_theme.control.error, 2));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(content.adjusted(1, 1, -1, -1));
  }
}

void LanesPainter::paintOrigin(std::size_t chip) {
  const int from = laneOf(m_geometry.chain.chips[chip], m_model.shape());
  const int to = laneOf(m_geometry.chain.chips[chip], m_model.dropPreview().shownShape());
  if (from < 0 || from == to) {
    return;
  }
  m_painter.setPen(QPen(m_theme.control.border2, 1, Qt::DashLine));
  m_painter.setBrush(Qt::NoBrush);
  m_painter.drawRoundedRect(m_geometry.chipRect(chip, from).adjusted(0.5, 0.5, -0.5, -0.5),
                            measure::kChipRadius, measure::kChipRadius);
}

void LanesPainter::paintChip(std::size_t index, int lane) {
  const ChipPlace& chip = m_geometry.chain.chips[index];
  const QRectF rect = m_geometry.chipRect(index, lane);
  const DeviceId& device = m_model.devices()[static_cast<std::size_t>(lane)];
  const QString problem = m_model.shownProblems().word(device);
  const bool failed = !problem.isEmpty();
  const Selected part = m_model.selected(chip.first, chip.last);
  const bool selected = part == Selected::All || isDragged(chip);
  const bool current =
      m_state.focused && m_model.current() >= chip.first && m_model.current() <= chip.last;
  const ControlColors& colors = m_theme.control;
  const QColor ground = selected ? colors.selected : failed ? colors.errorGround : colors.raised;
  const QColor line = selected || part == Selected::Part ? colors.accent
                      : failed                           ? colors.error
                      : m_state.hoveredChip == index     ? colors.muted
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
  if (chip.width >= kLabelledChip) {
    paintChipText(chip, rect, problem);
  } else if (const QString name = iconOf(chip, failed); !name.isEmpty()) {
    paintIcon(m_painter, name, colorOf(name),
              QRectF(rect.center().x() - kChipIcon / 2, rect.top() + 6, kChipIcon, kChipIcon));
  }
  paintRatio(chip, rect);
}

QString LanesPainter::iconOf(const ChipPlace& chip, bool failed) const {
  for (std::size_t block = chip.first; block <= chip.last; ++block) {
    if (m_model.locks().locked(block)) {
      return QStringLiteral("lock");
    }
  }
  if (failed) {
    return QStringLiteral("warn");
  }
  // Where the words have no room.
  const QString tied = tiedWords(chip);
  const QFont plain = fontOf(TextSize::Caption);
  const bool said = chip.width >= kLabelledChip &&
                    !wholeOrNone(tied, plain, chip.width - 2 * kChipMargin).isEmpty();
  return tied.isEmpty() || said ? QString() : QStringLiteral("link");
}

QColor LanesPainter::colorOf(const QString& icon) const {
  return icon == QStringLiteral("warn")   ? m_theme.control.error
         : icon == QStringLiteral("link") ? m_theme.control.warning
                                          : m_theme.control.muted;
}

QString LanesPainter::tiedWords(const ChipPlace& chip) const {
  for (std::size_t block = chip.first; block <= chip.last; ++block) {
    if (const QString other = m_model.figures().tiedAcrossDevices(block); !other.isEmpty()) {
      return QStringLiteral("tied to ") + other;
    }
  }
  return {};
}

void LanesPainter::paintChipText(const ChipPlace& chip, const QRectF& rect,
                                 const QString& problem) {
  const bool failed = !problem.isEmpty();
  const ControlColors& colors = m_theme.control;
  const QRectF inner = rect.adjusted(kChipMargin, 5, -kChipMargin, -5);
  const QFont bold = fontOf(TextSize::Caption, TextWeight::Bold);
  const QString icon = iconOf(chip, failed);
  // Where the name would have to give way to the icon, the icon goes below it.
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
  paintChipFigures(chip, inner.adjusted(left, 0, 0, 0), problem, beside ? kChipIcon : 0);
}

/// The quantity that the chip's width follows.
QString LanesPainter::widthText(const ChipPlace& chip) const {
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

void LanesPainter::paintChipFigures(const ChipPlace& chip, const QRectF& inner,
                                    const QString& problem, qreal iconSpace) {
  const bool failed = !problem.isEmpty();
  Bytes kept = 0;
  for (std::size_t block = chip.first; block <= chip.last; ++block) {
    kept += m_model.table()->blocks[block].keptBytes;
  }
  const QFont plain = fontOf(TextSize::Caption);
  const QFontMetricsF metrics(plain);
  const QString takes = widthText(chip);
  const QString keeps = QStringLiteral("keeps ") + bytesText(kept);
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
                       countedText(count, QStringLiteral("block"), QStringLiteral("blocks")));
    m_painter.drawText(second, Qt::AlignVCenter | Qt::AlignRight, failed ? problem : keeps);
  }
  const QString tied = tiedWords(chip);
  if (!tied.isEmpty() && !failed) {
    m_painter.setPen(m_theme.control.warning);
    m_painter.drawText(QRectF(inner.left(), inner.top() + 29, inner.width(), 13), Qt::AlignVCenter,
                       wholeOrNone(tied, plain, inner.width()));
  }
}

void LanesPainter::paintRatio(const ChipPlace& chip, const QRectF& rect) {
  const qreal margin = rect.width() >= kLabelledChip ? 7 : 5;
  const QRectF bar(rect.left() + margin, rect.bottom() - 9, rect.width() - 2 * margin, 4);
  TimeNs forward = 0;
  TimeNs backward = 0;
  for (std::size_t block = chip.first; block <= chip.last; ++block) {
    forward += m_model.table()->blocks[block].forwardNs;
    backward += m_model.table()->blocks[block].backwardNs;
  }
  if (bar.width() < 6 || forward + backward <= 0) {
    return;
  }
  const qreal share = static_cast<qreal>(forward) / static_cast<qreal>(forward + backward);
  const qreal split = bar.left() + bar.width() * share;
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(m_theme.action.forward);
  m_painter.drawRect(QRectF(bar.left(), bar.top(), split - bar.left() - 0.5, bar.height()));
  m_painter.setBrush(m_theme.action.backward);
  m_painter.drawRect(QRectF(split + 0.5, bar.top(), bar.right() - split - 0.5, bar.height()));
}

void LanesPainter::paintBoundaries() {
  const PlanShape& now = m_model.shape();
  const PlanShape& shown = m_model.dropPreview().shownShape();
  for (std::size_t block = 1; block < shown.stageBegins.size(); ++block) {
    if (now.stageBegins[block] && !shown.stageBegins[block]) {
      paintBoundaryThatWas(block);
    }
  }
  std::vector<BoundaryBar> bars;
  std::vector<std::size_t> blocks;
  for (std::size_t block = 1; block < shown.stageBegins.size(); ++block) {
    const auto bar = shown.stageBegins[block] ? barBefore(block, shown) : std::nullopt;
    if (bar) {
      paintBar(*bar, QPen(m_theme.control.accent, 3));
      bars.push_back(*bar);
      blocks.push_back(block);
    }
  }
  const auto labels = boundaryLabels(bars, m_geometry.headerRight(), m_geometry.width, m_labels);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i]) {
      paintBoundaryLabel(*labels[i], blocks[i]);
    }
  }
}

QString LanesPainter::boundaryText(std::size_t block, bool brief) const {
  const QString bytes = bytesText(m_model.figures().cutBytes(block));
  return brief                        ? bytes
         : m_model.figures().trains() ? QStringLiteral("%1 a step, both ways").arg(bytes)
                                      : QStringLiteral("%1 a step").arg(bytes);
}

std::optional<BoundaryBar> LanesPainter::barBefore(std::size_t block,
                                                   const PlanShape& shape) const {
  const int one = m_model.laneOf(shape.deviceOfBlock[block - 1]);
  const int other = m_model.laneOf(shape.deviceOfBlock[block]);
  if (one < 0 || other < 0) {
    return std::nullopt;
  }
  const QFontMetricsF metrics(fontOf(TextSize::Caption));
  const LaneStack& lanes = m_geometry.lanes;
  BoundaryBar bar{m_geometry.cutX(block), std::min(one, other), std::max(one, other)};
  bar.labelTop = lanes.laneTop(bar.upper) + lanes.laneHeight + 4.5;
  bar.labelHeight = lanes.laneGap - 9;
  bar.whole = metrics.horizontalAdvance(boundaryText(block, false)) + 20;
  bar.brief = metrics.horizontalAdvance(boundaryText(block, true)) + 12;
  return bar;
}

void LanesPainter::paintBar(const BoundaryBar& bar, const QPen& pen) {
  m_painter.setPen(pen);
  m_painter.drawLine(
      QPointF(bar.x, m_geometry.lanes.laneTop(bar.upper)),
      QPointF(bar.x, m_geometry.lanes.laneTop(bar.lower) + m_geometry.lanes.laneHeight));
}

/// Where the cut is until the drop.
void LanesPainter::paintBoundaryThatWas(std::size_t block) {
  const auto bar = barBefore(block, m_model.shape());
  if (!bar) {
    return;
  }
  paintBar(*bar, QPen(m_theme.control.muted, 1, Qt::DashLine));
  if (bar->upper == bar->lower) {
    return;
  }
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.muted);
  const QRectF label(bar->x + 8, bar->labelTop, 44, bar->labelHeight);
  m_labels.push_back(label);
  m_painter.drawText(label, Qt::AlignVCenter, QStringLiteral("cut now"));
}

void LanesPainter::paintBoundaryLabel(const BoundaryLabel& label, std::size_t block) {
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.accent);
  m_painter.setBrush(m_theme.control.panel);
  m_painter.drawRoundedRect(label.rect, 3, 3);
  m_painter.drawText(label.rect, Qt::AlignCenter, boundaryText(block, label.brief));
  m_labels.push_back(label.rect);
}

/// Beside the cursor, and never over chips of the lane that the drop is for.
QRectF LanesPainter::tooltipPlace(const QSizeF& size) const {
  std::vector<Obstacle> obstacles;
  for (const QRectF& label : m_labels) {
    obstacles.push_back({label, 4.0});
  }
  for (std::size_t chip = 0; chip < m_geometry.chain.chips.size(); ++chip) {
    const int lane = laneOf(m_geometry.chain.chips[chip], m_model.dropPreview().shownShape());
    if (lane >= 0) {
      const bool target = m_state.targetLane == lane;
      obstacles.push_back({m_geometry.chipRect(chip, lane), target ? 8.0 : 1.0});
    }
  }
  const QPointF cursor = m_state.cursor;
  const qreal least = m_geometry.headerLeft() + 2;
  std::vector<QRectF> candidates;
  for (const qreal y : {cursor.y() - size.height() - 14, cursor.y() + 24,
                        cursor.y() - m_geometry.lanes.laneHeight - size.height() / 2,
                        cursor.y() + m_geometry.lanes.laneHeight - size.height() / 2}) {
    for (const qreal x : {cursor.x() + 20, cursor.x() - 20 - size.width()}) {
      const qreal left =
          std::clamp<qreal>(x, least, std::max(least, m_geometry.width - 8 - size.width()));
      const qreal top =
          std::clamp<qreal>(y, 2, std::max<qreal>(2, m_geometry.height() - 2 - size.height()));
      candidates.emplace_back(QPointF(left, top), size);
    }
  }
  return calmestPlace(candidates, obstacles);
}

void LanesPainter::paintTooltip() {
  const QString text = m_state.refusal ? *m_state.refusal : m_model.dropPreview().text();
  const QString shown = !text.isEmpty()      ? text
                        : m_state.targetLane ? QStringLiteral("predicting…")
                                             : QStringLiteral("Drop on a lane, Esc cancels");
  const QFont font = fontOf(TextSize::Body, TextWeight::Bold);
  const qreal limit = std::min<qreal>(360, m_geometry.width - 32);
  const QRectF measured =
      QFontMetricsF(font).boundingRect(QRectF(0, 0, limit, 400), Qt::TextWordWrap, shown);
  const QRectF box = tooltipPlace(measured.size() + QSizeF(24, 14));
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(m_theme.control.text);
  m_painter.drawRoundedRect(box, 4, 4);
  m_painter.setFont(font);
  m_painter.setPen(m_theme.control.panel);
  m_painter.drawText(box.adjusted(12, 7, -12, -7), Qt::TextWordWrap | Qt::AlignVCenter, shown);
}

}  // namespace stagelane::ui
