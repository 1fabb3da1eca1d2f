#include "ui/timeline/loading_card.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/run/loading_text.h"

namespace stagelane::ui {
namespace {

constexpr int kLoadingWidth = 420;

}  // namespace

LoadingCard::LoadingCard(QWidget* parent)
    : QWidget(parent),
      m_text(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_stop(new QPushButton(tr("Cancel"), this)) {
  setNames(this, u"loadingCard"_s, tr("Loading status"));
  setLook(this, u"panel"_s);
  setNames(m_text, u"traceLoading"_s, tr("Loading status"));
  m_text->setMinimumWidth(kLoadingWidth);
  m_text->setAlignment(Qt::AlignCenter);
  setNames(m_bar, u"traceProgress"_s, tr("Loading progress"));
  m_bar->setFixedWidth(360);
  m_bar->setTextVisible(false);
  setNames(m_stop, u"cancelLoading"_s, tr("Stop reading the trace"));
  m_stop->setToolTip(tr("Stop reading and restore the previous view (Esc)"));
  columnLayout(this, {.margins = {16, 16, 16, 16}, .spacing = 10},
               {m_text, {m_bar, 0, Qt::AlignCenter}, {m_stop, 0, Qt::AlignCenter}});
  connect(m_stop, &QPushButton::clicked, this, &LoadingCard::stopWanted);
}

void LoadingCard::showReading(const TraceLoading& loading) {
  const bool known = loading.totalBytes > 0;
  if (!m_sinceReading.isValid()) m_sinceReading.start();
  m_text->setText(loadingText(loading, static_cast<double>(m_sinceReading.elapsed()) / 1e3));
  m_bar->setRange(0, known ? 1000 : 0);
  if (known) m_bar->setValue(static_cast<int>(loading.doneBytes * 1000 / loading.totalBytes));
}

void LoadingCard::showWork(const QString& what) {
  m_text->setText(what);
  m_bar->setRange(0, 0);
}

void LoadingCard::setCanStop(bool canStop) { m_stop->setVisible(canStop); }

}  // namespace stagelane::ui
