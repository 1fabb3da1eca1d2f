#include "ui/runs/history_banners.h"

#include <QBoxLayout>
#include <QFileInfo>

#include "ui/kit/text/formatting.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

const QString kRestore = u"restoreRuns"_s;

}  // namespace

HistoryBanners::HistoryBanners(Session* session, RunHistory* history, QWidget* page)
    : QObject(page),
      m_session(session),
      m_history(history),
      m_banner(new Banner(session->currentTheme(), u"banner.history"_s, page)),
      m_unkept(new Banner(session->currentTheme(), u"banner.index"_s, page)) {
  connect(history, &RunHistory::failed, this, [this](const QString& problem) {
    m_banner->show(Tone::Error, tr("Action failed"), problem, {dismissing()});
  });
  connect(history, &RunHistory::trashed, this, &HistoryBanners::offerRestore);
}

void HistoryBanners::addTo(QBoxLayout* layout) {
  layout->addWidget(m_banner);
  layout->addWidget(m_unkept);
}

BannerButton HistoryBanners::dismissing() {
  return {u"dismissHistory"_s, tr("Dismiss"), [this] { m_banner->clear(); }};
}

void HistoryBanners::refresh() {
  const RunListPtr runs = m_history->runs();
  const std::optional<Error>& error = m_history->error();
  if (runs && !runs->empty() && error) {
    m_banner->show(
        Tone::Error, tr("Cannot reload the run history"), errorText(*error),
        {{u"rebuildIndex"_s, tr("Rebuild the index"), [this] { m_history->rebuild(); }}});
  }
  // Without a saved index the runs are still available.
  const std::optional<Error>& unkept = m_history->unkept();
  if (unkept && !error) {
    m_unkept->show(Tone::Warning,
                   tr("The index of runs cannot be saved; the folders are read each time"),
                   sentenceText(*unkept),
                   {{u"keepIndex"_s, tr("Try again"), [this] { m_history->reload(); }}});
  } else {
    m_unkept->clear();
  }
}

void HistoryBanners::offerRestore() {
  // A deleted run cannot be resumed.
  if (m_session->results().result() &&
      !QFileInfo::exists(qstring(m_session->results().folder().string()))) {
    m_session->runState().dismissEnd();
  }
  const int count = m_history->restorable();
  if (count == 0) {
    m_banner->clear();
    return;
  }
  m_banner->show(
      Tone::Neutral, tr("%1 moved to the trash").arg(countedText(count, tr("run"), tr("runs"))), {},
      {{kRestore, tr("Undo"), [this] { restore(); }, tr("Restore them from the trash (Ctrl+Z)")},
       dismissing()});
}

bool HistoryBanners::undo() {
  QPushButton* offered = m_banner->button(kRestore);
  if (offered != nullptr) offered->click();
  return offered != nullptr;
}

void HistoryBanners::restore() {
  m_history->restore();
  offerRestore();
}

}  // namespace stagelane::ui
