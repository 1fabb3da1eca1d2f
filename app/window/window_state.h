#pragma once

/// The window state that is kept between starts: size, page, chosen theme, splitters, opened and
/// closed parts (kept_choice.h), and which experiment was open. Not the experiment itself.

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
  /// False for a screenshot or map only, which must not depend on the last start.
  explicit WindowState(const WindowOptions& options);

  /// True if a screenshot or map is requested, with or without `--stay`.
  [[nodiscard]] bool automated() const { return m_automated; }
  void restore(QWidget& window, ui::Shell& shell, ui::Session& session);
  void keep(const QWidget& window, const ui::Shell& shell);

  /// Switches to the other theme, also for the next starts.
  void switchTheme(ui::Session& session);
  /// Switches to the desktop's theme, also for the next starts.
  void followDesktop(ui::Session& session);

  /// The last open file, preset or run folder, and its variant; empty if there is none.
  void keepOpened(const QString& opened, const QString& variant);
  [[nodiscard]] QString opened() const;
  [[nodiscard]] QString variant() const;

 private:
  void restoreChoices(const QWidget& parent);
  void restoreSplitters(const QWidget& parent);

  QSettings m_settings;
  WindowOptions m_options;
  ui::ThemeKind m_desktopTheme;  ///< before the window set its own theme
  bool m_automated;
  bool m_keeps;  ///< whether to save the state
};

}  // namespace stagelane::app
