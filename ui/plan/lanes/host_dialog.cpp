#include "ui/plan/lanes/host_dialog.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QSignalBlocker>
#include <QStringListModel>
#include <algorithm>

#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "ui/kit/boxes.h"
#include "ui/kit/grow_to_fit.h"
#include "ui/kit/look.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {
namespace {

constexpr int kWidth = 520;

/// The real devices of the plan that are on another host than this.
QStringList elsewhere(const PlanDevices& devices, const QString& host) {
  QStringList names;
  for (const plan::DeviceSpec& device : devices.listed()) {
    if (!plan::isImagined(device) && qstring(plan::hostOf(device.id)) != host) {
      names.append(qstring(device.id.value));
    }
  }
  return names;
}

}  // namespace

HostDialog::HostDialog(Hosts* hosts, PlanDevices* devices, QWidget* parent)
    : QDialog(parent), m_hosts(hosts), m_devices(devices) {
  setObjectName(u"hostDialog"_s);
  setWindowTitle(tr("Add host"));
  setMinimumWidth(kWidth);
  build();
  connectHosts();
  fillNames();
  showProblem({}, {});
  m_hosts->requestList();
  m_name->setFocus();
}

HostDialog::~HostDialog() { m_hosts->cancelCheck(); }

void HostDialog::build() {
  auto* what =
      mutedLabel(tr("Runs on another machine, which is reached with ssh and your own ssh "
                    "configuration. Stagelane of the same version must be installed there."),
                 this);
  what->setWordWrap(true);
  QWidget* form = buildForm();
  m_progress = new QProgressBar(this);
  setNames(m_progress, u"hostProgress"_s, tr("Check in progress"));
  m_progress->setRange(0, 0);
  m_progress->setTextVisible(false);
  m_status = new QLabel(this);
  setNames(m_status, u"hostStatus"_s, tr("Result of the check"));
  m_status->setWordWrap(true);
  buildProblem();
  m_list = new HostDevices(this);
  m_replace = new QCheckBox(this);
  setNames(m_replace, u"hostReplace"_s, tr("Replace the plan's devices"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_add = buttons->addButton(tr("Add"), QDialogButtonBox::AcceptRole);
  setNames(m_add, u"hostAdd"_s, tr("Add devices"));
  m_add->setToolTip(tr("Add the checked devices to the plan (one undo step)"));
  QPushButton* cancel = buttons->button(QDialogButtonBox::Cancel);
  setNames(cancel, u"hostCancel"_s, tr("Cancel"));
  cancel->setToolTip(tr("Keep the plan's devices"));
  columnLayout(this, {},
               {what, form, m_progress, m_status, m_problem, m_commandRow, m_list, m_replace,
                Stretch{1}, buttons});
  orderTabsByLayout(*this);
  connect(m_list, &HostDevices::chosenChanged, this, &HostDialog::refresh);
  connect(m_replace, &QCheckBox::toggled, this, [this] { m_list->setTaken(taken()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &HostDialog::add);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QWidget* HostDialog::buildForm() {
  m_name = new Combo(this);
  setNames(m_name, u"hostName"_s, tr("Host"));
  m_name->setToolTip(tr("Host as for ssh: an alias of your ssh configuration, or user@host"));
  m_name->setEditable(true);
  m_name->setInsertPolicy(QComboBox::NoInsert);
  m_name->lineEdit()->setPlaceholderText(tr("gpu-box, or user@host"));
  m_completions = new QStringListModel(this);
  auto* completer = new QCompleter(m_completions, this);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  completer->setFilterMode(Qt::MatchContains);
  m_name->setCompleter(completer);
  setLook(completer->popup(), u"popup"_s);
  m_engine = new QLineEdit(this);
  setNames(m_engine, u"hostEngine"_s, tr("Engine"));
  m_engine->setToolTip(tr("Path of stagelane-engine on the host, if it is in another place"));
  m_engine->setPlaceholderText(tr("on its PATH, or ~/stagelane/bin/stagelane-engine"));
  m_check = new QPushButton(tr("Check"), this);
  m_check->setObjectName(u"hostCheck"_s);
  m_forget = new QPushButton(tr("Remove"), this);
  setNames(m_forget, u"hostRemove"_s, tr("Remove host"));
  m_forget->setToolTip(tr("Remove the host from this list; plans keep its devices"));
  auto* form = new QWidget(this);
  auto* rows = new QFormLayout(form);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->addRow(tr("&Host"), m_name);
  rows->addRow(tr("&Engine"), m_engine);
  rows->addRow(QString(), rowLayout({}, {m_check, m_forget, Stretch{1}}));
  connect(m_name, &QComboBox::currentTextChanged, this, &HostDialog::onNameChanged);
  connect(m_engine, &QLineEdit::textEdited, m_hosts, &Hosts::cancelCheck);
  connect(m_engine, &QLineEdit::textEdited, this, &HostDialog::refresh);
  connect(m_check, &QPushButton::clicked, this, &HostDialog::checkOrStop);
  connect(m_forget, &QPushButton::clicked, this, [this] { m_hosts->remove(name()); });
  return form;
}

void HostDialog::buildProblem() {
  m_problem = new QLabel(this);
  setNames(m_problem, u"hostProblem"_s, tr("Problem"));
  m_problem->setWordWrap(true);
  m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_problem->setFocusPolicy(Qt::ClickFocus);
  setLook(m_problem, u"error"_s);
  m_commandRow = new QWidget(this);
  m_command = new QLineEdit(m_commandRow);
  setNames(m_command, u"hostCommand"_s, tr("Command to try in a terminal"));
  m_command->setToolTip(tr("ssh can ask for a password or a host key only in a terminal"));
  m_command->setReadOnly(true);
  m_command->setFont(monospaceFont());
  auto* copy = new QPushButton(tr("Copy"), m_commandRow);
  setNames(copy, u"hostCopyCommand"_s, tr("Copy command"));
  copy->setToolTip(tr("Copy the command to the clipboard"));
  connect(copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_command->text()); });
  auto* hint = new QLabel(tr("Try in a terminal:"), m_commandRow);
  rowLayout(m_commandRow, {.margins = {0, 0, 0, 0}}, {hint, {m_command, 1}, copy});
}

void HostDialog::connectHosts() {
  connect(m_hosts, &Hosts::listChanged, this, [this] {
    fillNames();
    refresh();
  });
  connect(m_hosts, &Hosts::checked, this, &HostDialog::onChecked);
  connect(m_hosts, &Hosts::failed, this,
          [this](const QString& problem) { showProblem(problem, {}); });
}

/// Keeps what is typed.
void HostDialog::fillNames() {
  const QSignalBlocker blocker(m_name);
  const QString typed = m_name->currentText();
  QStringList known;
  for (const KnownHost& host : m_hosts->known()) known.append(host.name);
  m_name->clear();
  m_name->addItems(known);
  m_name->setCurrentIndex(static_cast<int>(known.indexOf(typed)));
  m_name->setEditText(typed);
  QStringList all = known + m_hosts->aliases();
  all.removeDuplicates();
  m_completions->setStringList(all);
}

QString HostDialog::name() const { return m_name->currentText().trimmed(); }

/// A host that is known is shown as it was found.
void HostDialog::onNameChanged() {
  m_hosts->cancelCheck();
  const KnownHost* known = m_hosts->knownNamed(name());
  m_engine->setText(known != nullptr ? known->engine : QString());
  showProblem({}, {});
  showHost(known);
}

void HostDialog::checkOrStop() {
  if (m_hosts->checking()) {
    m_hosts->cancelCheck();
  } else {
    showProblem({}, {});
    m_hosts->check({name(), m_engine->text().trimmed()});
  }
  refresh();
}

void HostDialog::onChecked(const HostAnswer& answer) {
  showProblem(answer.problem, answer.command);
  if (answer.host) m_engine->setText(answer.host->engine);
  showHost(answer.host ? &*answer.host : nullptr);
}

void HostDialog::showHost(const KnownHost* host) {
  m_found = host != nullptr ? std::optional(*host) : std::nullopt;
  const QStringList others = m_found ? elsewhere(*m_devices, m_found->name) : QStringList();
  m_replace->setText(
      tr("Replace the plan's devices (%1)")
          .arg(others.size() <= 3
                   ? others.join(u", "_s)
                   : tr("%1 and %2 more").arg(others.front()).arg(others.size() - 1)));
  m_replace->setToolTip(
      tr("A run uses devices of one host. The blocks of the plan's first device "
         "move to the first one that is added, and so on"));
  {
    const QSignalBlocker blocker(m_replace);
    m_replace->setChecked(!others.isEmpty());
  }
  m_replace->setVisible(!others.isEmpty());
  if (m_found) {
    m_list->show(m_found->devices, taken());
    orderTabsByLayout(*this);
  }
  refresh();
}

void HostDialog::showProblem(const QString& problem, const QString& command) {
  m_problem->setText(problem);
  m_problem->setVisible(!problem.isEmpty());
  m_command->setText(command);
  m_command->setCursorPosition(0);
  m_commandRow->setVisible(!command.isEmpty());
  refresh();
}

ListedDevices HostDialog::listed() const {
  return m_replace->isVisibleTo(this) && m_replace->isChecked() ? ListedDevices::AreReplaced
                                                                : ListedDevices::Stay;
}

std::vector<DeviceId> HostDialog::taken() const {
  std::vector<DeviceId> taken;
  if (listed() == ListedDevices::AreReplaced) return taken;
  for (const plan::DeviceSpec& device : m_devices->listed()) taken.push_back(device.id);
  return taken;
}

void HostDialog::refresh() {
  const bool checking = m_hosts->checking();
  const bool known = m_hosts->knownNamed(name()) != nullptr;
  const QString verb = checking ? tr("Stop") : known ? tr("Check again") : tr("Check");
  m_check->setText(verb);
  m_check->setAccessibleName(verb);
  m_check->setToolTip(checking ? tr("Stop waiting for the host")
                               : tr("Look for the engine and the devices of the host"));
  m_check->setEnabled(checking || !name().isEmpty());
  m_forget->setVisible(known);
  m_progress->setVisible(checking);
  m_status->setText(checking  ? tr("Connecting to %1…").arg(name())
                    : m_found ? foundText(*m_found)
                              : QString());
  m_status->setVisible(!m_status->text().isEmpty());
  m_list->setVisible(m_found && !checking);
  m_replace->setVisible(m_found && !checking && !elsewhere(*m_devices, m_found->name).isEmpty());
  const auto chosen = m_found ? m_list->chosen() : std::vector<DeviceId>();
  m_add->setText(chosen.empty()
                     ? tr("Add")
                     : tr("Add %1").arg(countedText(static_cast<std::int64_t>(chosen.size()),
                                                    tr("device"), tr("devices"))));
  m_add->setEnabled(!chosen.empty() && !checking);
  // Enter checks a host first, and adds its devices when they are known.
  m_check->setDefault(!m_add->isEnabled());
  m_add->setDefault(m_add->isEnabled());
  growToFit(*this);
}

void HostDialog::add() {
  QString refusal;
  const auto told = connect(m_devices, &PlanDevices::refused, this,
                            [&refusal](const QString& reason) { refusal = reason; });
  const bool added = m_devices->addAll(m_list->chosen(), listed());
  disconnect(told);
  if (added) {
    accept();
  } else {
    showProblem(refusal.isEmpty() ? tr("The plan's locks keep its devices") : refusal, {});
  }
}

}  // namespace stagelane::ui
