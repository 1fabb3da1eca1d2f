#include "app/engine_client/remote/ssh_step.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

constexpr qsizetype kMostErrors = 1 << 16;

}  // namespace

SshStep::SshStep(const SshCommand& command, const SshFiles& files) {
  m_process.setProgram(command.program);
  m_process.setArguments(command.arguments);
  if (!files.input.empty()) m_process.setStandardInputFile(ui::qstring(files.input.string()));
  if (!files.output.empty()) m_process.setStandardOutputFile(ui::qstring(files.output.string()));
  // Runs in the child between fork and exec: system calls only. Ctrl-C is for this program alone,
  // and the connection ends with it.
  m_process.setChildProcessModifier([] {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  });
  connect(&m_process, &QProcess::readyReadStandardOutput, this,
          [this] { Q_EMIT printed(m_process.readAllStandardOutput()); });
  connect(&m_process, &QProcess::readyReadStandardError, this, &SshStep::readErrors);
  connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    if (const QByteArray rest = m_process.readAllStandardOutput(); !rest.isEmpty()) {
      Q_EMIT printed(rest);
    }
    readErrors();
    Q_EMIT ended(status == QProcess::CrashExit ? kSshFailed : code);
  });
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError problem) {
    if (problem == QProcess::FailedToStart) Q_EMIT ended(-1);
  });
}

SshStep::~SshStep() {
  m_process.disconnect(this);
  if (m_process.state() == QProcess::NotRunning) return;
  m_process.kill();
  m_process.waitForFinished(-1);
}

void SshStep::start() { m_process.start(); }

void SshStep::readErrors() {
  const QByteArray more = m_process.readAllStandardError();
  if (more.isEmpty()) return;
  m_errors += more;
  if (m_errors.size() > kMostErrors) m_errors.remove(0, m_errors.size() - kMostErrors);
  Q_EMIT complained();
}

}  // namespace stagelane::app
