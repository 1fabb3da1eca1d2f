#include "ui/widgets/sweep_dialog.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/plan/schedule_names.h"
#include "ui/models/formatting.h"
#include "ui/widgets/look.h"

namespace stagelane::ui {
namespace {

/// With an empty word where nothing stands between two commas; none of an empty field.
QStringList wordsOf(const QString& text) {
  QStringList words;
  if (!text.trimmed().isEmpty()) {
    for (const QString& word : text.split(QChar(u','))) {
      words.append(word.trimmed());
    }
  }
  return words;
}

/// What is no whole number becomes 0, which the sweep refuses in words.
std::vector<std::int64_t> numbersOf(const QString& text) {
  std::vector<std::int64_t> numbers;
  for (const QString& word : wordsOf(text)) {
    numbers.push_back(word.toLongLong());
  }
  return numbers;
}

std::vector<std::string> textsOf(const QString& text) {
  std::vector<std::string> texts;
  for (const QString& word : wordsOf(text)) {
    texts.push_back(utf8(word));
  }
  return texts;
}

}  // namespace

SweepDialog::SweepDialog(Session* session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_variant(new Combo(session, this)),
      m_earlyStop(new QCheckBox(tr("End points that cannot become the fastest"), this)),
      m_count(new QLabel(this)),
      m_start(new QPushButton(tr("Start the sweep"), this)) {
  setWindowTitle(tr("Sweep over values"));
  setObjectName(QStringLiteral("sweepDialog"));
  auto* form = new QFormLayout;
  form->setLabelAlignment(Qt::AlignLeft);
  setLayout(new QVBoxLayout);
  setNames(m_variant, QStringLiteral("sweepVariant"), tr("Variant"));
  const auto experiment = session->experiment();
  for (const VariantTab& tab : session->document().tabs()) {
    const plan::Variant* variant = experiment && !tab.variantIds.isEmpty()
                                       ? experiment->variantById(utf8(tab.variantIds.first()))
                                       : nullptr;
    if (variant != nullptr && variant->strategy == plan::Strategy::Pipeline) {
      m_variant->addItem(tab.name, tab.name);
    }
  }
  if (const VariantTab* tab = session->document().tab(session->currentTabId())) {
    m_variant->setCurrentIndex(std::max(0, m_variant->findData(tab->name)));
  }
  form->addRow(tr("Pipeline"), m_variant);
  static_cast<QVBoxLayout*>(layout())->addLayout(form);
  addFields();
  setNames(m_earlyStop, QStringLiteral("sweepEarlyStop"), m_earlyStop->text());
  m_count->setObjectName(QStringLiteral("sweepCount"));
  m_count->setWordWrap(true);
  setNames(m_start, QStringLiteral("sweepStart"), m_start->text());
  m_start->setDefault(true);
  m_variant->setToolTip(tr("The pipeline whose values are varied; the others are not run"));
  m_earlyStop->setToolTip(
      tr("Those predicted from measured costs to be a quarter slower, and those "
         "whose first three repeats all are slower than the fastest"));
  m_start->setToolTip(tr("Queues the points; each is predicted first and then measured"));
  auto* cancel = new QPushButton(tr("Cancel"), this);
  setNames(cancel, QStringLiteral("sweepDialogCancel"), tr("Close without starting"));
  cancel->setToolTip(cancel->accessibleName());
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(m_start);
  auto* column = static_cast<QVBoxLayout*>(layout());
  column->addWidget(m_earlyStop);
  column->addWidget(m_count);
  column->addLayout(buttons);
  setMinimumWidth(440);
  connect(m_start, &QPushButton::clicked, this, &QDialog::accept);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_variant, &QComboBox::currentIndexChanged, this, &SweepDialog::refresh);
  refresh();
}

void SweepDialog::addFields() {
  QStringList schedules;
  for (const std::string& schedule : plan::availableScheduleNames()) {
    schedules.append(qstring(schedule));
  }
  m_splits = addField({QStringLiteral("sweepSplits"), tr("Split sizes"), tr("4, 8, 16"),
                       tr("Samples in a micro-batch: 1 up to the batch size")});
  m_schedules = addField(
      {QStringLiteral("sweepSchedules"), tr("Schedules"), tr("gpipe, 1f1b, zb-h1"),
       tr("The order of the actions. There are %1").arg(schedules.join(QStringLiteral(", ")))});
  m_placements =
      addField({QStringLiteral("sweepPlacements"), tr("Placements"), tr("optimal, balanced"),
                tr("Where the model is cut: optimal, auto, balanced, sequential, or same as: "
                   "another variant")});
  m_recomputes = addField({QStringLiteral("sweepRecomputes"), tr("Recompute"),
                           tr("never, except_last, always"),
                           tr("Whether forward passes are done again for the backward: less "
                              "memory, more time")});
  m_batches = addField({QStringLiteral("sweepBatches"), tr("Batch sizes"), tr("32, 64, 128"),
                        tr("Samples in a step; each size is a run of its own")});
}

QLineEdit* SweepDialog::addField(const FieldWords& words) {
  auto* field = new QLineEdit(this);
  setNames(field, words.name, words.label);
  field->setToolTip(words.tip);
  field->setPlaceholderText(tr("as it is; or a list: %1").arg(words.example));
  static_cast<QFormLayout*>(layout()->itemAt(0)->layout())->addRow(words.label, field);
  connect(field, &QLineEdit::textChanged, this, &SweepDialog::refresh);
  return field;
}

plan::SweepSpec SweepDialog::spec() const {
  plan::SweepSpec spec;
  spec.variant = utf8(m_variant->currentData().toString());
  spec.splits = numbersOf(m_splits->text());
  spec.schedules = textsOf(m_schedules->text());
  spec.placements = textsOf(m_placements->text());
  spec.recomputes = textsOf(m_recomputes->text());
  spec.batches = numbersOf(m_batches->text());
  spec.earlyStop = m_earlyStop->isChecked();
  return spec;
}

void SweepDialog::refresh() {
  if (m_batches == nullptr) {
    return;
  }
  const plan::SweepSpec wanted = spec();
  const auto jobs = plan::sweepJobs(m_session->document().json(), wanted);
  const auto times = [](std::size_t count) { return std::max<std::size_t>(1, count); };
  const std::size_t points = times(wanted.splits.size()) * times(wanted.schedules.size()) *
                             times(wanted.placements.size()) * times(wanted.recomputes.size()) *
                             times(wanted.batches.size());
  m_count->setText(
      jobs ? tr("%1 in %2. Cancel pauses it; it goes on after any interruption "
                "without measuring again what was measured.")
                 .arg(countedText(static_cast<std::int64_t>(points), tr("point"), tr("points")),
                      countedText(static_cast<std::int64_t>(jobs->size()), tr("run"), tr("runs")))
           : errorText(jobs.error()));
  m_start->setEnabled(jobs.has_value());
}

}  // namespace stagelane::ui
