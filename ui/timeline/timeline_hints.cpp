#include "ui/timeline/timeline_hints.h"

#include <QStringList>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

QString tipText(const TargetText& text) {
  QStringList lines{text.title};
  if (!text.sentence.isEmpty()) {
    lines << text.sentence;
  } else {
    for (const auto& fact : text.facts) lines << fact.first + u": "_s + fact.second;
  }
  return lines.join(QChar(u'\n'));
}

QString hintText(const TargetText& text) {
  if (!text.sentence.isEmpty()) return text.sentence;
  QString hint = text.title;
  for (const auto& fact : text.facts) {
    const bool wanted = fact.first == u"Duration"_s || fact.first == u"Predicted"_s ||
                        fact.first == u"Difference"_s;
    if (wanted) hint += u" · %1 %2"_s.arg(fact.first.toLower(), fact.second);
  }
  return hint;
}

}  // namespace stagelane::ui
