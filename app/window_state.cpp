#include "app/window_state.h"

#include <QGuiApplication>
#include <QPalette>
#include <QSplitter>

#include "ui/models/formatting.h"

namespace stagelane::app {
namespace {

constexpr QSize kFirstSize(1440, 860);

/// Qt 6.4 cannot be asked for the desktop's scheme; a dark desktop has dark window grounds.
ui::ThemeKind desktopTheme() {
  return QGuiApplication::palette().color(QPalette::Window).lightness() < 128
             ? ui::ThemeKind::Dark
             : ui::ThemeKind::Light;
}

}  // namespace

WindowState::WindowState(const WindowOptions& options)
    : m_settings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("stagelane"),
                 QStringLiteral("window")),
      m_options(options),
      m_automated(!options.shot.empty() || !options.uiMap.empty()) {}

void WindowState::restore(QWidget& window, ui::Shell& shell, ui::Session& session) {
  const QString kept =
      m_automated ? QString() : m_settings.value(QStringLiteral("theme")).toString();
  const QString wanted = m_options.theme.empty() ? kept : ui::qstring(m_options.theme);
  session.setTheme(wanted.isEmpty() ? desktopTheme() : ui::themeKindFromWord(wanted));
  window.resize(kFirstSize);
  if (!m_automated) {
    window.restoreGeometry(m_settings.value(QStringLiteral("geometry")).toByteArray());
  }
  if (m_options.width > 0 && m_options.height > 0) {
    window.setWindowState(Qt::WindowNoState);
    window.resize(m_options.width, m_options.height);
  }
  const QString page = m_options.page.empty() && !m_automated
                           ? m_settings.value(QStringLiteral("page")).toString()
                           : ui::qstring(m_options.page);
  if (!shell.showPage(page)) {
    shell.showPage(QStringLiteral("plan"));
  }
  if (m_automated) {
    return;
  }
  restoreSplitters(shell);
  // Pages are made when they are shown first.
  QObject::connect(&shell, &ui::Shell::pageMade, &shell,
                   [this](const QWidget* made) { restoreSplitters(*made); });
}

void WindowState::restoreSplitters(const QWidget& parent) {
  for (QSplitter* splitter : parent.findChildren<QSplitter*>()) {
    const QByteArray state =
        m_settings.value(QStringLiteral("splitter/") + splitter->objectName()).toByteArray();
    if (!splitter->objectName().isEmpty() && !state.isEmpty()) {
      splitter->restoreState(state);
      splitter->setProperty("fitted", false);
    }
  }
}

void WindowState::keep(const QWidget& window, const ui::Shell& shell, const ui::Session& session) {
  if (m_automated) {
    return;
  }
  m_settings.setValue(QStringLiteral("geometry"), window.saveGeometry());
  m_settings.setValue(QStringLiteral("page"), shell.currentPageName());
  m_settings.setValue(QStringLiteral("theme"), session.themeKind() == ui::ThemeKind::Dark
                                                   ? QStringLiteral("dark")
                                                   : QStringLiteral("light"));
  for (const QSplitter* splitter : shell.findChildren<QSplitter*>()) {
    // What a page fits to what it shows is no choice of a person.
    if (!splitter->objectName().isEmpty() && !splitter->property("fitted").toBool()) {
      m_settings.setValue(QStringLiteral("splitter/") + splitter->objectName(),
                          splitter->saveState());
    }
  }
}

}  // namespace stagelane::app
