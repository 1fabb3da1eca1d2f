#include "ui/session/run/sweep_labels.h"

#include <algorithm>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

using Words = std::vector<QString>;

const QString& between() {
  static const QString text = u" · "_s;
  return text;
}

/// Keeps the words before a dot together: "batch 64".
Words wordsOf(const QString& name) {
  QStringList parts = name.split(between());
  const QString last = parts.takeLast();
  const QStringList all = parts + last.split(QChar(u' '), Qt::SkipEmptyParts);
  return {all.begin(), all.end()};
}

/// Separates the columns that are equal in all points, joined, from the others.
QString takeCommon(std::vector<Words>& points) {
  QStringList common;
  for (std::size_t column = points.front().size(); column-- > 0;) {
    const bool alike = std::all_of(points.begin(), points.end(), [&](const Words& words) {
      return words[column] == points.front()[column];
    });
    if (!alike) continue;
    common.prepend(points.front()[column]);
    for (Words& words : points) words.erase(words.begin() + static_cast<std::ptrdiff_t>(column));
  }
  return common.join(between());
}

/// One row: neighbors that are equal up to this column share their label.
std::vector<SweepLabel> rowOf(const std::vector<Words>& points, std::size_t column) {
  const auto alike = [column](const Words& left, const Words& right) {
    return std::equal(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(column) + 1,
                      right.begin());
  };
  std::vector<SweepLabel> row;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0 && alike(points[i - 1], points[i])) {
      row.back().last = i;
    } else {
      row.push_back({points[i][column], i, i});
    }
  }
  return row;
}

}  // namespace

SweepLabels sweepLabels(const QStringList& names) {
  SweepLabels labels;
  if (names.isEmpty()) return labels;
  std::vector<Words> points;
  for (const QString& name : names) points.push_back(wordsOf(name));
  const bool table = std::all_of(points.begin(), points.end(), [&points](const Words& words) {
    return words.size() == points.front().size();
  });
  if (!table || names.size() == 1) {
    points.clear();
    for (const QString& name : names) points.push_back({name});
  } else {
    labels.common = takeCommon(points);
  }
  for (std::size_t column = points.front().size(); column-- > 0;) {
    labels.rows.push_back(rowOf(points, column));
  }
  return labels;
}

}  // namespace stagelane::ui
