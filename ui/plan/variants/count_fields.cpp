#include "ui/plan/variants/count_fields.h"

#include <QEvent>
#include <QKeyEvent>

#include "engine/plan/experiment.h"
#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/document_field.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/document/split_sizes.h"
#include "ui/session/document/variant_choices.h"
#include "ui/session/document/variant_json.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kFieldWidth = 48;
constexpr std::int64_t kMostProcesses = 256;

QString numberIn(const Json& variant, const char* key, std::int64_t otherwise) {
  const auto found = variant.find(key);
  if (found == variant.end()) return QString::number(otherwise);
  return qstring(found->is_string() ? found->get<std::string>() : found->dump());
}

std::int64_t replicasOf(const plan::Variant* variant) {
  const bool known = variant != nullptr && !variant->stages.empty();
  return known ? static_cast<std::int64_t>(variant->stages.front().group.size()) : 1;
}

}  // namespace

CountFields::CountFields(PlanModel* plan, QWidget* parent)
    : QWidget(parent),
      m_plan(plan),
      m_replicasLabel(mutedLabel(tr("Replicas"), this)),
      m_replicas(new QLineEdit(this)),
      m_processesLabel(mutedLabel(tr("Processes"), this)),
      m_processes(new QLineEdit(this)) {
  build(m_replicas, u"replicas"_s, tr("Replicas"));
  build(m_processes, u"processes"_s, tr("Processes"));
  rowLayout(this, {.margins = {0, 0, 0, 0}, .spacing = measure::kControlGap},
            {m_replicasLabel, m_replicas, m_processesLabel, m_processes});
  connect(m_replicas, &QLineEdit::editingFinished, this, &CountFields::setReplicas);
  connect(m_processes, &QLineEdit::editingFinished, this, &CountFields::setProcesses);
}

void CountFields::build(QLineEdit* field, const QString& name, const QString& title) {
  setNames(field, name, title);
  field->setFixedWidth(kFieldWidth);
  leaveUndoToDocument(field);
  field->installEventFilter(this);
}

QList<QAction*> CountFields::fieldActions(QObject* owner) {
  return {new ControlAction(tr("Replicas…"), m_replicas, owner),
          new ControlAction(tr("Processes…"), m_processes, owner)};
}

/// Esc restores the plan's value.
bool CountFields::eventFilter(QObject* watched, QEvent* event) {
  const bool escape =
      event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
  if (!escape) return QWidget::eventFilter(watched, event);
  const Json* variant = variantAt(m_plan->session().document().json(), m_plan->tabIndex());
  if (variant != nullptr) refresh(*variant);
  return true;
}

void CountFields::refresh(const Json& variant) {
  m_refreshing = true;
  const plan::StrategyRow& row = strategyOf(variant);
  const plan::Variant* shown = m_plan->session().selection().variant();
  m_replicated = row.replicates;
  const bool replicas = row.pipelined || row.replicates;
  m_replicas->setVisible(replicas);
  m_replicasLabel->setVisible(replicas && m_labels);
  m_replicas->setEnabled(row.pipelined);
  m_replicas->setText(numberIn(variant, "replicas", replicasOf(shown)));
  m_processes->setVisible(row.asynchronous);
  m_processesLabel->setVisible(row.asynchronous && m_labels);
  m_processes->setText(numberIn(variant, "processes", plan::HogwildSpec{}.processes));
  mark(m_replicas, {});
  mark(m_processes, {});
  setVisible(replicas || row.asynchronous);
  m_refreshing = false;
}

void CountFields::setLabelsVisible(bool visible) {
  m_labels = visible;
  m_replicasLabel->setVisible(visible && !m_replicas->isHidden());
  m_processesLabel->setVisible(visible && !m_processes->isHidden());
}

QString CountFields::text() const {
  return QString::number(m_replicas->isHidden()) + QString::number(m_processes->isHidden());
}

QString CountFields::tipOf(const QLineEdit* field) const {
  if (field == m_processes) {
    return tr("Processes that train the same parameters without locks (1 to %1)")
        .arg(kMostProcesses);
  }
  return m_replicated ? tr("One replica for each device that gets a part of the batch")
                      : tr("Copies of the pipeline on devices of their own; they share the "
                           "micro-batches and sum their gradients (1 to the number of devices)");
}

void CountFields::mark(QLineEdit* field, const QString& problem) {
  const bool wrong = !problem.isEmpty();
  field->setToolTip(wrong ? tr("%1 (Esc restores the plan's value)").arg(problem) : tipOf(field));
  setWrong(field, wrong);
  if (wrong) m_plan->session().pages().showHint(problem);
}

void CountFields::setReplicas() {
  ExperimentDocument& document = m_plan->session().document();
  const Json* variant = variantAt(document.json(), m_plan->tabIndex());
  if (m_refreshing || variant == nullptr || !m_plan->ready()) return;
  const auto most = static_cast<std::int64_t>(m_plan->devices().size());
  const auto count = countFromText(m_replicas->text(), {tr("Replicas"), 1, most});
  if (!count) {
    mark(m_replicas, errorText(count.error()));
    return;
  }
  if (*count == replicasOf(m_plan->session().selection().variant())) {
    mark(m_replicas, {});
    return;  // the stages may list their devices
  }
  std::optional<PlanShape> shape;
  if (!placedByMode(document.json(), m_plan->tabIndex())) {
    std::vector<double> weights;
    for (const BlockFigures& block : m_plan->table()->blocks) {
      weights.push_back(static_cast<double>(block.timeNs()));
    }
    shape = shapeForReplicas(m_plan->shape(), weights, m_plan->devices(),
                             static_cast<std::size_t>(*count));
  }
  apply(m_replicas, tr("Replicas %1").arg(*count),
        withDeviceNumbers(
            withReplicas(document.json(), m_plan->tabIndex(), *count, m_plan->model(), shape),
            m_plan->tabIndex(), m_plan->devices()));
}

void CountFields::setProcesses() {
  ExperimentDocument& document = m_plan->session().document();
  const Json* variant = variantAt(document.json(), m_plan->tabIndex());
  if (m_refreshing || variant == nullptr) return;
  const auto count = countFromText(m_processes->text(), {tr("Processes"), 1, kMostProcesses});
  if (!count) {
    mark(m_processes, errorText(count.error()));
    return;
  }
  if (m_processes->text() == numberIn(*variant, "processes", plan::HogwildSpec{}.processes)) {
    mark(m_processes, {});
    return;
  }
  apply(m_processes, tr("Processes %1").arg(*count),
        withVariantMember(document.json(), m_plan->tabIndex(), "processes", *count));
}

void CountFields::apply(QLineEdit* field, const QString& step, const Json& changed) {
  ExperimentDocument& document = m_plan->session().document();
  const QString why = refusalOf(changed, m_plan->tabIndex(), utf8(document.baseFolder()));
  mark(field, why);
  if (why.isEmpty()) document.apply(step, changed);
}

}  // namespace stagelane::ui
