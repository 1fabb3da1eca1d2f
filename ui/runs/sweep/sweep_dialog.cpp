#include "ui/runs/sweep/sweep_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/plan/experiment.h"
#include "engine/schedule/methods.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/grow_to_fit.h"
#include "ui/kit/look.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kWidth = 440;
constexpr int kPauseMs = 120;

}  // namespace

SweepDialog::SweepDialog(Session* session, const TypedSweep& before, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_form(new QFormLayout),
      m_variant(new Combo(session->currentTheme(), this)),
      m_earlyStop(new QCheckBox(tr("Stop slow points early"), this)),
      m_count(new QLabel(this)),
      m_start(new QPushButton(tr("Start sweep"), this)) {
  setWindowTitle(tr("Sweep over values"));
  setObjectName(u"sweepDialog"_s);
  setMinimumWidth(kWidth);
  m_form->setLabelAlignment(Qt::AlignLeft);
  auto* column = columnLayout(this, {}, {m_form});
  addVariants(before);
  addFields(before);
  setNames(m_earlyStop, u"sweepEarlyStop"_s, m_earlyStop->text());
  m_earlyStop->setToolTip(
      tr("Stop points that are predicted (from measured costs) to be at least 25 % slower, or "
         "whose first three repeats are all slower than the fastest point"));
  m_earlyStop->setChecked(before.earlyStop);
  m_count->setObjectName(u"sweepCount"_s);
  m_count->setWordWrap(true);
  column->addWidget(m_earlyStop);
  column->addWidget(m_count);
  addButtons();
  m_soon.setSingleShot(true);
  m_soon.setInterval(kPauseMs);
  connect(&m_soon, &QTimer::timeout, this, &SweepDialog::check);
  check();
}

void SweepDialog::addVariants(const TypedSweep& before) {
  setNames(m_variant, u"sweepVariant"_s, tr("Variant"));
  m_variant->setToolTip(tr("Pipeline to vary; other variants are not run"));
  const auto experiment = m_session->document().experiment();
  for (const VariantTab& tab : m_session->document().tabs()) {
    const plan::Variant* variant = experiment && !tab.variantIds.isEmpty()
                                       ? experiment->variantById(utf8(tab.variantIds.first()))
                                       : nullptr;
    if (variant != nullptr && plan::strategyRow(variant->strategy).pipelined) {
      m_variant->addItem(tab.name, tab.name);
    }
  }
  const VariantTab* tab = m_session->document().tab(m_session->selection().tabId());
  const int shown = tab == nullptr ? 0 : m_variant->findData(tab->name);
  const int known = m_variant->findData(before.variant);
  m_variant->setCurrentIndex(std::max(0, known < 0 ? shown : known));
  m_form->addRow(tr("Pipeline"), m_variant);
  connect(m_variant, &QComboBox::currentIndexChanged, this, &SweepDialog::onEdited);
}

void SweepDialog::addFields(const TypedSweep& before) {
  QStringList schedules;
  for (const std::string& name : schedule::pipelineScheduleNames()) schedules.append(qstring(name));
  const std::array<FieldWords, kSweepFields> words{{
      {u"sweepSplits"_s, tr("Split sizes"), tr("4, 8, 16"),
       tr("Samples per micro-batch: 1 to the batch size")},
      {u"sweepSchedules"_s, tr("Schedules"), tr("gpipe, 1f1b, zb-h1"),
       tr("Schedules to compare: %1").arg(schedules.join(u", "_s))},
      {u"sweepPlacements"_s, tr("Placements"), tr("optimal, balanced"),
       tr("Placement modes: optimal, auto, balanced, sequential, or same as: "
          "another variant")},
      {u"sweepRecomputes"_s, tr("Recompute"), tr("never, except_last, always"),
       tr("Whether the backward pass recomputes activations: less "
          "memory, more time")},
      {u"sweepBatches"_s, tr("Batch sizes"), tr("32, 64, 128"),
       tr("Samples per step; each size is a separate run")},
  }};
  for (std::size_t field = 0; field < kSweepFields; ++field) {
    addField(static_cast<SweepField>(field), words[field], before.lists[field]);
  }
}

void SweepDialog::addField(SweepField field, const FieldWords& words, const QString& before) {
  auto* list = new QLineEdit(before, this);
  setNames(list, words.name, words.label);
  list->setToolTip(words.tip);
  list->setPlaceholderText(tr("unchanged, or a list: %1").arg(words.example));
  auto* note = new NotedField(list, this);
  auto* label = new QLabel(words.label, this);
  label->setBuddy(list);
  m_form->addRow(label, note);
  connect(list, &QLineEdit::textChanged, this, &SweepDialog::onEdited);
  m_lists[static_cast<std::size_t>(field)] = list;
  m_notes[static_cast<std::size_t>(field)] = note;
}

void SweepDialog::addButtons() {
  setNames(m_start, u"sweepStart"_s, m_start->text());
  m_start->setDefault(true);
  m_start->setToolTip(tr("Queue the points; each is predicted and then measured"));
  m_lists.front()->setFocus();
  auto* cancel = new QPushButton(tr("Cancel"), this);
  setNames(cancel, u"sweepDialogCancel"_s, tr("Close without starting"));
  cancel->setToolTip(cancel->accessibleName());
  auto* buttons = new QDialogButtonBox(this);
  buttons->addButton(m_start, QDialogButtonBox::AcceptRole);
  buttons->addButton(cancel, QDialogButtonBox::RejectRole);
  static_cast<QVBoxLayout*>(layout())->addWidget(buttons);
  orderTabsByLayout(*this);
  connect(m_start, &QPushButton::clicked, this, &SweepDialog::start);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

TypedSweep SweepDialog::typed() const {
  TypedSweep typed;
  typed.variant = m_variant->currentData().toString();
  for (std::size_t field = 0; field < kSweepFields; ++field) {
    typed.lists[field] = m_lists[field]->text();
  }
  typed.earlyStop = m_earlyStop->isChecked();
  return typed;
}

void SweepDialog::onEdited() {
  m_startWanted = false;
  m_checking.cancel();
  m_soon.start();
  // Typing and then Enter uses the new text, once it is checked.
  m_start->setEnabled(true);
}

void SweepDialog::check() {
  m_soon.stop();
  const ExperimentDocument& document = m_session->document();
  m_checking.start([this, json = document.snapshot(), typed = typed(),
                    basis = ReadingBasis{utf8(document.baseFolder()), document.machine()}](
                       const std::atomic<bool>& canceled) {
    const SweepCheck check = checkSweep(*json, typed, basis, [&canceled] { return !canceled; });
    return [this, check] { tell(check); };
  });
}

void SweepDialog::tell(const SweepCheck& check) {
  for (std::size_t field = 0; field < kSweepFields; ++field) {
    m_notes[field]->setProblem(check.problems[field]);
  }
  m_count->setText(check.sound()
                       ? tr("%1. Pause keeps what was measured. The sweep can resume after any "
                            "interruption without repeating measurements.")
                             .arg(sweepSizeText(check))
                       : check.problem);
  growToFit(*this);
  m_start->setEnabled(check.sound());
  if (m_startWanted && check.sound()) accept();
  m_startWanted = false;
}

void SweepDialog::start() {
  m_startWanted = true;
  check();
}

}  // namespace stagelane::ui
