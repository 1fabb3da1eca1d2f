#include "ui/runs/runs_work_bar.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {

RunsWorkBar::RunsWorkBar(QWidget* parent)
    : QWidget(parent),
      m_text(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_stop(new QPushButton(tr("Stop"), this)) {
  setNames(this, u"runsWork"_s, tr("History task"));
  setLook(this, u"panel2"_s);
  m_text->setObjectName(u"runsWorkText"_s);
  setNames(m_progress, u"runsWorkProgress"_s, tr("Task progress"));
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(160);
  setNames(m_stop, u"runsWorkStop"_s, tr("Stop reading"));
  connect(m_stop, &QPushButton::clicked, this, &RunsWorkBar::stopWanted);
  rowLayout(this, {.margins = {measure::kPanelPadding, 4, measure::kPanelPadding, 4}},
            {m_text, m_progress, m_stop, Stretch{1}});
  hide();
}

void RunsWorkBar::show(const std::optional<HistoryWork>& work) {
  setVisible(work.has_value());
  if (!work) return;
  m_text->setText(
      work->of > 0
          ? tr("%1: %2 of %3%4").arg(work->what).arg(work->done).arg(work->of).arg(work->unit)
          : work->what);
  m_progress->setRange(0, work->of);
  m_progress->setValue(work->done);
  m_stop->setVisible(work->canStop);
}

}  // namespace stagelane::ui
