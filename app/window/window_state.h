#pragma once

/// What the window remembers from one start to the next: size, page, a chosen theme, splitters,
/// what a person opened or closed in it (kept_choice.h), and which experiment was open. Nothing of
/// the experiment itself, which is a file.

#include <QSettings>
#include <QWidget>

#include "app/window/window.h"
#include "ui/frame/shell.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class WindowState final {
 public:
  /// Nothing is restored or kept for a picture or a map alone: it must not depend on the last
  /// start.
  explicit WindowState(const WindowOptions& options);

  /// A picture or a map is wanted, whether or not the window stays after it.
  [[nodiscard]] bool automated() const { return m_automated; }
  void restore(QWidget& window, ui::Shell& shell, ui::Session& session);
  void keep(const QWidget& window, const ui::Shell& shell);

  /// The other theme than is shown, now and at the next starts.
  void switchTheme(ui::Session& session);
  /// The desktop's theme, now and at the next starts.
  void followDesktop(ui::Session& session);

  /// The file, preset or run folder that was open at the end, and its variant; empty for none.
  void keepOpened(const QString& opened, const QString& variant);
  [[nodiscard]] QString opened() const;
  [[nodiscard]] QString variant() const;

 private:
  void restoreLayout(const QWidget& parent);
  void restoreSplitters(const QWidget& parent);

  QSettings m_settings;
  WindowOptions m_options;
  ui::ThemeKind m_desktopTheme;  ///< as it was before the window took its own
  bool m_automated;
  bool m_keeps;  ///< for the next start
};

}  // namespace stagelane::app
