#pragma once

/// The devices of the plan and what may be done with them: add, remove, change, each one undo step
/// of the session's document. Says no with a reason.

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "engine/plan/experiment.h"
#include "ui/session/document/gpu_partitions.h"
#include "ui/session/machine.h"

namespace stagelane::ui {

class Session;

class PlanDevices final : public QObject {
  Q_OBJECT

 public:
  explicit PlanDevices(Session* session, QObject* parent = nullptr);

  /// Lanes, in the experiment's order.
  [[nodiscard]] std::vector<plan::DeviceSpec> listed() const;
  [[nodiscard]] std::optional<plan::DeviceSpec> spec(const DeviceId& device) const;
  /// GPUs of this machine of which the plan has neither the whole nor a part.
  [[nodiscard]] std::vector<MachineDevice> otherGpus() const;
  /// Of the GPUs that are known: this machine's, the plan's, and those that were calibrated.
  [[nodiscard]] std::vector<PartitionOffer> partitionOffers() const;

  /// The next CPU worker, at the end of the list.
  void addCpuWorker();
  void add(const plan::DeviceSpec& device);
  /// All of its parts, in one undo step.
  void addPartitions(const PartitionOffer& offer);
  /// Memory, and of an imagined device what it is like and its speed.
  void change(const plan::DeviceSpec& settings);
  /// Why it must stay; nothing when it may go.
  [[nodiscard]] std::optional<QString> removalRefusal(const DeviceId& device) const;
  bool remove(const DeviceId& device);

 Q_SIGNALS:
  void refused(const QString& reason);

 private:
  Session* m_session;
};

}  // namespace stagelane::ui
