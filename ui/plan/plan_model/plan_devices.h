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

/// What becomes of the plan's devices when others are added.
enum class ListedDevices { Stay, AreReplaced };

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
  /// Adds devices of a host in one undo step. Where they replace the listed ones, the blocks of the
  /// first are then on the first, and so on. @returns false and emits `refused` if that cannot be
  bool addAll(const std::vector<DeviceId>& added, ListedDevices listed);
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
  /// Empty: they can be added.
  [[nodiscard]] QString addingRefusal(const std::vector<DeviceId>& added,
                                      ListedDevices listed) const;

  Session* m_session;
};

}  // namespace stagelane::ui
