#pragma once

/// One ssh process at work on a host: starts, hands over its output, ends. Knows nothing of runs.

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <filesystem>

#include "app/engine_client/remote/ssh.h"

namespace stagelane::app {

/// Files in place of the pipes; "" for the pipes.
struct SshFiles {
  std::filesystem::path input;
  std::filesystem::path output;
};

class SshStep final : public QObject {
  Q_OBJECT

 public:
  /// A program other than ssh is possible as well.
  explicit SshStep(const SshCommand& command, const SshFiles& files = {});
  /// Kills the process, without a signal.
  ~SshStep() override;

  void start();
  /// What it wrote to standard error, at most the last 64 KiB.
  [[nodiscard]] const QByteArray& errors() const { return m_errors; }

 Q_SIGNALS:
  void printed(const QByteArray& bytes);
  /// More of errors() has arrived.
  void complained();
  /// With its exit code; kSshFailed if it was killed, -1 if it did not start.
  void ended(int code);

 private:
  void readErrors();

  QProcess m_process;
  QByteArray m_errors;
};

}  // namespace stagelane::app
