/// Pointer and keyboard access to the marks of a drawn chart.

#include <limits>

#include "ui/plots/chart.h"

namespace stagelane::ui {
namespace {

constexpr qsizetype kLongestLine = 72;

/// Breaks only at spaces: a tooltip that wraps by itself also breaks after ":" and before units.
QStringList brokenAtBlanks(const QString& text) {
  QStringList lines;
  for (const QString& word : text.split(QChar(u' '), Qt::SkipEmptyParts)) {
    if (lines.isEmpty() || lines.last().size() + 1 + word.size() > kLongestLine) {
      lines << word;
    } else {
      lines.last() += QChar(u' ') + word;
    }
  }
  return lines;
}

}  // namespace

int markAt(const std::vector<ChartMark>& marks, const QPointF& position) {
  int found = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i].target.contains(position)) continue;
    const QPointF away = marks[i].target.center() - position;
    const double distance = QPointF::dotProduct(away, away);
    if (distance >= nearest) continue;
    nearest = distance;
    found = static_cast<int>(i);
  }
  return found;
}

QStringList tipLines(const ChartMark& mark) {
  QStringList lines = brokenAtBlanks(mark.name);
  for (const QString& fact : mark.facts) lines << brokenAtBlanks(fact);
  return lines;
}

}  // namespace stagelane::ui
