#include "ui/runs/runs_panels.h"

#include <QEvent>
#include <QHeaderView>
#include <algorithm>

#include "ui/kit/current_theme.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kCompareWidth = 410;

}  // namespace

RunsPanels::RunsPanels(RunTableModel* model, Session* session, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent),
      m_table(new RunsTable(model, session->currentTheme(), parent)),
      m_details(new RunsDetails(session, parent)),
      m_compare(new RunsCompare(session, parent)),
      m_down(new QSplitter(Qt::Vertical, parent)) {
  setNames(this, u"runsAcross"_s, tr("Runs and comparison"));
  setChildrenCollapsible(false);
  setHandleWidth(1);
  setNames(m_down, u"runsDown"_s, tr("Runs and details"));
  m_down->setChildrenCollapsible(false);
  m_down->addWidget(m_table);
  m_down->addWidget(m_details);
  m_down->setSizes({520, 260});
  m_down->setProperty(kFitted, true);
  m_down->installEventFilter(this);
  connect(m_down, &QSplitter::splitterMoved, this, [this] { m_down->setProperty(kFitted, false); });
  m_table->setMinimumHeight(120);
  m_details->setMinimumHeight(150);
  m_compare->setMinimumWidth(kCompareWidth);
  m_compare->hide();
  addWidget(m_down);
  addWidget(m_compare);
  setStretchFactor(0, 1);
  // The details grow with a run that needs more height, but do not shrink for the next one. Queued,
  // because the missing height is known only after the layout.
  connect(
      m_details, &RunsDetails::roomChanged, this, [this] { divideHeight(m_details->height()); },
      Qt::QueuedConnection);
  connect(m_details, &RunsDetails::editingDone, m_table, qOverload<>(&QWidget::setFocus));
}

void RunsPanels::placeFor(int pageWidth) {
  const bool room = pageWidth >= kRoomForBoth || m_compare->isHidden();
  m_details->setVisible(room && !m_table->currentFolder().isEmpty());
}

/// Gives the table its full height, but at most half if the details need the rest. Details that
/// need less than `factsHeight` get that much of the remaining height. A border moved by the user
/// stays.
void RunsPanels::divideHeight(int factsHeight) {
  // The handle's height is not available to the rows.
  const int room = m_down->height() - m_down->handle(1)->height();
  if (room <= 0 || m_details->isHidden() || !m_down->property(kFitted).toBool()) return;
  const int rows = m_table->model()->rowCount() * m_table->verticalHeader()->defaultSectionSize();
  const int whole = m_table->height() - m_table->viewport()->height() + rows;
  const int facts = std::max(factsHeight, m_details->height() + m_details->missingHeight());
  const int list = std::max(std::min(whole, room / 2), room - facts);
  m_down->setSizes({list, room - list});
}

bool RunsPanels::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_down && event->type() == QEvent::Resize) {
    // Queued until the layout is done.
    QMetaObject::invokeMethod(
        this, [this] { divideHeight(m_down->height() / 3); }, Qt::QueuedConnection);
  }
  return QSplitter::eventFilter(watched, event);
}

}  // namespace stagelane::ui
