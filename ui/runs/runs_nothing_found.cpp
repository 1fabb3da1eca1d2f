#include "ui/runs/runs_nothing_found.h"

#include <QLabel>
#include <QTableView>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"

namespace stagelane::ui {

RunsNothingFound::RunsNothingFound(QTableView* table)
    : QWidget(table),
      m_text(mutedLabel({}, this)),
      m_all(new QPushButton(tr("Show all runs"), this)) {
  m_text->setObjectName(QStringLiteral("nothingFound"));
  m_text->setAlignment(Qt::AlignCenter);
  setNames(m_all, QStringLiteral("showAllRuns"), tr("Show all runs"));
  m_all->setToolTip(tr("Empties the search and shows runs of every state"));
  columnLayout(this, {},
               {Stretch{1}, {m_text, 0, Qt::AlignCenter}, {m_all, 0, Qt::AlignCenter}, Stretch{1}});
  hide();
  columnLayout(table->viewport(), {}, {this});
}

void RunsNothingFound::setText(const QString& text) { m_text->setText(text); }

}  // namespace stagelane::ui
