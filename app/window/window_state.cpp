#include "app/window/window_state.h"

#include <QGuiApplication>
#include <QPalette>
#include <QScreen>
#include <QSplitter>

#include "ui/kit/current_theme.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

constexpr const char* kShown = "shown";  ///< property of a splitter

constexpr QSize kFirstSize(1440, 860);
const QString kGeometry = u"geometry"_s;
const QString kChosenTheme = u"chosenTheme"_s;

QString choiceKey(const QObject& control) { return u"choice/"_s + control.objectName(); }

/// Laptop screens are often smaller than the default size.
void fitToScreen(QWidget& window) {
  const QSize room = window.screen()->availableSize();
  if (room.width() < kFirstSize.width() || room.height() < kFirstSize.height()) {
    window.setWindowState(Qt::WindowMaximized);
  }
}

/// Qt 6.4 does not report the desktop's color scheme, so use the window background's brightness.
ui::ThemeKind desktopTheme() {
  return QGuiApplication::palette().color(QPalette::Window).lightness() < 128
             ? ui::ThemeKind::Dark
             : ui::ThemeKind::Light;
}

}  // namespace

WindowState::WindowState(const WindowOptions& options)
    : m_settings(QSettings::IniFormat, QSettings::UserScope, u"stagelane"_s, u"window"_s),
      m_options(options),
      m_desktopTheme(desktopTheme()),
      m_automated(!options.shot.empty() || !options.uiMap.empty()),
      m_keeps(!m_automated || options.stay) {}

void WindowState::restore(QWidget& window, ui::Shell& shell, ui::Session& session) {
  const QString kept = m_keeps ? m_settings.value(kChosenTheme).toString() : QString();
  const QString wanted = m_options.theme.empty() ? kept : ui::qstring(m_options.theme);
  session.currentTheme()->set(wanted.isEmpty() ? m_desktopTheme : ui::themeKindFromWord(wanted));
  window.resize(kFirstSize);
  if (m_keeps && !window.restoreGeometry(m_settings.value(kGeometry).toByteArray())) {
    fitToScreen(window);
  }
  if (m_options.width > 0 && m_options.height > 0) {
    window.setWindowState(Qt::WindowNoState);
    window.resize(m_options.width, m_options.height);
  }
  const QString page = m_options.page.empty() && m_keeps ? m_settings.value(u"page"_s).toString()
                                                         : ui::qstring(m_options.page);
  if (!shell.showPage(page)) shell.showPage(u"plan"_s);
  if (!m_keeps) return;
  restoreChoices(shell);
  restoreSplitters(shell);
  QObject::connect(&shell, &ui::Shell::pageMade, &shell,
                   [this](const QWidget* made) { restoreChoices(*made); });
  QObject::connect(&shell, &ui::Shell::pageFirstShown, &shell,
                   [this](const QWidget* shown) { restoreSplitters(*shown); });
}

void WindowState::restoreChoices(const QWidget& parent) {
  for (QObject* control : parent.findChildren<QObject*>()) {
    const QVariant choice =
        ui::mayKeepChoice(*control) ? m_settings.value(choiceKey(*control)) : QVariant();
    if (choice.isValid()) ui::setChoice(*control, choice);
  }
}

void WindowState::restoreSplitters(const QWidget& parent) {
  for (QSplitter* splitter : parent.findChildren<QSplitter*>()) {
    splitter->setProperty(kShown, true);
    const QByteArray state =
        m_settings.value(u"splitter/"_s + splitter->objectName()).toByteArray();
    if (!splitter->objectName().isEmpty() && !state.isEmpty()) {
      splitter->restoreState(state);
      splitter->setProperty(ui::kFitted, false);
    }
  }
}

void WindowState::keep(const QWidget& window, const ui::Shell& shell) {
  if (!m_keeps) return;
  m_settings.setValue(kGeometry, window.saveGeometry());
  m_settings.setValue(u"page"_s, shell.currentPageName());
  for (const QSplitter* splitter : shell.findChildren<QSplitter*>()) {
    // Sizes that a page fits to its content, or that were never shown, are not the user's choice.
    if (!splitter->objectName().isEmpty() && !splitter->property(ui::kFitted).toBool() &&
        splitter->property(kShown).toBool()) {
      m_settings.setValue(u"splitter/"_s + splitter->objectName(), splitter->saveState());
    }
  }
  for (const QObject* control : shell.findChildren<QObject*>()) {
    if (ui::keepsChoice(*control)) m_settings.setValue(choiceKey(*control), ui::choiceOf(*control));
  }
}

void WindowState::switchTheme(ui::Session& session) {
  const bool dark = session.currentTheme()->kind() == ui::ThemeKind::Light;
  if (m_keeps) m_settings.setValue(kChosenTheme, dark ? u"dark"_s : u"light"_s);
  session.currentTheme()->set(dark ? ui::ThemeKind::Dark : ui::ThemeKind::Light);
}

void WindowState::followDesktop(ui::Session& session) {
  if (m_keeps) m_settings.remove(kChosenTheme);
  session.currentTheme()->set(m_desktopTheme);
}

void WindowState::keepOpened(const QString& opened, const QString& variant) {
  if (m_keeps) {
    m_settings.setValue(u"opened"_s, opened);
    m_settings.setValue(u"variant"_s, variant);
  }
}

QString WindowState::opened() const {
  return m_keeps ? m_settings.value(u"opened"_s).toString() : QString();
}

QString WindowState::variant() const { return m_settings.value(u"variant"_s).toString(); }

}  // namespace stagelane::app
