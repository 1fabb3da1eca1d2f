#pragma once

/// Settings of a device: its memory budget and, if it is imagined, its reference device and speed.
/// Edits a value; the caller applies it.

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <vector>

#include "engine/plan/device.h"

namespace stagelane::ui {

class DeviceDialog final : public QDialog {
  Q_OBJECT

 public:
  /// `likes` are the real devices to choose from; more can be typed.
  DeviceDialog(const plan::DeviceSpec& device, const std::vector<DeviceId>& likes, QWidget* parent);
  /// What was entered. @pre accepted
  [[nodiscard]] plan::DeviceSpec device() const { return m_device; }

 private:
  void build(const std::vector<DeviceId>& likes);
  void check();
  [[nodiscard]] QString takeSpeed();
  [[nodiscard]] QString takeMemory();

  plan::DeviceSpec m_device;
  QComboBox* m_like = nullptr;
  QLineEdit* m_speed = nullptr;
  QLineEdit* m_memory = nullptr;
  QLabel* m_problem = nullptr;
  QPushButton* m_ok = nullptr;
};

}  // namespace stagelane::ui
