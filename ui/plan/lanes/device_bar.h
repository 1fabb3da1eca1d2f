#pragma once

/// Button in the lanes' heading that adds a device to the plan, and the dialogs and menus of the
/// devices, shared by lanes and palette.

#include <QAction>
#include <QMenu>
#include <QToolButton>
#include <QWidget>

#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

/// "Remove cpu:2", with the reason if it cannot be removed.
[[nodiscard]] QString removalText(const PlanDevices& devices, const DeviceId& device);

class DeviceBar final : public QWidget {
  Q_OBJECT

 public:
  explicit DeviceBar(PlanModel* plan, QWidget* parent = nullptr);
  /// Add a worker, an imagined device or those of a host, settings and removal of the current
  /// lane's device.
  [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
  /// Palette actions: adding devices, and settings and removal of each device.
  [[nodiscard]] QList<QAction*> actionsForPalette() {
    return QList<QAction*>{m_addDevice, m_addWorker, m_addImagined, m_addHost} + actionsOfDevices();
  }
  /// Settings and removal of `device`, at a place on the screen.
  void showMenu(const DeviceId& device, const QPoint& globalAt);

 private:
  QAction* add(const QString& text, const QString& name, const std::function<void()>& act);
  /// Rebuilds the actions; those of the last call are deleted.
  [[nodiscard]] QList<QAction*> actionsOfDevices();
  void fillMenu();
  void nameWorker();
  void addImagined();
  void addHost();
  void openSettings(const DeviceId& device);
  [[nodiscard]] std::vector<DeviceId> likes() const;

  PlanModel* m_plan;
  QToolButton* m_button;
  QMenu* m_menu;
  QAction* m_addDevice;
  QAction* m_addWorker = nullptr;
  QAction* m_addImagined = nullptr;
  QAction* m_addHost = nullptr;
  QList<QAction*> m_actions;
  QList<QAction*> m_ofDevices;
};

}  // namespace stagelane::ui
