#include "ui/frame/rank_panel.h"

#include <QHeaderView>
#include <algorithm>
#include <array>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/virtual_controls.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kMostRows = 8;  ///< more are scrolled

struct ColumnWidth {
  RankTableModel::Column column;
  int width;
};
/// Devices get the rest.
constexpr std::array kWidths{
    ColumnWidth{RankTableModel::Rank, 48},       ColumnWidth{RankTableModel::Host, 130},
    ColumnWidth{RankTableModel::State, 90},      ColumnWidth{RankTableModel::Repeat, 120},
    ColumnWidth{RankTableModel::Action, 250},    ColumnWidth{RankTableModel::LastSeen, 90},
    ColumnWidth{RankTableModel::ClockError, 110}};

/// The table; its rows are in the UI map.
class RankTable final : public QTableView, public VirtualControlSource {
 public:
  using QTableView::QTableView;

  /// `rank.NUMBER` for each visible row: its state, and the other columns.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override {
    QList<VirtualControl> controls;
    for (int row = 0; row < model()->rowCount(); ++row) {
      const auto text = [this, row](int column) {
        return model()->index(row, column).data().toString();
      };
      const QRect place = visualRect(model()->index(row, RankTableModel::Rank));
      if (!place.intersects(viewport()->rect())) continue;
      const QStringList values{text(RankTableModel::Host),     text(RankTableModel::Devices),
                               text(RankTableModel::Repeat),   text(RankTableModel::Action),
                               text(RankTableModel::LastSeen), text(RankTableModel::ClockError)};
      controls.append({u"rank."_s + text(RankTableModel::Rank), u"row"_s,
                       text(RankTableModel::State), values.join(u"; "_s),
                       place.translated(viewport()->pos()), true});
    }
    return controls;
  }
};

}  // namespace

RankPanel::RankPanel(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_model(new RankTableModel(this)),
      m_table(new RankTable(this)),
      m_toggle(new QAction(tr("Ranks"), this)) {
  setNames(this, u"rankPanel"_s, tr("Ranks of the run"));
  setLook(this, u"panel"_s);
  setNames(m_table, u"rankTable"_s, tr("Ranks of the run"));
  m_table->setModel(m_model);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->setShowGrid(false);
  m_table->setSelectionMode(QAbstractItemView::NoSelection);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(measure::kToolButtonHeight);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_table->horizontalHeader()->setSectionResizeMode(RankTableModel::Devices, QHeaderView::Stretch);
  for (const ColumnWidth& rule : kWidths) m_table->setColumnWidth(rule.column, rule.width);
  columnLayout(this, {.margins = {measure::kPanelPadding, 0, measure::kPanelPadding, 4}},
               {m_table});
  m_toggle->setObjectName(u"ranksAction"_s);
  m_toggle->setCheckable(true);
  connect(m_toggle, &QAction::toggled, this, &RankPanel::refresh);
  connect(&session->runState(), &RunState::ranksChanged, this, &RankPanel::refresh);
  connect(&session->runState(), &RunState::phaseChanged, this, &RankPanel::refresh);
  connect(&session->runState(), &RunState::progressChanged, this, [this] {
    const RunProgress& progress = m_session->runState().progress();
    m_model->setTurn({progress.variantId, progress.of});
  });
  connect(&session->results(), &MeasuredResults::changed, this, &RankPanel::refresh);
  refresh();
}

void RankPanel::refresh() {
  const RunResultPtr run = m_session->results().result();
  const bool runs = m_session->runState().phase() != RunPhase::Idle;
  m_model->setRanks(runs  ? m_session->runState().ranks()
                    : run ? ranksOf(*run)
                          : std::vector<RunRank>());
  const int count = m_model->rowCount();
  const bool several = count > 1;
  m_toggle->setText(several ? countedText(count, tr("rank"), tr("ranks")) : tr("Ranks"));
  m_toggle->setToolTip(
      tr("Show or hide the processes of the run: host, devices, state, and clock error"));
  m_toggle->setVisible(several);
  m_toggle->setEnabled(several);
  setVisible(several && m_toggle->isChecked());
  fitHeight();
}

void RankPanel::fitHeight() {
  const int rows = std::min(m_model->rowCount(), kMostRows);
  m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                          rows * m_table->verticalHeader()->defaultSectionSize());
}

}  // namespace stagelane::ui
