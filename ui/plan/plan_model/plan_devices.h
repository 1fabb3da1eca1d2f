#pragma once

/// The devices of the plan: adding, removing and changing them, each as one undo step of the
/// session's document. Refusals have a reason.

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
  /// GPUs of this machine that are not in the plan, neither whole nor in part.
  [[nodiscard]] std::vector<MachineDevice> otherGpus() const;
  /// Of the known GPUs: this machine's, the plan's, and calibrated ones.
  [[nodiscard]] std::vector<PartitionOffer> partitionOffers() const;

  /// The next CPU worker, at the end of the list.
  void addCpuWorker();
  void add(const plan::DeviceSpec& device);
  /// Adds all parts in one undo step.
  void addPartitions(const PartitionOffer& offer);
  /// Sets the memory budget and, for an imagined device, its reference device and speed.
  void change(const plan::DeviceSpec& settings);
  /// Why the device cannot be removed; nothing if it can.
  [[nodiscard]] std::optional<QString> removalRefusal(const DeviceId& device) const;
  bool remove(const DeviceId& device);

 Q_SIGNALS:
  void refused(const QString& reason);

 private:
  Session* m_session;
};

}  // namespace stagelane::ui
