#include "ui/plan/prediction/kind_panel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/search/advice.h"
#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/elided_label.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/kit/virtual_controls.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kCellRoom = 2 * (7 + 3) + 2;  ///< padding of the style sheet and margin of the style
constexpr int kHeadRoom = 2 * 10 + 2;       ///< padding, as in the style sheet
constexpr int kProgressWidth = 160;
constexpr int kSteps = 1000;  ///< of the progress bar

/// The table of kinds; its rows are in the UI map. Enter applies the current one.
class KindTable final : public QTableView, public VirtualControlSource {
 public:
  KindTable(KindTableModel* model, std::function<void()> apply, QWidget* parent)
      : QTableView(parent), m_kinds(model), m_apply(std::move(apply)) {
    setModel(model);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(measure::kTreeRowHeight);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(model, &QAbstractItemModel::modelReset, this, &KindTable::placeColumns);
    connect(model, &QAbstractItemModel::dataChanged, this, &KindTable::placeColumns);
  }

  /// `kind.NAME` for each visible row.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override {
    QList<VirtualControl> controls;
    for (int row = 0; row < m_kinds->rowCount(); ++row) {
      QRect place = visualRect(m_kinds->index(row, KindTableModel::Kind));
      place = place.intersected(viewport()->rect());
      if (place.isEmpty()) continue;
      const QString step = m_kinds->index(row, KindTableModel::Step).data().toString();
      controls.append({u"kind."_s + kindName(*m_kinds->plan(row)), u"row"_s,
                       m_kinds->index(row, KindTableModel::Kind).data().toString(), step,
                       place.translated(viewport()->pos()), true,
                       selectionModel()->isRowSelected(row), currentIndex().row() == row});
    }
    return controls;
  }

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
      m_apply();
      return;
    }
    QTableView::keyPressEvent(event);
  }
  void resizeEvent(QResizeEvent* event) override {
    placeColumns();
    QTableView::resizeEvent(event);
  }
  void showEvent(QShowEvent* event) override {
    placeColumns();
    QTableView::showEvent(event);
  }

 private:
  /// Each column fits its heading and texts; the reason takes the rest. In a narrow window the
  /// number of devices, which the reason mentions, makes room.
  void placeColumns() {
    if (!isVisible()) return;
    constexpr int kLeastReason = 140;
    int others = 0;
    for (int column = 0; column < KindTableModel::Reason; ++column) {
      setColumnWidth(column, widthOf(column));
      others += widthOf(column);
    }
    const int devices = widthOf(KindTableModel::Devices);
    const bool narrow = others + kLeastReason > viewport()->width();
    setColumnHidden(KindTableModel::Devices, narrow);
    if (narrow) others -= devices;
    setColumnWidth(KindTableModel::Reason, std::max(kLeastReason, viewport()->width() - others));
  }
  [[nodiscard]] int widthOf(int column) const {
    const QFontMetrics metrics(fontOf(TextSize::Body, TextWeight::Bold));
    const auto text = [this](int row, int at) { return m_kinds->index(row, at).data().toString(); };
    const QString heading = m_kinds->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    int width = metrics.horizontalAdvance(heading) + kHeadRoom;
    for (int row = 0; row < m_kinds->rowCount(); ++row) {
      width = std::max(width, metrics.horizontalAdvance(text(row, column)) + kCellRoom);
    }
    return width;
  }

  KindTableModel* m_kinds;
  std::function<void()> m_apply;
};

}  // namespace

KindPanel::KindPanel(PlanModel* plan, QWidget* parent)
    : QWidget(parent),
      m_plan(plan),
      m_model(new KindTableModel(plan, this)),
      m_table(new KindTable(
          m_model, [this] { apply(); }, this)),
      m_state(new ElidedLabel(this)),
      m_progress(new QProgressBar(this)),
      m_reason(new ElidedLabel(this)),
      m_advice(new QLabel(this)) {
  setLook(this, u"panel"_s);
  setNames(m_table, u"kindTable"_s, tr("Best plan of each kind"));
  m_table->setProperty("look", u"plans"_s);
  m_cancel = button(tr("Cancel"), u"cancelKinds"_s, tr("Cancel the search for plans"),
                    [this] { m_plan->kinds().cancel(); });
  m_again = button(tr("Search again"), u"searchKinds"_s, tr("Search for plans again"),
                   [this] { m_plan->kinds().restart(); });
  m_add =
      button(tr("Add as variant"), u"addKind"_s, tr("Add the selected plan as a variant"), [this] {
        if (const search::KindPlan* kind = current()) {
          m_plan->moves().addKind(search::KindPlan(*kind));
        }
      });
  m_apply = button(tr("Apply to tab"), u"applyKind"_s, tr("Apply the selected plan to the tab"),
                   [this] { apply(); });
  columnLayout(this, kNoRoom, {buildBar(), {m_table, 1}, buildDetails()});
  connect(&plan->kinds(), &KindRunner::changed, this, &KindPanel::refresh);
  connect(&plan->kinds(), &KindRunner::progressed, this, &KindPanel::refreshState);
  connect(plan, &PlanModel::planChanged, this, &KindPanel::refresh);
  connect(&plan->session().runState(), &RunState::measuringChanged, this, &KindPanel::refresh);
  connect(plan->session().currentTheme(), &CurrentTheme::changed, this, &KindPanel::refresh);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &KindPanel::refreshCurrent);
  refresh();
}

QPushButton* KindPanel::button(const QString& text, const QString& name, const QString& actionText,
                               const std::function<void()>& act) {
  auto* control = new QPushButton(text, this);
  setNames(control, name, actionText);
  addAction(new ControlAction(actionText, control, this));
  connect(control, &QPushButton::clicked, this, [act] { act(); });
  return control;
}

QWidget* KindPanel::buildBar() {
  auto* bar = new QWidget(this);
  setNames(m_state, u"kindState"_s, tr("State of the search for plans"));
  setLook(m_state, u"muted"_s);
  m_state->setMinimumWidth(1);
  setNames(m_progress, u"kindProgress"_s, tr("Progress of the search for plans"));
  m_progress->setRange(0, kSteps);
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(kProgressWidth);
  rowLayout(bar,
            {.margins = {measure::kPanelPadding, 4, measure::kPanelPadding, 4},
             .spacing = measure::kControlGap},
            {{m_state, 1}, m_progress, m_cancel, m_again, m_add, m_apply});
  return bar;
}

QWidget* KindPanel::buildDetails() {
  auto* details = new QWidget(this);
  setNames(m_reason, u"kindReason"_s, tr("Reason for the time of the selected plan"));
  m_reason->setMinimumWidth(1);
  setNames(m_advice, u"kindAdvice"_s, tr("What others advise about such plans"));
  setLook(m_advice, u"muted"_s);
  m_advice->setFont(fontOf(TextSize::Caption));
  m_advice->setTextFormat(Qt::RichText);
  m_advice->setWordWrap(true);
  m_advice->setTextInteractionFlags(Qt::TextBrowserInteraction);
  m_advice->setOpenExternalLinks(true);
  m_advice->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  columnLayout(details,
               {.margins = {measure::kPanelPadding, 4, measure::kPanelPadding, 6}, .spacing = 2},
               {m_reason, m_advice});
  return details;
}

void KindPanel::showEvent(QShowEvent* event) {
  m_plan->kinds().setWanted(true);
  QWidget::showEvent(event);
}

void KindPanel::hideEvent(QHideEvent* event) {
  m_plan->kinds().setWanted(false);
  QWidget::hideEvent(event);
}

const search::KindPlan* KindPanel::current() const {
  return m_model->plan(m_table->currentIndex().row());
}

void KindPanel::apply() {
  const search::KindPlan* kind = current();
  if (kind != nullptr && m_apply->isEnabled()) m_plan->moves().applyKind(search::KindPlan(*kind));
}

void KindPanel::refresh() {
  if (current() == nullptr && m_model->rowCount() > 0) {
    int row = m_model->rowCount() - 1;
    while (row > 0 && kindName(*m_model->plan(row)) != m_kept) --row;
    m_table->selectRow(row);
  }
  refreshState();
  refreshCurrent();
}

QString KindPanel::stateText() const {
  const KindRunner& kinds = m_plan->kinds();
  if (kinds.running()) {
    const search::KindsProgress& progress = kinds.progress();
    return tr("Searching: %1").arg(kindTitle(progress.strategy, progress.replicas));
  }
  if (kinds.waiting() || m_plan->session().selection().beingPlaced()) {
    return tr("Searching for better plans…");
  }
  if (kinds.stale() || !kinds.found()) {
    if (m_plan->session().runState().measuring()) {
      return m_plan->session().runState().phase() != RunPhase::Idle
                 ? tr("The search continues after the run")
                 : tr("The search continues after the calibration");
    }
    return kinds.error() ? sentenceText(*kinds.error()) : tr("No plans to compare");
  }
  const KindPlans& found = *kinds.found();
  if (!found.complete) {
    return tr("Canceled. %1 found")
        .arg(countedText(static_cast<std::int64_t>(found.plans.size()), tr("kind"), tr("kinds")));
  }
  if (found.base.stepNs <= 0) return tr("The best plan of each kind, the fastest first");
  return tr("The best plan of each kind, the fastest first. Base: %1, %2")
      .arg(qstring(found.base.name), timeText(found.base.stepNs));
}

void KindPanel::refreshState() {
  const KindRunner& kinds = m_plan->kinds();
  m_state->setText(stateText());
  m_state->setToolTip(m_state->text());
  m_progress->setVisible(kinds.running());
  m_progress->setValue(static_cast<int>(std::lround(kSteps * kinds.progress().fraction)));
  m_cancel->setVisible(kinds.running());
  const bool canceled = kinds.found() && !kinds.found()->complete && !kinds.stale();
  m_again->setVisible(canceled && !kinds.running() && !m_plan->session().runState().measuring());
}

void KindPanel::refreshCurrent() {
  const search::KindPlan* kind = current();
  const bool usable = kind != nullptr && !m_plan->kinds().stale() && m_plan->ready();
  const bool shown = kind != nullptr && m_model->isShown(m_table->currentIndex().row());
  const auto refusal = usable ? m_plan->locks().refusalOf(*kind) : std::nullopt;
  m_apply->setEnabled(usable && !shown && !refusal);
  m_apply->setToolTip(refusal ? *refusal
                      : shown ? tr("The tab has this plan")
                              : tr("Replace the plan of the tab (Enter; Ctrl+Z undoes it)"));
  m_add->setEnabled(usable);
  m_add->setToolTip(tr("Add a tab with this plan (Ctrl+Z undoes it)"));
  m_reason->setVisible(kind != nullptr);
  m_advice->setVisible(kind != nullptr);
  if (kind == nullptr) return;
  m_kept = kindName(*kind);
  m_reason->setText(
      m_model->index(m_table->currentIndex().row(), KindTableModel::Reason).data().toString());
  m_reason->setToolTip(m_reason->text());
  setLook(m_reason, kind->fits() ? QString() : u"error"_s);
  m_advice->setText(adviceText(*kind));
}

QString KindPanel::adviceText(const search::KindPlan& plan) const {
  const search::Advice* advice = search::adviceOn(plan::strategyRow(plan.strategy), plan.replicas);
  if (advice == nullptr) return {};
  return tr("%1. Source: <a href=\"%2\" style=\"color:%3\">%4</a>")
      .arg(qstring(advice->text).toHtmlEscaped(), qstring(advice->url),
           m_plan->session().currentTheme()->theme().control.accent.name(),
           qstring(advice->source).toHtmlEscaped());
}

}  // namespace stagelane::ui
