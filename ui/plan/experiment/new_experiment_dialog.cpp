#include "ui/plan/experiment/new_experiment_dialog.h"

#include <QDialogButtonBox>
#include <QDir>

#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/grow_to_fit.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kWidth = 480;
constexpr int kPauseMs = 120;
constexpr int kLargestBatch = 1'000'000;
constexpr int kMostDevices = 64;
const QString kFirstModel = u"resnet50"_s;

}  // namespace

NewExperimentDialog::NewExperimentDialog(const Session* session, const QString& baseFolder,
                                         QWidget* parent)
    : QDialog(parent),
      m_baseFolder(baseFolder),
      m_name(new QLineEdit(this)),
      m_model(new ModelForm(session->currentTheme(), baseFolder, this)),
      m_batch(new IntegerBox(1, kLargestBatch, this)),
      m_devices(new IntegerBox(1, kMostDevices, this)),
      m_summary(mutedLabel({}, this)) {
  setObjectName(u"newExperimentDialog"_s);
  setWindowTitle(tr("New experiment"));
  setMinimumWidth(kWidth);
  build();
  m_soon.setSingleShot(true);
  m_soon.setInterval(kPauseMs);
  connect(&m_soon, &QTimer::timeout, this, &NewExperimentDialog::check);
  connect(m_model, &ModelForm::changed, &m_soon, qOverload<>(&QTimer::start));
  connect(m_model, &ModelForm::zooChosen, this, &NewExperimentDialog::begin);
  connect(m_batch, &QSpinBox::valueChanged, &m_soon, qOverload<>(&QTimer::start));
  connect(m_devices, &QSpinBox::valueChanged, &m_soon, qOverload<>(&QTimer::start));
  m_model->setChoice(beginningWith(utf8(kFirstModel)).model);
  begin(kFirstModel);
  check();
  m_model->setFocus();
}

void NewExperimentDialog::build() {
  setNames(m_name, u"newName"_s, tr("Name"));
  m_name->setToolTip(tr("Name of the experiment in the window, in runs and in reports"));
  setNames(m_batch, u"newBatchSize"_s, tr("Batch size"));
  m_batch->setToolTip(tr("Samples per training step; a pipeline splits them into micro-batches"));
  setNames(m_devices, u"newDevices"_s, tr("Devices"));
  m_devices->setValue(2);
  m_devices->setToolTip(
      tr("Number of devices: GPUs if the machine has enough, else CPU workers. "
         "Add other or imagined devices on the Plan page"));
  setNames(m_summary, u"newSummary"_s, tr("Summary of the new experiment"));
  m_summary->setWordWrap(true);
  m_batchNote = new NotedField(m_batch, this);
  m_devicesNote = new NotedField(m_devices, this);
  m_model->addRow(tr("&Batch size"), m_batchNote, m_batch);
  m_model->addRow(tr("&Devices"), m_devicesNote, m_devices);
  m_model->addRow(tr("&Name"), new NotedField(m_name, this), m_name);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  m_create = buttons->button(QDialogButtonBox::Ok);
  m_create->setText(tr("Create"));
  setNames(m_create, u"newCreate"_s, tr("Create experiment"));
  m_create->setToolTip(
      tr("Create it with three variants: single device, model parallel, pipeline"));
  QPushButton* cancel = buttons->button(QDialogButtonBox::Cancel);
  setNames(cancel, u"newCancel"_s, tr("Cancel"));
  cancel->setToolTip(tr("Keep the open experiment"));
  columnLayout(this, {}, {m_model, m_summary, buttons});
  connect(buttons, &QDialogButtonBox::accepted, this, &NewExperimentDialog::finish);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void NewExperimentDialog::begin(const QString& zooName) {
  m_batch->setValue(static_cast<int>(beginningWith(utf8(zooName)).batchSize));
}

NewExperiment NewExperimentDialog::experiment() const {
  ModelChoice model = m_model->choice();
  if (model.definition.contains("file")) {
    // An absolute path works in whichever folder the experiment is saved.
    const QString file = qstring(model.definition["file"].get<std::string>());
    model.definition["file"] =
        file.isEmpty() ? "" : utf8(QDir(m_baseFolder).absoluteFilePath(file));
  }
  return {utf8(m_name->text().trimmed()), std::move(model), m_batch->value(), m_devices->value()};
}

void NewExperimentDialog::check() {
  m_soon.stop();
  // Numbers out of range are not checked further; a huge one would take too long.
  const bool numbers = !m_model->wrong() && m_batch->within() && m_devices->within();
  m_check = numbers ? checkNew(experiment(), utf8(m_baseFolder)) : NewExperimentCheck{};
  const auto problemOf = [this](NewField field) {
    return m_check.field == field ? m_check.problem : QString();
  };
  m_model->setProblems(problemOf(NewField::Model), problemOf(NewField::Input));
  m_batchNote->setProblem(m_batch->within() ? problemOf(NewField::BatchSize) : m_batch->problem());
  m_devicesNote->setProblem(m_devices->within() ? problemOf(NewField::Devices)
                                                : m_devices->problem());
  m_summary->setText(m_check.summary);
  m_create->setEnabled(numbers && m_check.problem.isEmpty());
  if (m_check.model) {
    m_name->setPlaceholderText(qstring(defaultName(*m_check.model, m_devices->value())));
  }
  growToFit(*this);
}

void NewExperimentDialog::finish() {
  check();
  if (m_create->isEnabled()) accept();
}

}  // namespace stagelane::ui
