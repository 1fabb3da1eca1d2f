#include "ui/plan/lanes/host_devices.h"

#include <QDateTime>
#include <QStringList>
#include <algorithm>

#include "engine/base/find.h"
#include "engine/plan/hosts.h"
#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr std::size_t kMostVisible = 6;
constexpr int kRowHeight = 24;

bool isProposed(const std::vector<HostDevice>& devices, const HostDevice& device) {
  const auto usable = [](const HostDevice& one) { return one.usable; };
  const auto gpu = [](const HostDevice& one) { return one.usable && one.isGpu; };
  if (std::any_of(devices.begin(), devices.end(), gpu)) return gpu(device);
  const auto first = std::find_if(devices.begin(), devices.end(), usable);
  return first != devices.end() && first->id == device.id;
}

}  // namespace

QString hostDeviceText(const HostDevice& device, bool isTaken) {
  QStringList words{qstring(plan::withoutHost(device.id).value), device.name};
  if (device.memory > 0) words << bytesText(device.memory);
  words.removeAll(QString());
  const QString text = words.join(u", "_s);
  if (!device.usable) return QObject::tr("%1 (cannot be used: %2)").arg(text, device.reason);
  return isTaken ? QObject::tr("%1 (in the plan)").arg(text) : text;
}

QString foundText(const KnownHost& host) {
  QStringList words;
  if (!host.version.isEmpty()) words << host.version;
  words << countedText(static_cast<std::int64_t>(host.devices.size()), QObject::tr("device"),
                       QObject::tr("devices"));
  const QDateTime time = QDateTime::fromString(host.checkedAt, Qt::ISODate);
  if (time.isValid()) {
    words << QObject::tr("checked %1").arg(time.toLocalTime().toString(u"d MMM, HH:mm"_s));
  }
  return words.join(u" · "_s);
}

HostDevices::HostDevices(QWidget* parent) : QScrollArea(parent), m_column(new QVBoxLayout) {
  setNames(this, u"hostDevices"_s, tr("Devices of the host"));
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);  // its check boxes have it
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget(this);
  m_column->setContentsMargins(0, 0, 0, 0);
  m_column->setSpacing(2);
  content->setLayout(m_column);
  setWidget(content);
}

void HostDevices::show(const std::vector<HostDevice>& devices, const std::vector<DeviceId>& taken) {
  for (const Row& row : m_rows) {
    row.box->hide();
    row.box->deleteLater();
  }
  m_rows.clear();
  for (const HostDevice& device : devices) {
    auto* box = new QCheckBox(widget());
    const QString name = qstring(device.id.value);
    setNames(box, u"hostDevice."_s + name, name);
    box->setChecked(isProposed(devices, device));
    box->setFixedHeight(kRowHeight);
    m_column->addWidget(box);
    connect(box, &QCheckBox::toggled, this, &HostDevices::chosenChanged);
    m_rows.push_back({device, box});
  }
  setTaken(taken);
  fitHeight();
}

void HostDevices::setTaken(const std::vector<DeviceId>& taken) {
  for (const Row& row : m_rows) {
    const bool isTaken = contains(taken, row.device.id);
    const QString text = hostDeviceText(row.device, isTaken);
    // A long reason must not widen the dialog.
    row.box->setText(fontMetrics().elidedText(text, Qt::ElideRight, 440));
    row.box->setToolTip(row.device.usable ? tr("Add %1 to the plan").arg(text) : text);
    row.box->setEnabled(row.device.usable && !isTaken);
    if (!row.box->isEnabled()) row.box->setChecked(false);
  }
  Q_EMIT chosenChanged();
}

std::vector<DeviceId> HostDevices::chosen() const {
  std::vector<DeviceId> chosen;
  for (const Row& row : m_rows) {
    if (row.box->isChecked()) chosen.push_back(row.device.id);
  }
  return chosen;
}

void HostDevices::fitHeight() {
  const auto rows = static_cast<int>(std::clamp<std::size_t>(m_rows.size(), 1, kMostVisible));
  setFixedHeight(rows * (kRowHeight + m_column->spacing()));
}

}  // namespace stagelane::ui
