#include "ui/runs/runs_toolbar.h"

#include <QAction>
#include <QButtonGroup>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <utility>

#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/menu_place.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

RunsToolbar::RunsToolbar(const Actions& actions, QWidget* parent) : QWidget(parent) {
  setLook(this, u"toolbar"_s);
  setFixedHeight(measure::kToolbarHeight);
  buildSearch();
  buildButtons(actions);
  auto* layout = rowLayout(this, kToolbarRoom, {{m_search, 1}, buildKinds(), Stretch{1}, m_ticked});
  for (QToolButton* button : m_buttons) layout->addWidget(button);
  layout->addWidget(m_more);
}

void RunsToolbar::buildSearch() {
  m_search = new QLineEdit(this);
  setNames(m_search, u"runsSearch"_s, tr("Search the runs"));
  m_search->setPlaceholderText(tr("experiment, device, variant, note, tag:… since:2026-11-19"));
  m_search->setToolTip(
      tr("Words that must all match; also tag:T, status:failed, model:M, device:D, since:DAY, "
         "until:DAY, is:favorite, is:noisy, and a minus to exclude a word (Ctrl+F)"));
  m_search->setClearButtonEnabled(true);
  m_search->setMinimumWidth(120);
  m_search->setMaximumWidth(420);
}

void RunsToolbar::addButton(QAction* action, const QString& name) {
  auto* made = new QToolButton(this);
  made->setDefaultAction(action);
  made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setNames(made, name, action->text());
  m_buttons.append(made);
}

void RunsToolbar::buildButtons(const Actions& actions) {
  m_ticked = mutedLabel({}, this);
  m_ticked->setObjectName(u"runsSelected"_s);
  addButton(actions.compare, u"compare"_s);
  addButton(actions.openFolder, u"openRunFolder"_s);
  addButton(actions.import, u"import"_s);
  m_more = new QToolButton(this);
  setNames(m_more, u"runsMore"_s, tr("More actions on runs"));
  m_more->setToolTip(tr("More actions on the selected runs"));
  m_more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(m_more);
  menu->addActions(actions.all);
  m_more->setMenu(menu);
  keepInWindow(menu, m_more);
}

QWidget* RunsToolbar::buildKinds() {
  auto* box = new QWidget(this);
  auto* row = rowLayout(box, kNoRoom);
  m_kinds = new QButtonGroup(this);
  for (int kind = 0; kind < static_cast<int>(kRunKinds); ++kind) {
    auto* button = new QToolButton(box);
    const QString word = runKindText(static_cast<RunKind>(kind));
    setNames(button, u"runs.kind."_s + word.toLower(), tr("Show runs: %1").arg(word));
    button->setToolTip(tr("Show only runs of this status: %1").arg(word.toLower()));
    button->setProperty("edge", kind == 0                                 ? u"first"_s
                                : kind + 1 == static_cast<int>(kRunKinds) ? u"last"_s
                                                                          : QString());
    setLook(button, u"segment"_s);
    button->setCheckable(true);
    button->setChecked(kind == 0);
    m_kinds->addButton(button, kind);
    m_kindActions.append(new ControlAction(tr("Show runs: %1").arg(word), button, this));
    row->addWidget(button);
  }
  connect(m_kinds, &QButtonGroup::idClicked, this,
          [this](int kind) { Q_EMIT kindChosen(static_cast<RunKind>(kind)); });
  return box;
}

void RunsToolbar::setCounts(const std::array<int, kRunKinds>& counts) {
  for (int kind = 0; kind < static_cast<int>(kRunKinds); ++kind) {
    m_kinds->button(kind)->setText(u"%1 %2"_s.arg(runKindText(static_cast<RunKind>(kind)))
                                       .arg(counts[static_cast<std::size_t>(kind)]));
  }
}

void RunsToolbar::setTicked(qsizetype ticked) {
  m_ticked->setText(ticked > 0 ? tr("%1 checked").arg(ticked) : QString());
}

void RunsToolbar::setIcons(const ControlColors& colors) {
  m_more->setIcon(icon(u"dots"_s, colors.text, colors.faint));
}

void RunsToolbar::setRoomy(bool roomy) {
  for (QToolButton* button : std::as_const(m_buttons)) {
    button->setToolButtonStyle(roomy ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
  }
}

void RunsToolbar::showAll() {
  m_search->clear();
  m_kinds->button(static_cast<int>(RunKind::All))->click();
}

}  // namespace stagelane::ui
