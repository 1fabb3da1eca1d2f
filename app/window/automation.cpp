#include "app/window/automation.h"

#include <QApplication>
#include <QBuffer>
#include <QByteArray>
#include <QEvent>
#include <QPixmap>

#include "app/terminal/console.h"
#include "app/window/ui_map.h"
#include "engine/base/files.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

constexpr int kPollMs = 50;
constexpr int kCalmPolls = 8;    ///< enough for debounced computations to start
constexpr int kMostPolls = 600;  ///< then takes the screenshot anyway

}  // namespace

Automation::Automation(MainWindow* window, const WindowOptions& options)
    : QObject(window), m_window(window), m_options(options) {
  connect(&m_timer, &QTimer::timeout, this, &Automation::poll);
  m_timer.start(kPollMs);
}

void Automation::poll() {
  if (m_written) {
    if (const Status written = writeMap(); !written) fail(written.error());
    return;
  }
  ++m_polls;
  m_calmPolls = m_window->settled() ? m_calmPolls + 1 : 0;
  if (m_calmPolls >= kCalmPolls || m_polls >= kMostPolls) write();
}

void Automation::write() {
  m_written = true;
  Status written = writeShot();
  if (written) written = writeMap();
  if (!written) {
    fail(written.error());
    return;
  }
  if (m_options.stay) return;
  if (const ui::OpenedTracePtr opened = m_window->session().traceFile().opened();
      opened && !opened->trace) {
    fail({ErrorCode::Invalid, ui::utf8(opened->problem), ui::utf8(opened->path), {}});
    return;
  }
  QApplication::exit(0);
}

/// Packed in memory first, so that a full disk leaves no part of the picture.
Status Automation::writeShot() const {
  if (m_options.shot.empty()) return {};
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!m_window->grab().save(&buffer, "PNG")) {
    return stagelane::fail(ErrorCode::OutOfMemory, "cannot make the screenshot", m_options.shot,
                           "use a smaller --size");
  }
  return writeFileAtomically(m_options.shot,
                             {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

Status Automation::writeMap() {
  if (m_options.uiMap.empty()) return {};
  // Widgets just shown or hidden have their position only after the layout ran.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  std::string map = uiMap(*m_window, m_window->shell().currentPageName()).dump(1) + "\n";
  if (map == m_lastMap) return {};
  m_lastMap = std::move(map);
  return writeFileAtomically(m_options.uiMap, m_lastMap);
}

void Automation::fail(const Error& error) {
  m_timer.stop();
  QApplication::exit(printError(error));
}

}  // namespace stagelane::app
