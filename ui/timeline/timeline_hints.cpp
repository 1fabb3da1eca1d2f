#include "ui/timeline/timeline_hints.h"

#include <QStringList>

namespace stagelane::ui {

QString tipText(const TargetText& text) {
  QStringList lines{text.title};
  if (!text.sentence.isEmpty()) {
    lines << text.sentence;
  } else {
    for (const auto& fact : text.facts) lines << fact.first + QStringLiteral(": ") + fact.second;
  }
  return lines.join(QChar(u'\n'));
}

QString hintText(const TargetText& text) {
  if (!text.sentence.isEmpty()) return text.sentence;
  QString hint = text.title;
  for (const auto& fact : text.facts) {
    const bool wanted = fact.first == QStringLiteral("Duration") ||
                        fact.first == QStringLiteral("Predicted") ||
                        fact.first == QStringLiteral("Difference");
    if (wanted) hint += QStringLiteral(" · %1 %2").arg(fact.first.toLower(), fact.second);
  }
  return hint;
}

}  // namespace stagelane::ui
