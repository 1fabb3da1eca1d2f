#include "ui/plan/lanes/device_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>

#include "engine/plan/imagined.h"
#include "ui/kit/boxes.h"
#include "ui/kit/combo.h"
#include "ui/kit/look.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/typed_numbers.h"

namespace stagelane::ui {
namespace {

constexpr int kWidth = 420;
const QString kUnlimited = u"unlimited"_s;
constexpr NumberRange kSpeeds{0.01, 1000.0};

QString problemOfLike(const QString& text) {
  const auto parsed = plan::parseDevice({utf8(text)});
  return parsed && parsed->kind != plan::DeviceKind::Imagined
             ? QString()
             : QObject::tr("Enter a real device, such as cpu:0 or cuda:0");
}

}  // namespace

DeviceDialog::DeviceDialog(const plan::DeviceSpec& device, const std::vector<DeviceId>& likes,
                           QWidget* parent)
    : QDialog(parent), m_device(device) {
  setObjectName(u"deviceDialog"_s);
  setWindowTitle(tr("Device %1").arg(qstring(device.id.value)));
  setMinimumWidth(kWidth);
  build(likes);
  check();
}

void DeviceDialog::build(const std::vector<DeviceId>& likes) {
  auto* form = new QFormLayout;
  const bool imagined = plan::isImagined(m_device);
  auto* what = new QLabel(
      imagined ? tr("An imagined device predicts how a plan performs on hardware that you do "
                    "not have. It cannot run.")
               : tr("Plans that need more memory are marked, and runs cannot exceed it."),
      this);
  what->setWordWrap(true);
  if (imagined) {
    m_like = new Combo(this);
    setNames(m_like, u"deviceLike"_s, tr("Like"));
    m_like->setToolTip(tr("Real device whose costs are scaled, such as cpu:0 or cuda:0"));
    m_like->setEditable(true);
    for (const DeviceId& like : likes) m_like->addItem(qstring(like.value));
    m_like->setCurrentText(qstring(m_device.like.value_or(DeviceId{"cpu:0"}).value));
    m_speed = new QLineEdit(preciseText(m_device.speed, 6), this);
    setNames(m_speed, u"deviceSpeed"_s, tr("Speed factor"));
    m_speed->setToolTip(tr("Speed relative to that device: 2 means twice as fast"));
    form->addRow(tr("&Like"), m_like);
    form->addRow(tr("&Speed"), m_speed);
    connect(m_like, &QComboBox::currentTextChanged, this, &DeviceDialog::check);
    connect(m_speed, &QLineEdit::textChanged, this, &DeviceDialog::check);
  }
  m_memory = new QLineEdit(this);
  setNames(m_memory, u"deviceMemory"_s, tr("Memory budget"));
  m_memory->setPlaceholderText(tr("%1, or 8 GiB").arg(kUnlimited));
  if (m_device.maxMemory) m_memory->setText(bytesText(*m_device.maxMemory));
  form->addRow(tr("&Memory"), m_memory);
  connect(m_memory, &QLineEdit::textChanged, this, &DeviceDialog::check);
  m_problem = new QLabel(this);
  setNames(m_problem, u"deviceProblem"_s, tr("Problem"));
  m_problem->setWordWrap(true);
  setLook(m_problem, u"error"_s);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  m_memory->setToolTip(tr("Memory budget of a plan on this device, such as 8 GiB or 500 MB"));
  m_ok = buttons->button(QDialogButtonBox::Ok);
  m_ok->setToolTip(tr("Apply the settings (one undo step)"));
  buttons->button(QDialogButtonBox::Cancel)->setToolTip(tr("Keep the current settings"));
  setNames(m_ok, u"deviceOk"_s, tr("OK"));
  setNames(buttons->button(QDialogButtonBox::Cancel), u"deviceCancel"_s, tr("Cancel"));
  columnLayout(this, {}, {what, form, m_problem, buttons});
  orderTabsByLayout(*this);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    check();
    if (m_ok->isEnabled()) accept();
  });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QString DeviceDialog::takeSpeed() {
  const auto speed = numberFromText(m_speed->text(), kSpeeds);
  if (!speed) return tr("Enter the speed as %1").arg(rangeInWords(kSpeeds));
  m_device.speed = *speed;
  return {};
}

QString DeviceDialog::takeMemory() {
  const QString memory = m_memory->text().trimmed();
  const QString before = m_device.maxMemory ? bytesText(*m_device.maxMemory) : QString();
  if (memory.isEmpty() || memory.compare(kUnlimited, Qt::CaseInsensitive) == 0) {
    m_device.maxMemory.reset();
  } else if (memory != before) {
    const auto bytes = bytesFromText(memory);
    if (!bytes || *bytes <= 0) {
      return tr("Enter the memory with its unit, such as 8 GiB or 500 MB, or unlimited");
    }
    m_device.maxMemory = *bytes;
  }
  return {};
}

void DeviceDialog::check() {
  QString problem;
  if (m_like != nullptr) {
    problem = problemOfLike(m_like->currentText().trimmed());
    m_device.like = DeviceId{utf8(m_like->currentText().trimmed())};
    const QString ofSpeed = takeSpeed();
    problem = problem.isEmpty() ? ofSpeed : problem;
  }
  const QString ofMemory = takeMemory();
  problem = problem.isEmpty() ? ofMemory : problem;
  m_problem->setText(problem);
  m_problem->setVisible(!problem.isEmpty());
  m_ok->setEnabled(problem.isEmpty());
}

}  // namespace stagelane::ui
