#include "ui/plan/lanes/device_bar.h"

#include "engine/base/find.h"
#include "engine/plan/imagined.h"
#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/lanes/device_dialog.h"
#include "ui/plan/lanes/host_dialog.h"
#include "ui/session/document/device_edits.h"
#include "ui/session/machine.h"
#include "ui/session/session.h"

namespace stagelane::ui {

QString removalText(const PlanDevices& devices, const DeviceId& device) {
  const QString text = QObject::tr("Remove %1").arg(qstring(device.value));
  const auto refusal = devices.removalRefusal(device);
  return refusal ? u"%1 (%2)"_s.arg(text, *refusal) : text;
}

DeviceBar::DeviceBar(PlanModel* plan, QWidget* parent)
    : QWidget(parent), m_plan(plan), m_button(new QToolButton(this)), m_menu(new QMenu(this)) {
  setNames(m_button, u"addDevice"_s, tr("Add device"));
  m_button->setText(tr("Add device"));
  m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_button->setPopupMode(QToolButton::InstantPopup);
  m_button->setMenu(m_menu);
  setNames(m_menu, u"addDeviceMenu"_s, tr("Devices to add"));
  m_button->setToolTip(
      tr("Add a GPU or its partitions, a CPU worker, an imagined device, or devices of another "
         "host"));
  setLook(m_button, u"flat"_s);
  rowLayout(this, {.margins = {0, 0, 0, 0}}, {m_button});
  m_addDevice = new ControlAction(tr("Add a device…"), m_button, this);
  m_addWorker = add(tr("Add a CPU worker"), u"addCpuWorker"_s,
                    [this] { m_plan->deviceEdits().addCpuWorker(); });
  m_addImagined = add(tr("Add an imagined device…"), u"addImagined"_s, [this] { addImagined(); });
  m_addHost = add(tr("Add host…"), u"addHost"_s, [this] { addHost(); });
  m_addHost->setToolTip(tr("Add devices of a machine that is reached with ssh"));
  add(tr("Settings of this device…"), u"deviceSettings"_s, [this] {
    if (const auto device = m_plan->currentDevice()) openSettings(*device);
  });
  add(tr("Remove this device"), u"removeDevice"_s, [this] {
    if (const auto device = m_plan->currentDevice()) m_plan->deviceEdits().remove(*device);
  });
  connect(m_menu, &QMenu::aboutToShow, this, [this] {
    m_plan->session().machine().requestDevices();
    fillMenu();
  });
  connect(&m_plan->session().machine(), &Machine::devicesChanged, this, &DeviceBar::fillMenu);
  const auto tint = [this] {
    m_button->setIcon(icon(u"plus"_s, m_plan->session().currentTheme()->theme().control.text));
  };
  connect(m_plan->session().currentTheme(), &CurrentTheme::changed, this, tint);
  connect(plan, &PlanModel::planChanged, this, [this] {
    m_button->setEnabled(m_plan->ready());
    nameWorker();
  });
  tint();
  fillMenu();
}

QAction* DeviceBar::add(const QString& text, const QString& name,
                        const std::function<void()>& act) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  connect(action, &QAction::triggered, this, [act] { act(); });
  m_actions.append(action);
  return action;
}

void DeviceBar::fillMenu() {
  m_menu->clear();
  nameWorker();
  m_menu->addAction(m_addWorker);
  for (const MachineDevice& gpu : m_plan->deviceEdits().otherGpus()) {
    QAction* action = m_menu->addAction(
        tr("Add %1, %2, %3").arg(qstring(gpu.id.value), gpu.name, bytesText(gpu.memory)));
    action->setObjectName(u"add."_s + qstring(gpu.id.value));
    connect(action, &QAction::triggered, this, [this, id = gpu.id] {
      m_plan->deviceEdits().add({id, {}, {}, 1.0});
    });
  }
  for (const PartitionOffer& offer : m_plan->deviceEdits().partitionOffers()) {
    QAction* action = m_menu->addAction(textOf(offer));
    action->setObjectName(u"addParts."_s + qstring(offer.added.front().value));
    connect(action, &QAction::triggered, this,
            [this, offer] { m_plan->deviceEdits().addPartitions(offer); });
  }
  m_menu->addAction(m_addImagined);
  m_menu->addAction(m_addHost);
}

void DeviceBar::nameWorker() {
  const DeviceId worker = nextCpuWorker(m_plan->deviceEdits().listed());
  m_addWorker->setText(tr("Add a CPU worker, %1").arg(qstring(worker.value)));
}

std::vector<DeviceId> DeviceBar::likes() const {
  std::vector<DeviceId> names;
  for (const plan::DeviceSpec& device : m_plan->deviceEdits().listed()) {
    if (!plan::isImagined(device)) names.push_back(device.id);
  }
  for (const char* possible : {"cpu:0", "cuda:0"}) {
    const DeviceId id{possible};
    if (!contains(names, id)) names.push_back(id);
  }
  return names;
}

void DeviceBar::addImagined() {
  const std::vector<DeviceId> choices = likes();
  plan::DeviceSpec device;
  device.id = nextImagined(m_plan->deviceEdits().listed());
  device.like = choices.front();
  device.speed = 2.0;
  auto* dialog = new DeviceDialog(device, choices, window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog] { m_plan->deviceEdits().add(dialog->device()); });
  dialog->open();
}

void DeviceBar::addHost() {
  auto* dialog =
      new HostDialog(&m_plan->session().machine().hosts(), &m_plan->deviceEdits(), window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void DeviceBar::openSettings(const DeviceId& device) {
  const auto spec = m_plan->deviceEdits().spec(device);
  if (!spec) return;
  auto* dialog = new DeviceDialog(*spec, likes(), window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog] { m_plan->deviceEdits().change(dialog->device()); });
  dialog->open();
}

QList<QAction*> DeviceBar::actionsOfDevices() {
  qDeleteAll(m_ofDevices);
  m_ofDevices.clear();
  const auto offer = [this](const QString& text, const QString& name, auto act) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    connect(action, &QAction::triggered, this, act);
    m_ofDevices.append(action);
    return action;
  };
  for (const plan::DeviceSpec& device : m_plan->deviceEdits().listed()) {
    const DeviceId id = device.id;
    const QString name = qstring(id.value);
    offer(tr("Set up %1…").arg(name), u"setUp."_s + name, [this, id] { openSettings(id); });
    offer(removalText(m_plan->deviceEdits(), id), u"remove."_s + name, [this, id] {
      m_plan->deviceEdits().remove(id);
    })->setEnabled(!m_plan->deviceEdits().removalRefusal(id));
  }
  return m_ofDevices;
}

void DeviceBar::showMenu(const DeviceId& device, const QPoint& globalAt) {
  auto* menu = new QMenu(this);
  setNames(menu, u"deviceMenu"_s, tr("Device"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const QString name = qstring(device.value);
  QAction* settings = menu->addAction(tr("Settings of %1…").arg(name));
  settings->setObjectName(u"settingsOfDevice"_s);
  connect(settings, &QAction::triggered, this, [this, device] { openSettings(device); });
  QAction* remove = menu->addAction(removalText(m_plan->deviceEdits(), device));
  remove->setObjectName(u"removeTheDevice"_s);
  remove->setEnabled(!m_plan->deviceEdits().removalRefusal(device));
  connect(remove, &QAction::triggered, this,
          [this, device] { m_plan->deviceEdits().remove(device); });
  menu->popup(globalAt);
}

}  // namespace stagelane::ui
