#include "app/window.h"

#include <QApplication>
#include <QIcon>
#include <array>
#include <memory>
#include <string>

#include "app/automation.h"
#include "app/console.h"
#include "app/heartbeat.h"
#include "app/main_window.h"
#include "engine/base/version.h"
#include "ui/models/formatting.h"
#include "ui/widgets/style_sheet.h"

namespace stagelane::app {

int runWindow(const WindowOptions& options) {
  int argc = 1;
  std::string program = "stagelane";
  std::array<char*, 2> argv{program.data(), nullptr};
  QApplication application(argc, argv.data());
  QApplication::setApplicationName(QStringLiteral("stagelane"));
  QApplication::setApplicationDisplayName(QStringLiteral("Stagelane"));
  QApplication::setApplicationVersion(ui::qstring(version()));
  QApplication::setDesktopFileName(QStringLiteral("stagelane"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/stagelane.svg")));
  QApplication::setStyle(ui::makeStyle());
  QApplication::setFont(ui::fontOf(ui::TextSize::Body));

  MainWindow window(options);
  if (const Status opened = window.openFirst(); !opened) {
    return printError(opened.error());
  }
  std::unique_ptr<Heartbeat> heartbeat;
  if (const QString file = qEnvironmentVariable("STAGELANE_HEARTBEAT"); !file.isEmpty()) {
    heartbeat = std::make_unique<Heartbeat>(file, &window);
  }
  window.show();
  if (!options.shot.empty() || !options.uiMap.empty()) {
    new Automation(&window, options);
  }
  return QApplication::exec();
}

}  // namespace stagelane::app
