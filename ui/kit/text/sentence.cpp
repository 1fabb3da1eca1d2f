#include "ui/kit/text/sentence.h"

#include <algorithm>

namespace stagelane::ui {

QString asSentence(QString text) {
  QString word = text.section(QChar(u' '), 0, 0);
  while (word.endsWith(QChar(u',')) || word.endsWith(QChar(u'.'))) word.chop(1);
  const bool plain = std::all_of(word.begin(), word.end(), [](QChar letter) {
    return letter.isLetter() || letter == QChar(u'-') || letter == QChar(u'\'');
  });
  if (!word.isEmpty() && plain) text[0] = text[0].toUpper();
  return text;
}

}  // namespace stagelane::ui
