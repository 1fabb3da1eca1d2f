#pragma once

/// Pictures for readers whose page is light or dark: two paintings of the same drawing become one
/// SVG in which every colour that differs is a CSS variable, so that the page chooses. Pure.

#include <QString>
#include <map>
#include <optional>
#include <utility>

#include "ui/kit/theme.h"

namespace stagelane::ui {

class ThemedSvg {
 public:
  /// @p light with a variable wherever @p dark has another colour or opacity; nothing where the two
  /// differ in more than that.
  [[nodiscard]] std::optional<QString> merge(const QString& light, const QString& dark);
  /// What the variables of all pictures so far are in a theme: "--c0: #ffffff; --c1: …".
  [[nodiscard]] QString variables(ThemeKind kind) const;

 private:
  /// The variable for a colour of both themes.
  [[nodiscard]] QString variableOf(const QString& light, const QString& dark);
  [[nodiscard]] std::optional<QString> mergeTag(const QString& light, const QString& dark);

  std::map<std::pair<QString, QString>, int> m_variables;
};

}  // namespace stagelane::ui
