#pragma once

/// Merges a light and a dark painting of the same drawing into one SVG in which each color that
/// differs is a CSS variable, so that the page chooses the theme. Pure.

#include <QString>
#include <map>
#include <optional>
#include <utility>

#include "ui/kit/theme.h"

namespace stagelane::ui {

class ThemedSvg {
 public:
  /// @p light with a variable wherever @p dark has another color or opacity; nothing if the two
  /// differ in anything else.
  [[nodiscard]] std::optional<QString> merge(const QString& light, const QString& dark);
  /// The values of all variables so far in a theme: "--c0: #ffffff; --c1: …".
  [[nodiscard]] QString variables(ThemeKind kind) const;

 private:
  /// The variable for a pair of colors.
  [[nodiscard]] QString variableOf(const QString& light, const QString& dark);
  [[nodiscard]] std::optional<QString> mergeTag(const QString& light, const QString& dark);

  std::map<std::pair<QString, QString>, int> m_variables;
};

}  // namespace stagelane::ui
