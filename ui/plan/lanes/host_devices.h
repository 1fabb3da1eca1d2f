#pragma once

/// The devices that were found on a host, each with a check box.

#include <QCheckBox>
#include <QScrollArea>
#include <QVBoxLayout>
#include <vector>

#include "ui/session/hosts.h"

namespace stagelane::ui {

class HostDevices final : public QScrollArea {
  Q_OBJECT

 public:
  explicit HostDevices(QWidget* parent = nullptr);
  /// Checks the GPUs that can be used, or the first CPU if there is none. Devices that are `taken`
  /// cannot be checked.
  void show(const std::vector<HostDevice>& devices, const std::vector<DeviceId>& taken);
  /// Keeps the user's choice as far as possible.
  void setTaken(const std::vector<DeviceId>& taken);
  [[nodiscard]] std::vector<DeviceId> chosen() const;

 Q_SIGNALS:
  void chosenChanged();

 private:
  struct Row {
    HostDevice device;
    QCheckBox* box = nullptr;
  };
  void fitHeight();

  QVBoxLayout* m_column;
  std::vector<Row> m_rows;
};

/// "cuda:0, NVIDIA H100, 80 GiB"; with the reason if it cannot be used.
[[nodiscard]] QString hostDeviceText(const HostDevice& device, bool isTaken);
/// "stagelane-engine 0.3.1 · 2 devices · checked 27 Nov, 06:47".
[[nodiscard]] QString foundText(const KnownHost& host);

}  // namespace stagelane::ui
