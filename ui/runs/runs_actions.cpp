#include "ui/runs/runs_actions.h"

#include <utility>

#include "ui/kit/icons.h"

namespace stagelane::ui {

RunsActions::RunsActions(QWidget* page) : QObject(page) {
  addOpening();
  endGroup();
  addRunning();
  endGroup();
  addLabeling();
  endGroup();
  addTicked();
  endGroup();
  addKeeping();
  QAction* find =
      addCommand({"findRun", tr("Search the runs"), QKeySequence::Find, false}, RunsCommand::Find);
  find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  page->addAction(find);
}

QAction* RunsActions::named(const char* name) const {
  return m_byName.value(QString::fromLatin1(name));
}

QAction* RunsActions::add(const Spec& spec) {
  auto* action = new QAction(spec.text, this);
  action->setObjectName(QString::fromLatin1(spec.name));
  action->setShortcut(spec.keys);
  // Elsewhere, keys such as F are typed into the fields beside the table.
  action->setShortcutContext(Qt::WidgetShortcut);
  m_all.append(action);
  m_byName.insert(action->objectName(), action);
  if (spec.needsRun) m_ofRuns.append(action);
  return action;
}

QAction* RunsActions::addUse(const Spec& spec, RunUse use) {
  QAction* action = add(spec);
  connect(action, &QAction::triggered, this, [this, use] { Q_EMIT useWanted(use); });
  return action;
}

QAction* RunsActions::addCommand(const Spec& spec, RunsCommand command) {
  QAction* action = add(spec);
  connect(action, &QAction::triggered, this, [this, command] { Q_EMIT wanted(command); });
  return action;
}

/// Adds a separator after the actions so far.
void RunsActions::endGroup() {
  auto* line = new QAction(this);
  line->setSeparator(true);
  m_all.append(line);
}

void RunsActions::addOpening() {
  addUse({"openInTimeline", tr("Open in Timeline"), Qt::Key_Return}, RunUse::Timeline);
  addUse({"openInCharts", tr("Open in Charts")}, RunUse::Charts);
  addUse({"openInReport", tr("Open in Report")}, RunUse::Report);
  addCommand({"openFolder", tr("Open folder")}, RunsCommand::OpenFolder);
}

void RunsActions::addRunning() {
  addUse({"rerun", tr("Run again")}, RunUse::Rerun);
  QAction* resume = addUse({"resumeFromHistory", tr("Resume: measure missing repeats"), Qt::Key_R},
                           RunUse::Resume);
  resume->setIconText(tr("Resume"));
  resume->setToolTip(tr("Measure missing repeats in the same run folder (R)"));
  addUse({"duplicateRun", tr("Duplicate as new experiment"), Qt::Key_D}, RunUse::Duplicate);
  addCommand({"showSweep", tr("Show sweep"), Qt::Key_S}, RunsCommand::ShowSweep);
}

void RunsActions::addLabeling() {
  addCommand({"favouriteRun", tr("Toggle favorite"), Qt::Key_F}, RunsCommand::ToggleFavourite);
  addCommand({"editTags", tr("Edit tags"), Qt::Key_T}, RunsCommand::EditTags);
  addCommand({"editNote", tr("Edit note"), Qt::Key_N}, RunsCommand::EditNote);
}

void RunsActions::addTicked() {
  addCommand({"compareRuns", tr("Compare"), Qt::Key_C, false}, RunsCommand::Compare);
  addCommand({"reportOfTicked", tr("Report of checked runs"), {}, false}, RunsCommand::Report);
  addCommand({"untickRuns", tr("Uncheck all runs"), Qt::Key_Escape, false}, RunsCommand::Untick);
}

void RunsActions::addKeeping() {
  addCommand({"trashRuns", tr("Move to trash"), QKeySequence::Delete}, RunsCommand::Trash);
  addCommand({"restoreTrashed", tr("Restore from trash"), {}, false}, RunsCommand::Restore);
  endGroup();
  addCommand({"importRun", tr("Import run…"), {}, false}, RunsCommand::Import);
  addCommand({"rebuildIndexAction", tr("Rebuild index of runs"), {}, false},
             RunsCommand::RebuildIndex);
}

void RunsActions::setState(const State& state) {
  for (QAction* action : std::as_const(m_ofRuns)) action->setEnabled(state.someChosen);
  const bool canRun = state.someChosen && state.idle && state.engineProblem.isEmpty();
  QAction* rerun = named("rerun");
  rerun->setEnabled(canRun);
  rerun->setToolTip(state.engineProblem.isEmpty()
                        ? tr("Run the same experiment again in a new run folder")
                        : state.engineProblem);
  setResume(state);
  QAction* sweep = named("showSweep");
  sweep->setEnabled(state.swept && state.idle);
  sweep->setToolTip(state.swept ? tr("Show the curve and the points of this run's sweep")
                                : tr("This run is not part of a sweep"));
  QAction* compare = named("compareRuns");
  compare->setEnabled(state.comparable);
  compare->setToolTip(tr("Check or select two or more runs to compare them"));
  named("restoreTrashed")->setEnabled(state.restorable);
}

/// A run that continues on a host is taken up with the same action and key.
void RunsActions::setResume(const State& state) {
  QAction* resume = named("resumeFromHistory");
  const bool left = !state.leftOn.isEmpty();
  const bool engine = left || state.engineProblem.isEmpty();
  resume->setEnabled(state.someChosen && state.idle && engine && (state.ended || left));
  resume->setText(left ? tr("Take up: follow the run on %1").arg(state.leftOn)
                       : tr("Resume: measure missing repeats"));
  resume->setIconText(left ? tr("Take up") : tr("Resume"));
  resume->setToolTip(left
                         ? tr("Follow the run on %1 again and copy its files (R)").arg(state.leftOn)
                         : tr("Measure missing repeats in the same run folder (R)"));
}

void RunsActions::setIcons(const ControlColors& colors) {
  const auto set = [&](const char* action, const char* name) {
    named(action)->setIcon(icon(QString::fromLatin1(name), colors.text, colors.faint));
  };
  set("compareRuns", "compare");
  set("openFolder", "folder");
  set("importRun", "dl");
}

}  // namespace stagelane::ui
