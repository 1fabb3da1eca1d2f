// The actions of the Runs page: each in the table's context menu, in the palette, and by a key.

#include <QAction>
#include <QDesktopServices>
#include <QFileDialog>
#include <QUrl>
#include <filesystem>
#include <vector>

#include "ui/kit/text/formatting.h"
#include "ui/runs/runs_page.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"

namespace stagelane::ui {

QAction* RunsPage::makeAction(const ActionSpec& spec, std::function<void()> act) {
  auto* action = new QAction(spec.text, this);
  action->setObjectName(spec.name);
  action->setShortcut(spec.keys);
  // Keys such as F are letters in the fields beside the table.
  action->setShortcutContext(Qt::WidgetShortcut);
  connect(action, &QAction::triggered, this, std::move(act));
  m_actions.append(action);
  m_byName.insert(spec.name, action);
  if (spec.needsRun) {
    m_ofRuns.append(action);
  }
  return action;
}

/// One report of all runs that are ticked, or selected where none is.
void RunsPage::reportOfTicked() {
  const QStringList folders =
      m_model.checked().isEmpty() ? m_table->selectedFolders() : m_model.checked();
  std::vector<std::filesystem::path> paths;
  for (const QString& folder : folders) paths.emplace_back(utf8(folder));
  if (paths.empty()) {
    m_session->pages().showHint(tr("Tick the runs that the report is about"));
    return;
  }
  m_session->results().setReportFolders(std::move(paths));
  m_session->pages().request(QStringLiteral("report"));
}

/// A line below the actions so far, where they stand in a menu.
void RunsPage::endGroup() {
  auto* line = new QAction(this);
  line->setSeparator(true);
  m_actions.append(line);
}

void RunsPage::buildActions() {
  buildOpening();
  endGroup();
  buildRunning();
  endGroup();
  buildLabelling();
  endGroup();
  buildTicked();
  endGroup();
  makeAction({QStringLiteral("trashRuns"), tr("Move to the trash"), QKeySequence::Delete},
             [this] { m_history.trash(chosen()); });
  makeAction({QStringLiteral("restoreTrashed"), tr("Bring back from the trash"), {}, false},
             [this] { restoreTrashed(); });
  endGroup();
  makeAction({QStringLiteral("importRun"), tr("Import run…"), {}, false}, [this] { import(); });
  makeAction({QStringLiteral("rebuildIndexAction"), tr("Rebuild the index of runs"), {}, false},
             [this] { m_history.rebuild(); });
  QAction* find = makeAction(
      {QStringLiteral("findRun"), tr("Search the runs"), QKeySequence::Find, false}, [this] {
        m_search->setFocus();
        m_search->selectAll();
      });
  find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(find);
}

void RunsPage::buildOpening() {
  makeAction({QStringLiteral("openInTimeline"), tr("Open in Timeline"), Qt::Key_Return},
             [this] { useCurrent(RunUse::Timeline); });
  makeAction({QStringLiteral("openInCharts"), tr("Open in Charts"), {}},
             [this] { useCurrent(RunUse::Charts); });
  makeAction({QStringLiteral("openInReport"), tr("Open in Report"), {}},
             [this] { useCurrent(RunUse::Report); });
  makeAction({QStringLiteral("openFolder"), tr("Open folder"), {}}, [this] { openFolder(); });
}

void RunsPage::buildRunning() {
  makeAction({QStringLiteral("rerun"), tr("Run again"), {}}, [this] { useCurrent(RunUse::Rerun); });
  QAction* resume = makeAction(
      {QStringLiteral("resumeFromHistory"), tr("Resume: measure what is missing"), Qt::Key_R},
      [this] { useCurrent(RunUse::Resume); });
  resume->setIconText(tr("Resume"));
  resume->setToolTip(tr("Measure what is missing, in the same run folder (R)"));
  makeAction({QStringLiteral("duplicateRun"), tr("Duplicate as new experiment"), Qt::Key_D},
             [this] { useCurrent(RunUse::Duplicate); });
  makeAction({QStringLiteral("showSweep"), tr("Show its sweep"), Qt::Key_S},
             [this] { showSweep(); });
}

void RunsPage::buildLabelling() {
  makeAction({QStringLiteral("favouriteRun"), tr("Favourite on or off"), Qt::Key_F}, [this] {
    for (const QString& folder : chosen()) {
      toggleFavourite(folder);
    }
  });
  makeAction({QStringLiteral("editTags"), tr("Edit the tags"), Qt::Key_T},
             [this] { m_details->editTags(); });
  makeAction({QStringLiteral("editNote"), tr("Edit the note"), Qt::Key_N},
             [this] { m_details->editNote(); });
}

void RunsPage::buildTicked() {
  makeAction({QStringLiteral("compareRuns"), tr("Compare"), Qt::Key_C, false}, [this] {
    if (m_model.checked().size() < 2) {
      for (const QString& folder : m_table->selectedFolders()) {
        m_model.setChecked(folder, true);
      }
    }
    m_comparing = m_model.checked().size() > 1;
    refreshCompare();
  });
  makeAction({QStringLiteral("reportOfTicked"), tr("Report of the ticked runs"), {}, false},
             [this] { reportOfTicked(); });
  makeAction({QStringLiteral("untickRuns"), tr("Untick all runs"), Qt::Key_Escape, false},
             [this] { m_model.clearChecked(); });
}

void RunsPage::openFolder() {
  const QString folder = m_table->currentFolder();
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder))) {
    m_session->pages().showHint(tr("No file manager took %1").arg(folder));
  }
}

void RunsPage::import() {
  const QString folder =
      QFileDialog::getExistingDirectory(this, tr("Import a run folder"), QString());
  if (!folder.isEmpty()) {
    m_history.import(folder);
  }
}

}  // namespace stagelane::ui
