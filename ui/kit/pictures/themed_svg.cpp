#include "ui/kit/pictures/themed_svg.h"

#include <QRegularExpression>
#include <QStringList>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

/// The attributes that may differ between themes.
bool isPaint(const QString& attribute) {
  static const QStringList kPaints{u"fill"_s, u"fill-opacity"_s, u"stroke"_s, u"stroke-opacity"_s,
                                   u"stop-color"_s};
  return kPaints.contains(attribute);
}

const QRegularExpression& tags() {
  static const QRegularExpression kTags(u"<[^>]*>"_s);
  return kTags;
}

const QRegularExpression& attributes() {
  static const QRegularExpression kAttributes(u"([\\w:-]+)=\"([^\"]*)\""_s);
  return kAttributes;
}

}  // namespace

QString ThemedSvg::variableOf(const QString& light, const QString& dark) {
  const auto number = static_cast<int>(m_variables.size());
  return u"--c%1"_s.arg(m_variables.try_emplace({light, dark}, number).first->second);
}

std::optional<QString> ThemedSvg::mergeTag(const QString& light, const QString& dark) {
  if (light == dark) return light;
  QString merged;
  QString style;
  qsizetype copied = 0;
  auto other = attributes().globalMatch(dark);
  qsizetype otherCopied = 0;
  for (auto each = attributes().globalMatch(light); each.hasNext();) {
    const QRegularExpressionMatch mine = each.next();
    if (!other.hasNext()) return std::nullopt;
    const QRegularExpressionMatch its = other.next();
    const QString name = mine.captured(1);
    const QString before = light.mid(copied, mine.capturedStart() - copied);
    if (its.captured(1) != name ||
        dark.mid(otherCopied, its.capturedStart() - otherCopied) != before) {
      return std::nullopt;
    }
    merged += before;
    if (mine.captured(2) == its.captured(2)) {
      merged += mine.captured(0);
    } else if (isPaint(name)) {
      style += u"%1:var(%2);"_s.arg(name, variableOf(mine.captured(2), its.captured(2)));
    } else {
      return std::nullopt;
    }
    copied = mine.capturedEnd();
    otherCopied = its.capturedEnd();
  }
  if (other.hasNext() || light.mid(copied) != dark.mid(otherCopied)) return std::nullopt;
  merged += light.mid(copied);
  // After the tag's name, which every tag with attributes has.
  const qsizetype name = merged.indexOf(QChar(u' '));
  return style.isEmpty() || name < 0 ? merged : merged.insert(name, u" style=\"%1\""_s.arg(style));
}

std::optional<QString> ThemedSvg::merge(const QString& light, const QString& dark) {
  QString merged;
  qsizetype copied = 0;
  qsizetype otherCopied = 0;
  auto other = tags().globalMatch(dark);
  for (auto each = tags().globalMatch(light); each.hasNext();) {
    const QRegularExpressionMatch mine = each.next();
    if (!other.hasNext()) return std::nullopt;
    const QRegularExpressionMatch its = other.next();
    const QString before = light.mid(copied, mine.capturedStart() - copied);
    if (dark.mid(otherCopied, its.capturedStart() - otherCopied) != before) return std::nullopt;
    const std::optional<QString> tag = mergeTag(mine.captured(0), its.captured(0));
    if (!tag) return std::nullopt;
    merged += before + *tag;
    copied = mine.capturedEnd();
    otherCopied = its.capturedEnd();
  }
  if (other.hasNext() || light.mid(copied) != dark.mid(otherCopied)) return std::nullopt;
  return merged + light.mid(copied);
}

QString ThemedSvg::variables(ThemeKind kind) const {
  QString css;
  for (const auto& [colors, number] : m_variables) {
    css += u"--c%1: %2; "_s.arg(QString::number(number),
                                kind == ThemeKind::Light ? colors.first : colors.second);
  }
  return css;
}

}  // namespace stagelane::ui
