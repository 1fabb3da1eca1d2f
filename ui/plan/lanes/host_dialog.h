#pragma once

/// Adds devices of another host to the plan: finds the host over ssh, shows its devices, and
/// remembers it. The check runs elsewhere and never blocks the window.

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <optional>

#include "ui/kit/combo.h"
#include "ui/plan/lanes/host_devices.h"
#include "ui/plan/plan_model/plan_devices.h"

class QStringListModel;

namespace stagelane::ui {

class HostDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @pre `hosts` and `devices` outlive this
  HostDialog(Hosts* hosts, PlanDevices* devices, QWidget* parent);
  ~HostDialog() override;

 private:
  void build();
  QWidget* buildForm();
  void buildProblem();
  void connectHosts();
  void fillNames();
  void onNameChanged();
  void checkOrStop();
  void onChecked(const HostAnswer& answer);
  void showHost(const KnownHost* host);
  void showProblem(const QString& problem, const QString& command);
  /// The state of the controls, from everything else.
  void refresh();
  void add();
  [[nodiscard]] QString name() const;
  [[nodiscard]] ListedDevices listed() const;
  [[nodiscard]] std::vector<DeviceId> taken() const;

  Hosts* m_hosts;
  PlanDevices* m_devices;
  std::optional<KnownHost> m_found;  ///< the devices that are shown
  Combo* m_name = nullptr;
  QStringListModel* m_completions = nullptr;
  QLineEdit* m_engine = nullptr;
  QPushButton* m_check = nullptr;
  QPushButton* m_forget = nullptr;
  QProgressBar* m_progress = nullptr;
  QLabel* m_status = nullptr;
  QLabel* m_problem = nullptr;
  QWidget* m_commandRow = nullptr;
  QLineEdit* m_command = nullptr;
  HostDevices* m_list = nullptr;
  QCheckBox* m_replace = nullptr;
  QPushButton* m_add = nullptr;
};

}  // namespace stagelane::ui
