#include "ui/plan/variants/variant_settings.h"

#include <QActionGroup>

#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_json.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/session.h"

namespace stagelane::ui {
VariantSettings::VariantSettings(PlanModel* plan, QWidget* parent)
    : QToolButton(parent), m_plan(plan) {
  setNames(this, u"planSettings"_s, tr("Placement, recompute and chunks"));
  setToolTip(
      tr("Placement mode, recomputation, and stages per device of this variant"
         ""));
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::StrongFocus);
  setLook(this, u"flat"_s);
  build();
  connect(menu(), &QMenu::aboutToShow, this, &VariantSettings::markRefusals);
  connect(plan->session().currentTheme(), &CurrentTheme::changed, this,
          &VariantSettings::refreshIcon);
  refreshIcon();
}

void VariantSettings::build() {
  auto* menu = new QMenu(this);
  setNames(menu, u"planSettingsMenu"_s, tr("Variant settings"));
  menu->setToolTipsVisible(true);
  QActionGroup* group = nullptr;
  for (const VariantChoice& choice : allVariantChoices()) {
    if (group == nullptr || choice.member != m_items.back().choice.member) {
      if (group != nullptr) menu->addSeparator();
      group = new QActionGroup(this);
    }
    auto* action = new QAction(choice.step(), group);
    action->setObjectName(choice.name());
    action->setCheckable(true);
    menu->addAction(action);
    m_items.push_back({choice, action});
    connect(action, &QAction::triggered, this, [this, choice] { choose(choice); });
  }
  setMenu(menu);
}

QList<QAction*> VariantSettings::choices() const {
  QList<QAction*> actions;
  for (const Item& item : m_items) actions.append(item.action);
  return actions;
}

void VariantSettings::setWide(bool wide) {
  setToolButtonStyle(wide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

void VariantSettings::refresh() {
  const ExperimentDocument& document = m_plan->session().document();
  const VariantTab* tab = document.tab(m_plan->session().selection().tabId());
  for (const Item& item : m_items) {
    const bool shown = tab != nullptr && offered(document.json(), tab->index, item.choice);
    item.action->setVisible(shown);
    item.action->setEnabled(shown && m_plan->ready());
    item.action->setIcon(QIcon());
    item.action->setToolTip(item.choice.tip);
    item.action->setChecked(shown && currentWord(document.json(), tab->index, item.choice.member) ==
                                         qstring(item.choice.word));
  }
  const QString placement =
      tab == nullptr || !m_items.front().action->isVisible()
          ? QString()
          : currentWord(document.json(), tab->index, VariantMember::Placement);
  const auto reference = referenceIn(utf8(placement));
  setText(
      placement.isEmpty()
          ? tr("More")
          : tr("Placement: %1").arg(reference ? tr("as %1").arg(qstring(*reference)) : placement));
}

/// Marks choices that are not available for this plan. Checking is slow, so it is done when the
/// menu opens.
void VariantSettings::markRefusals() {
  const ExperimentDocument& document = m_plan->session().document();
  const VariantTab* tab = document.tab(m_plan->session().selection().tabId());
  if (tab == nullptr || !m_plan->ready()) return;
  for (const Item& item : m_items) {
    if (item.action->isVisible() && !item.action->isChecked()) {
      const Json changed = changedBy(item.choice, tab->index);
      const auto lock = document.lockRefusal(changed);
      const QString refusal =
          lock.value_or(refusalOf(changed, tab->index, utf8(document.baseFolder())));
      item.action->setEnabled(!lock);
      item.action->setIcon(
          refusal.isEmpty()
              ? QIcon()
              : ui::icon(u"warn"_s, m_plan->session().currentTheme()->theme().control.error));
      item.action->setToolTip(
          refusal.isEmpty() ? item.choice.tip : tr("Not available for this plan: %1").arg(refusal));
    }
  }
}

void VariantSettings::refreshIcon() {
  setIcon(ui::icon(u"down"_s, m_plan->session().currentTheme()->theme().control.muted));
}

Json VariantSettings::changedBy(const VariantChoice& choice, std::size_t index) const {
  return withDeviceNumbers(withChoice(m_plan->session().document().json(), index, choice,
                                      m_plan->model(), m_plan->shape()),
                           index, m_plan->devices());
}

void VariantSettings::choose(const VariantChoice& choice) {
  ExperimentDocument& document = m_plan->session().document();
  const VariantTab* tab = document.tab(m_plan->session().selection().tabId());
  if (tab == nullptr || !m_plan->ready()) return;
  document.apply(choice.step(), changedBy(choice, tab->index));
  refresh();
}

}  // namespace stagelane::ui
