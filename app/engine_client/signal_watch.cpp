#include "app/engine_client/signal_watch.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <array>
#include <csignal>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace stagelane::app {
namespace {

// Global because signal handlers get no user data. Only SignalWatch changes these.
std::array<int, 2> g_sockets{-1, -1};
// A signal that arrived while a watch was ending; the next watch reports it.
bool g_unsaid = false;

void handleSignal(int /*signal*/) {
  const char byte = 1;
  // A full socket means that a request is already pending.
  static_cast<void>(::send(g_sockets[0], &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1);
}

// What the signals do while there is no watch.
void (*g_withoutWatch)(int) = SIG_DFL;

void install(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // Under nohup, a closed terminal is no reason to end.
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
    sigaction(SIGHUP, &action, nullptr);
  }
}

void endCanceled(int /*signal*/) {
  constexpr std::string_view kText = "stagelane: canceled\n";
  static_cast<void>(::write(STDERR_FILENO, kText.data(), kText.size()) < 0);
  ::_exit(kExitCanceled);
}

}  // namespace

void cancelOnSignals() {
  g_withoutWatch = &endCanceled;
  install(g_withoutWatch);
}

SignalWatch::SignalWatch(QObject* parent) : QObject(parent) {
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, g_sockets.data()) != 0) {
    return;  // no descriptor left: keep the default action of the signals
  }
  m_notifier = std::make_unique<QSocketNotifier>(g_sockets[1], QSocketNotifier::Read);
  connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
    std::array<char, 16> bytes{};
    const ssize_t count = ::recv(g_sockets[1], bytes.data(), bytes.size(), MSG_DONTWAIT);
    for (ssize_t i = 0; i < count; ++i) Q_EMIT stopRequested();
  });
  install(&handleSignal);
  if (std::exchange(g_unsaid, false)) handleSignal(0);
}

SignalWatch::~SignalWatch() {
  if (!m_notifier) return;
  install(g_withoutWatch);
  m_notifier.reset();
  char byte = 0;
  g_unsaid = ::recv(g_sockets[1], &byte, 1, MSG_DONTWAIT) == 1;
  ::close(g_sockets[0]);
  ::close(g_sockets[1]);
  g_sockets = {-1, -1};
}

}  // namespace stagelane::app
