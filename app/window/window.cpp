#include "app/window/window.h"

#include <QApplication>
#include <QIcon>
#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>

#include "app/terminal/console.h"
#include "app/window/automation.h"
#include "app/window/heartbeat.h"
#include "app/window/main_window.h"
#include "engine/base/version.h"
#include "ui/kit/style_sheet.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/translation.h"
#include "ui/session/page_requests.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

/// An exception in one action must not end the window and lose unsaved changes.
class WindowApplication final : public QApplication {
 public:
  using QApplication::QApplication;

  bool notify(QObject* receiver, QEvent* event) override {
    try {
      return QApplication::notify(receiver, event);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& problem) {
      printWarning(std::string("an action failed: ") + problem.what());
      if (m_tell) m_tell(problem.what());
      return true;
    }
  }

  void setTell(std::function<void(const char*)> tell) { m_tell = std::move(tell); }

 private:
  std::function<void(const char*)> m_tell;
};

}  // namespace

int runWindow(const WindowOptions& options) {
  int argc = 1;
  std::string program = "stagelane";
  std::array<char*, 2> argv{program.data(), nullptr};
  WindowApplication application(argc, argv.data());
  ui::installTranslations(QLocale());
  QApplication::setApplicationName(u"stagelane"_s);
  QApplication::setApplicationDisplayName(u"Stagelane"_s);
  QApplication::setApplicationVersion(ui::qstring(version()));
  QApplication::setDesktopFileName(u"stagelane"_s);
  QApplication::setWindowIcon(QIcon(u":/icons/stagelane.svg"_s));
  QApplication::setStyle(ui::makeStyle());
  QApplication::setFont(ui::fontOf(ui::TextSize::Body));

  MainWindow window(options);
  if (const Status opened = window.openFirst(); !opened) return printError(opened.error());
  std::unique_ptr<Heartbeat> heartbeat;
  if (const QString file = qEnvironmentVariable("STAGELANE_HEARTBEAT"); !file.isEmpty()) {
    heartbeat = std::make_unique<Heartbeat>(file, &window);
  }
  application.setTell([&window](const char* what) {
    window.session().pages().showHint(
        QObject::tr("Action failed (%1). Save your work and report the error.")
            .arg(QString::fromUtf8(what)));
  });
  window.show();
  if (!options.shot.empty() || !options.uiMap.empty()) new Automation(&window, options);
  return QApplication::exec();
}

}  // namespace stagelane::app
