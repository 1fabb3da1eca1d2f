#include "ui/plan/plan_toolbar.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <initializer_list>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/plan/rows.h"
#include "engine/schedule/methods.h"
#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/document_field.h"
#include "ui/kit/icons.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/chip_groups.h"
#include "ui/session/document/document.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/document/split_sizes.h"
#include "ui/session/document/variant_choices.h"
#include "ui/session/document/variant_json.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kMostLevels = 9;  ///< steps of hiding parts in narrow windows
constexpr int kNarrowCombo = 128;

/// A name, or `csv:PATH` for a schedule's file.
QString partText(const Json& part) {
  const bool file = part.is_object() && part.contains("csv");
  if (file) return qstring(schedule::kCsvPrefix) + partText(part["csv"]);
  return qstring(part.is_string() ? part.get<std::string>() : part.dump());
}

QString wordOf(const Json& variant, const char* key) {
  const auto found = variant.find(key);
  if (found == variant.end()) return {};
  if (!found->is_array()) return partText(*found);
  QStringList parts;
  for (const Json& part : *found) parts.append(partText(part));
  return parts.join(u", "_s);
}

}  // namespace

PlanToolbar::PlanToolbar(PlanModel* plan, QWidget* parent)
    : QWidget(parent),
      m_plan(plan),
      m_strategy(new Combo(plan->session().currentTheme(), this)),
      m_scheduleLabel(mutedLabel(tr("Schedule"), this)),
      m_schedule(new Combo(plan->session().currentTheme(), this)),
      m_splitLabel(mutedLabel(tr("Split size"), this)),
      m_split(new QLineEdit(this)),
      m_microBatches(new QLabel(this)),
      m_memberLabel(mutedLabel(tr("Shown"), this)),
      m_member(new Combo(plan->session().currentTheme(), this)),
      m_counts(new CountFields(plan, this)),
      m_settings(new VariantSettings(plan, this)),
      m_costs(new CostStatus(&plan->session(), this)),
      m_strategyLabel(mutedLabel(tr("Strategy"), this)) {
  setLook(this, u"toolbar"_s);
  setFixedHeight(measure::kToolbarHeight);
  build();
  connect(plan, &PlanModel::planChanged, this, &PlanToolbar::refresh);
  const ExperimentDocument* document = &plan->session().document();
  connect(document, &ExperimentDocument::aboutToLoad, this, [this] { m_strategies = {}; });
  // A refused choice reverts to the plan's value.
  connect(document, &ExperimentDocument::refused, this, &PlanToolbar::refresh);
  connect(plan->session().currentTheme(), &CurrentTheme::changed, this, &PlanToolbar::refreshIcons);
  connect(plan, &PlanModel::predictionChanged, this, &PlanToolbar::fitIfTooWide);
  connect(&plan->session().calibration(), &Calibration::changed, this, &PlanToolbar::fitToWidth);
  connect(&plan->session().costs(), &Costs::changed, this, &PlanToolbar::fitToWidth);
  refresh();
}

void PlanToolbar::build() {
  setNames(m_strategy, u"strategy"_s, tr("Strategy"));
  setNames(m_schedule, u"schedule"_s, tr("Schedule"));
  setNames(m_split, u"splitSize"_s, tr("Split size"));
  setNames(m_member, u"sweepMember"_s, tr("Shown variant of the sweep"));
  setNames(m_microBatches, u"microBatches"_s, tr("Micro-batches per step"));
  m_split->setFixedWidth(84);
  leaveUndoToDocument(m_split);
  markSplit({});
  m_split->installEventFilter(this);
  QStringList descriptions;
  for (const plan::StrategyRow& strategy : plan::strategies()) {
    if (!strategy.available) continue;
    m_strategy->addItem(QObject::tr(strategy.title.data()), qstring(strategy.name));
    descriptions.append(m_strategy->itemText(m_strategy->count() - 1) + u": "_s +
                        QObject::tr(strategy.description.data()));
  }
  m_strategy->setToolTip(descriptions.join(QChar(u'\n')));
  for (const std::string& name : schedule::pipelineScheduleNames()) {
    m_schedule->addItem(qstring(name), qstring(name));
  }
  auto* layout = rowLayout(
      this, kToolbarRoom,
      {m_strategyLabel, m_strategy, Gap{4}, m_counts, m_scheduleLabel, m_schedule, Gap{4},
       m_splitLabel, m_split, m_microBatches, m_memberLabel, m_member, Gap{4}, m_settings});
  m_widths = buildChipWidths();
  layout->addWidget(m_widths);
  layout->addStretch(1);
  layout->addWidget(m_costs);
  connect(m_strategy, &QComboBox::activated, this,
          [this](int row) { setStrategy(m_strategy->itemData(row).toString()); });
  connect(m_schedule, &QComboBox::activated, this,
          [this](int row) { setSchedule(m_schedule->itemData(row).toString()); });
  connect(m_split, &QLineEdit::editingFinished, this, &PlanToolbar::setSplit);
  connect(m_member, &QComboBox::activated, this, [this](int row) {
    m_plan->session().selection().setVariant(m_member->itemData(row).toString());
  });
}

void PlanToolbar::setSides(QAction* left, QAction* right) {
  m_sides = {left, right};
  auto* bar = static_cast<QHBoxLayout*>(layout());
  for (QAction* action : m_sides) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    setLook(button, u"flat"_s);
    setNames(button, action->objectName(), action->text());
    bar->insertWidget(action == left ? 0 : bar->count(), button);
  }
  refreshIcons();
}

QList<QAction*> PlanToolbar::fieldActions() {
  return QList<QAction*>{new ControlAction(tr("Strategy…"), m_strategy, this),
                         new ControlAction(tr("Schedule…"), m_schedule, this),
                         new ControlAction(tr("Split size…"), m_split, this),
                         new ControlAction(tr("Shown variant of the sweep…"), m_member, this)} +
         m_counts->fieldActions(this);
}

void PlanToolbar::resizeEvent(QResizeEvent*) { fitToWidth(); }

/// Esc in the split size field restores the plan's value.
bool PlanToolbar::eventFilter(QObject* watched, QEvent* event) {
  const bool escape =
      event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
  if (watched == m_split && escape) {
    refresh();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

/// The bar notices a badge that grows only through the badge's own layout request.
bool PlanToolbar::event(QEvent* event) {
  const bool taken = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) fitIfTooWide();
  return taken;
}

void PlanToolbar::fitToWidth() {
  m_level = 0;
  do {
    applyLevel();
    layout()->invalidate();
  } while (layout()->sizeHint().width() > width() && m_level++ < kMostLevels);
}

void PlanToolbar::fitIfTooWide() {
  if (m_level < kMostLevels && layout()->sizeHint().width() > width()) fitToWidth();
}

/// Hides explanatory parts before controls.
void PlanToolbar::applyLevel() {
  m_settings->setWide(m_level < 2);
  m_widthLabel->setVisible(m_level < 2);
  m_costs->setRoom(m_level < 3   ? CostStatus::Room::Wide
                   : m_level < 6 ? CostStatus::Room::Middle
                                 : CostStatus::Room::Narrow);
  m_microBatches->setVisible((m_level < 4 || m_splitWrong) && m_splits);
  m_strategyLabel->setVisible(m_level < 5);
  m_counts->setLabelsVisible(m_level < 8);
  m_scheduleLabel->setVisible(m_level < 5 && m_splits);
  m_schedule->setMaximumWidth(m_level < 6 ? QWIDGETSIZE_MAX : kNarrowCombo);
  m_memberLabel->setVisible(m_level < 7 && m_sweep);
  m_splitLabel->setVisible(m_level < 8 && m_splits);
  m_widths->setVisible(m_level < kMostLevels);
  // The bar's layout caches the old sizes of parts that have their own layouts.
  for (QWidget* part : std::initializer_list<QWidget*>{m_counts, m_settings, m_widths, m_costs}) {
    part->updateGeometry();
  }
}

void PlanToolbar::refreshIcons() {
  const ControlColors& colors = m_plan->session().currentTheme()->theme().control;
  for (qsizetype at = 0; at < m_sides.size(); ++at) {
    m_sides[at]->setIcon(icon(at == 0 ? u"runs"_s : u"info"_s, colors.muted));
  }
}

QWidget* PlanToolbar::buildChipWidths() {
  auto* box = new QWidget(this);
  auto* layout = rowLayout(box, kNoRoom);
  m_widthLabel = mutedLabel(tr("Chip width"), box);
  layout->addWidget(m_widthLabel);
  layout->addSpacing(measure::kControlGap);
  auto* group = new QButtonGroup(this);
  const auto add = [&](const QString& text, const QString& name, ChipWidth width,
                       const QString& edge) {
    auto* button = new QToolButton(box);
    button->setText(text);
    button->setCheckable(true);
    button->setChecked(width == m_plan->chips().width());
    button->setMinimumWidth(button->sizeHint().width() + 8);
    button->setProperty("edge", edge);
    setLook(button, u"segment"_s);
    setNames(button, name, tr("Chip width: %1").arg(text));
    button->setToolTip(tr("Scale chip widths by %1").arg(text.toLower()));
    keepChoice(button);
    group->addButton(button);
    layout->addWidget(button);
    connect(button, &QToolButton::toggled, this, [this, width](bool on) {
      if (on) m_plan->chips().setWidth(width);
    });
    connect(&m_plan->chips(), &ChipGroups::changed, button,
            [this, button, width] { button->setChecked(m_plan->chips().width() == width); });
  };
  add(tr("Time"), u"widthTime"_s, ChipWidth::Time, u"first"_s);
  add(tr("Memory"), u"widthMemory"_s, ChipWidth::Memory, u"middle"_s);
  add(tr("Parameters"), u"widthParameters"_s, ChipWidth::Parameters, u"last"_s);
  return box;
}

const Json* PlanToolbar::variantJson() const {
  const ExperimentDocument& document = m_plan->session().document();
  const VariantTab* tab = document.tab(m_plan->session().selection().tabId());
  return tab == nullptr ? nullptr : &document.json()["variants"][tab->index];
}

void PlanToolbar::refresh() {
  m_refreshing = true;
  const Json* variant = variantJson();
  const VariantTab* tab = m_plan->session().document().tab(m_plan->session().selection().tabId());
  setEnabled(variant != nullptr && variant->is_object());
  if (isEnabled() && tab != nullptr) {
    const QString strategy = wordOf(*variant, "strategy");
    m_strategy->setCurrentIndex(m_strategy->findData(strategy));
    const plan::StrategyRow& row = plan::strategyRow(utf8(strategy));
    m_splits = row.pipelined || row.replicates;
    m_sweep = tab->sweep();
    refreshSchedule(*variant, *tab);
    refreshSplit(*variant, row);
    m_counts->refresh(*variant);
    refreshMembers(*tab);
    m_settings->refresh();
    fitToContents();
  }
  m_refreshing = false;
}

/// Where every device has the whole model, the disabled box says why there is no choice.
void PlanToolbar::refreshSchedule(const Json& variant, const VariantTab& tab) {
  const plan::StrategyRow& row = strategyOf(variant);
  m_schedule->setVisible(m_splits);
  m_schedule->setEnabled(row.pipelined);
  m_schedule->setToolTip(row.replicates ? tr("%1 has the whole model on every device, so nothing "
                                             "is passed on and there is no schedule to choose")
                                              .arg(QObject::tr(row.title.data()))
                                        : QString());
  const QString schedule = row.pipelined ? wordOf(variant, "schedule") : QString();
  m_schedule->setCurrentIndex(m_schedule->findData(schedule));
  m_schedule->setPlaceholderText(row.pipelined ? m_schedule->fontMetrics().elidedText(
                                                     schedule, Qt::ElideMiddle, 2 * kNarrowCombo)
                                               : tr("none"));
  if (row.pipelined) refreshSchedules(tab.index);
}

/// Fits only if a width changed: each control that is shown again lays out the whole window, and
/// most edits change texts but not widths.
void PlanToolbar::fitToContents() {
  QStringList widths{m_settings->text(), QString::number(m_splits), QString::number(m_sweep),
                     m_counts->text()};
  for (const QWidget* part :
       std::initializer_list<const QWidget*>{m_strategy, m_schedule, m_microBatches, m_member}) {
    widths.append(QString::number(part->sizeHint().width()));
  }
  const QString contents = widths.join(QChar(u'|'));
  if (contents != m_contents) {
    m_contents = contents;
    fitToWidth();
  }
}

/// Marks schedules that are not available for this plan and says why. They can still be chosen; the
/// plan then offers a fix.
void PlanToolbar::refreshSchedules(std::size_t index) {
  Session& session = m_plan->session();
  const plan::Variant* variant = session.selection().variant();
  const auto experiment = session.document().experiment();
  auto* items = qobject_cast<QStandardItemModel*>(m_schedule->model());
  if (variant == nullptr || !experiment || items == nullptr) return;
  const ControlColors& colors = session.currentTheme()->theme().control;
  for (const ScheduleChoice& choice :
       scheduleChoices(session.document().json(), index, *experiment, *variant)) {
    const int row = m_schedule->findData(choice.name);
    QStandardItem* item = row < 0 ? nullptr : items->item(row);
    if (item == nullptr) continue;
    const bool suits = choice.refusal.isEmpty();
    const QString tip =
        suits ? choice.description : tr("Not available for this plan: %1").arg(choice.refusal);
    if (tip == item->toolTip()) {
      continue;  // unchanged; icons are slow to draw
    }
    item->setIcon(suits ? QIcon() : icon(u"warn"_s, colors.error));
    item->setForeground(suits ? colors.text : colors.muted);
    item->setToolTip(tip);
    item->setData(suits ? QString() : tr("not available for this plan"),
                  Qt::AccessibleDescriptionRole);
  }
}

void PlanToolbar::refreshSplit(const Json& variant, const plan::StrategyRow& row) {
  m_split->setVisible(m_splits);
  m_optionalSplit = row.replicates;
  markSplit({});
  if (!m_splits) return;
  const auto split = variant.find("split_size");
  m_split->setText(split == variant.end() ? QString() : splitText(*split));
  m_split->setPlaceholderText({});
  const plan::Variant* concrete = m_plan->session().selection().variant();
  const auto experiment = m_plan->session().document().experiment();
  if (concrete == nullptr || !experiment || concrete->splitSize <= 0) return;
  if (row.replicates) m_split->setPlaceholderText(QString::number(concrete->splitSize));
  const auto sizes = plan::microBatchSizes(experiment->data.batchSize, concrete->splitSize);
  const std::size_t replicas = concrete->stages.empty() ? 1 : concrete->stages.front().group.size();
  const QString count =
      countedText(static_cast<std::int64_t>((sizes.size() + replicas - 1) / replicas),
                  tr("micro-batch"), tr("micro-batches"));
  m_microBatches->setText(replicas > 1 ? tr("%1 a replica").arg(count) : count);
}

/// Keeps an invalid text for correction and shows that it is not applied. An empty problem clears
/// the mark.
void PlanToolbar::markSplit(const QString& problem) {
  const bool wrong = !problem.isEmpty();
  m_split->setToolTip(wrong ? tr("%1 (Esc restores the plan's value)").arg(problem)
                      : m_optionalSplit
                          ? tr("Samples per micro-batch of a replica; empty: its part of the batch "
                               "at once")
                          : tr("Samples per micro-batch; a list makes a sweep: 4, 8, 16"));
  m_microBatches->setToolTip(problem);
  setLook(m_microBatches, wrong ? u"error"_s : QString());
  if (wrong) m_microBatches->setText(tr("not applied"));
  setWrong(m_split, wrong);
  if (m_splitWrong != wrong) {
    m_splitWrong = wrong;
    fitToWidth();
  }
}

void PlanToolbar::refreshMembers(const VariantTab& tab) {
  const QSignalBlocker blocker(m_member);
  m_member->clear();
  for (const QString& id : tab.variantIds) {
    m_member->addItem(id.startsWith(tab.id + QLatin1Char('-')) ? id.mid(tab.id.size() + 1) : id,
                      id);
  }
  m_member->setCurrentIndex(m_member->findData(m_plan->session().selection().variantId()));
  m_member->setVisible(tab.sweep());
}

void PlanToolbar::setStrategy(const QString& strategy) {
  Session& session = m_plan->session();
  const VariantTab* tab = session.document().tab(session.selection().tabId());
  if (m_refreshing || tab == nullptr || !m_plan->ready()) return;
  const plan::StrategyRow& wanted = plan::strategyRow(utf8(strategy));
  PlanShape shape = m_plan->shape();
  const bool oneDevice = stagesOf(shape).size() == 1;
  const bool placed = !wanted.oneDevice && !wanted.replicates;
  if (oneDevice && placed && m_plan->devices().size() > 1) {
    std::vector<double> weights;
    for (const BlockFigures& block : m_plan->table()->blocks) {
      weights.push_back(static_cast<double>(block.timeNs()));
    }
    shape = evenlyCut(weights, m_plan->devices());
  }
  if (const Json* variant = variantJson()) m_strategies.keep(tab->id, *variant);
  const Json changed = withDeviceNumbers(
      withStrategy(session.document().json(), tab->index, wanted, m_plan->model(), shape),
      tab->index, m_plan->devices());
  // The remembered placement may use removed devices or move blocks that were locked since.
  Json restored = m_strategies.restored(tab->id, changed, tab->index);
  const bool goes =
      refusalOf(restored, tab->index, utf8(session.document().baseFolder())).isEmpty() &&
      !session.document().lockRefusal(restored);
  session.document().apply(tr("Strategy %1").arg(m_strategy->currentText()),
                           goes ? std::move(restored) : changed);
}

void PlanToolbar::setSchedule(const QString& schedule) {
  Session& session = m_plan->session();
  const VariantTab* tab = session.document().tab(session.selection().tabId());
  if (!m_refreshing && tab != nullptr) {
    session.document().apply(tr("Schedule %1").arg(schedule),
                             withSchedule(session.document().json(), tab->index, schedule));
  }
}

void PlanToolbar::setSplit() {
  Session& session = m_plan->session();
  const VariantTab* tab = session.document().tab(session.selection().tabId());
  const auto experiment = session.document().lastReadable();
  if (m_refreshing || tab == nullptr || !experiment) return;
  if (m_optionalSplit && m_split->text().trimmed().isEmpty()) {
    Json document = session.document().json();
    if (document["variants"][tab->index].erase("split_size") > 0) {
      session.document().apply(tr("Split size of a replica's part"), std::move(document));
    }
    return;
  }
  const auto split = splitFromText(m_split->text(), experiment->data.batchSize);
  if (!split) {
    markSplit(errorText(split.error()));
    session.pages().showHint(errorText(split.error()));
    return;
  }
  Json changed = withVariantMember(session.document().json(), tab->index, "split_size", *split);
  // A replica's part of the batch is smaller than the batch; only the reader knows it.
  const QString why = m_optionalSplit
                          ? refusalOf(changed, tab->index, utf8(session.document().baseFolder()))
                          : QString();
  if (!why.isEmpty()) {
    markSplit(why);
    session.pages().showHint(why);
    return;
  }
  session.document().apply(tr("Split size %1").arg(splitText(*split)), std::move(changed));
}

}  // namespace stagelane::ui
