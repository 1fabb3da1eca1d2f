#include "ui/runs/runs_nothing_found.h"

#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/kit/look.h"

namespace stagelane::ui {

RunsNothingFound::RunsNothingFound(QTableView* table)
    : QWidget(table),
      m_text(mutedLabel({}, this)),
      m_all(new QPushButton(tr("Show all runs"), this)) {
  m_text->setObjectName(QStringLiteral("nothingFound"));
  m_text->setAlignment(Qt::AlignCenter);
  setNames(m_all, QStringLiteral("showAllRuns"), tr("Show all runs"));
  m_all->setToolTip(tr("Clear the search and show runs of every status"));
  auto* column = new QVBoxLayout(this);
  column->addStretch(1);
  column->addWidget(m_text, 0, Qt::AlignCenter);
  column->addWidget(m_all, 0, Qt::AlignCenter);
  column->addStretch(1);
  hide();
  auto* overlay = new QVBoxLayout(table->viewport());
  overlay->addWidget(this);
}

void RunsNothingFound::setText(const QString& text) { m_text->setText(text); }

}  // namespace stagelane::ui
