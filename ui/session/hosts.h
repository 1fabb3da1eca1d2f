#pragma once

/// Hosts that are reached over ssh, and their devices. Pages ask for a check; the owner of the
/// connections answers, and remembers the hosts that it found. Connects to nothing itself.

#include <QObject>
#include <QString>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::ui {

/// A device of a host.
struct HostDevice {
  DeviceId id;       ///< with the host: `gpu-box/cuda:0`
  QString name;      ///< "NVIDIA H100 80GB HBM3"
  Bytes memory = 0;  ///< 0 if unknown
  bool isGpu = false;
  bool usable = false;
  QString reason;  ///< why it is not usable
};

/// A host as it was found when it was last checked.
struct KnownHost {
  QString name;       ///< a target of ssh: an alias, or user@host
  QString engine;     ///< path of the engine there; empty: the default places
  QString version;    ///< of that engine: "stagelane-engine 0.3.1 (79fb64fb)"
  QString checkedAt;  ///< UTC, ISO 8601
  std::vector<HostDevice> devices;
};

/// What to check.
struct HostQuery {
  QString name;
  QString engine;  ///< empty: the default places
};

/// How a check ended.
struct HostAnswer {
  std::optional<KnownHost> host;  ///< nothing: the check failed
  QString problem;                ///< what failed, and what to do
  QString command;                ///< a command of a terminal that shows more
};

class Hosts final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// The hosts that were found by a check, sorted by name. Empty until requested and read.
  [[nodiscard]] const std::vector<KnownHost>& known() const { return m_known; }
  /// Null if it is not known.
  [[nodiscard]] const KnownHost* knownNamed(const QString& name) const {
    for (const KnownHost& host : m_known) {
      if (host.name == name) return &host;
    }
    return nullptr;
  }
  /// Names in the user's configuration of ssh.
  [[nodiscard]] const QStringList& aliases() const { return m_aliases; }
  void requestList() { Q_EMIT listRequested(); }
  void setList(std::vector<KnownHost> known, QStringList aliases) {
    m_known = std::move(known);
    m_aliases = std::move(aliases);
    Q_EMIT listChanged();
  }

  /// A check is in progress.
  [[nodiscard]] bool checking() const { return m_checking; }
  /// Drops a check in progress.
  void check(const HostQuery& query) {
    m_checking = true;
    Q_EMIT checkRequested(query);
  }
  void cancelCheck() {
    if (std::exchange(m_checking, false)) Q_EMIT checkCanceled();
  }
  void answer(const HostAnswer& answer) {
    m_checking = false;
    Q_EMIT checked(answer);
  }
  void remove(const QString& name) { Q_EMIT removeRequested(name); }
  /// A request could not be carried out.
  void fail(const QString& problem) { Q_EMIT failed(problem); }

 Q_SIGNALS:
  void listRequested();
  void listChanged();
  void checkRequested(const stagelane::ui::HostQuery& query);
  void checkCanceled();
  void checked(const stagelane::ui::HostAnswer& answer);
  void removeRequested(const QString& name);
  void failed(const QString& problem);

 private:
  std::vector<KnownHost> m_known;
  QStringList m_aliases;
  bool m_checking = false;
};

}  // namespace stagelane::ui
