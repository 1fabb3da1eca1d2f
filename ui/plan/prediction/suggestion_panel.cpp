#include "ui/plan/prediction/suggestion_panel.h"

#include <QAction>
#include <QFrame>

#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
SuggestionPanel::SuggestionPanel(PlanModel* plan, QWidget* parent)
    : QWidget(parent),
      m_plan(plan),
      m_layout(columnLayout(this, {.margins = {0, 0, 0, 0}, .spacing = 6})),
      m_state(mutedLabel({}, this)),
      m_curve(new SplitCurve(plan->session().currentTheme(), this)) {
  setNames(m_state, u"suggestionState"_s, tr("Status of the suggestions"));
  m_state->setWordWrap(true);
  m_layout->addWidget(m_state);
  addCard(SuggestionKind::Everything, u"Everything"_s, tr("Apply the suggested plan"));
  addCard(SuggestionKind::Split, u"Split"_s, tr("Apply the suggested split size"));
  m_layout->addWidget(m_curve);
  addCard(SuggestionKind::Schedule, u"Schedule"_s, tr("Apply the suggested schedule"));
  addCard(SuggestionKind::Placement, u"Placement"_s, tr("Apply the suggested placement"));
  connect(m_curve, &SplitCurve::splitChosen, this, [this](std::int64_t size) {
    PlanSuggestion chosen;
    if (const plan::Variant* variant = m_plan->session().selection().variant()) {
      chosen.kind = SuggestionKind::Split;
      chosen.splitSize = size;
      chosen.schedule = variant->schedule;
      m_plan->moves().applySuggestion(chosen);
    }
  });
  connect(&plan->suggestions(), &SuggestionRunner::changed, this, &SuggestionPanel::refresh);
  connect(&plan->session().document(), &ExperimentDocument::locksChanged, this,
          &SuggestionPanel::refresh);
  connect(&plan->session().runState(), &RunState::phaseChanged, this, &SuggestionPanel::refresh);
  connect(plan->session().currentTheme(), &CurrentTheme::changed, m_curve,
          [this] { m_curve->update(); });
  refresh();
}

void SuggestionPanel::addCard(SuggestionKind kind, const QString& name, const QString& actionText) {
  Card card;
  card.kind = kind;
  card.box = new QFrame(this);
  setLook(card.box, u"card"_s);
  card.title = new QLabel(card.box);
  card.title->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  card.gain = new QLabel(card.box);
  setLook(card.gain, u"success"_s);
  card.text = mutedLabel({}, card.box);
  card.text->setWordWrap(true);
  card.text->setFont(fontOf(TextSize::Caption));
  card.apply = new QPushButton(tr("Apply"), card.box);
  setNames(card.apply, u"apply"_s + name, actionText);
  setLook(card.apply, u"link"_s);
  card.apply->setCursor(Qt::PointingHandCursor);
  columnLayout(card.box, {.margins = {8, 5, 8, 5}, .spacing = 1},
               {rowLayout({}, {{card.title, 1}, card.gain}),
                rowLayout({}, {{card.text, 1}, {card.apply, 0, Qt::AlignBottom}})});
  m_layout->addWidget(card.box);
  setNames(card.title, u"suggested"_s + name, actionText);
  setNames(card.text, u"suggested%1Text"_s.arg(name), tr("Why: %1").arg(actionText));
  card.action = new QAction(actionText, this);
  card.action->setObjectName(u"apply%1Action"_s.arg(name));
  m_actions.append(card.action);
  connect(card.action, &QAction::triggered, this, [this, kind] { apply(kind); });
  connect(card.apply, &QPushButton::clicked, card.action, &QAction::trigger);
  m_cards.push_back(card);
}

QWidget& SuggestionPanel::curve() const { return *m_curve; }

void SuggestionPanel::refresh() {
  const PlanSuggestionsPtr found = m_plan->suggestions().found();
  const plan::Variant* variant = m_plan->session().selection().variant();
  const bool measuring = m_plan->session().runState().measuring();
  const bool running = m_plan->session().runState().phase() != RunPhase::Idle;
  const bool stale = m_plan->suggestions().stale();
  m_state->setText(found && !(stale && measuring) ? QString()
                   : measuring ? (running ? tr("After the run") : tr("After the calibration"))
                   : m_plan->suggestions().running() ? tr("Searching for better plans…")
                                                     : tr("No suggestions for this plan"));
  m_state->setVisible(!m_state->text().isEmpty());
  m_curve->show(found, variant != nullptr ? variant->splitSize : 0);
  m_curve->setEnabled(!stale);
  for (Card& card : m_cards) refreshCard(card, found.get());
}

void SuggestionPanel::refreshCard(Card& card, const PlanSuggestions* found) {
  const PlanSuggestion* suggestion = found != nullptr ? found->of(card.kind) : nullptr;
  card.box->setVisible(suggestion != nullptr);
  card.action->setEnabled(false);
  const auto refusal =
      suggestion != nullptr ? m_plan->locks().refusalOf(*suggestion) : std::nullopt;
  card.apply->setToolTip(refusal.value_or(tr("Change the plan to this (Ctrl+Z undoes it)")));
  if (suggestion == nullptr) return;
  const bool better = found->worthAnEdit(*suggestion);
  // A suggestion for the previous plan stays readable but cannot be applied.
  const bool stale = m_plan->suggestions().stale();
  card.box->setEnabled(!stale);
  card.action->setEnabled(better && !stale && !refusal);
  card.apply->setEnabled(!refusal);
  card.apply->setVisible(better);
  card.title->setFont(fontOf(TextSize::Body, better ? TextWeight::Bold : TextWeight::Regular));
  card.gain->setVisible(better);
  card.gain->setText(found->fixes(*suggestion)
                         ? tr("fits")
                         : approximately(found->basis) + timeText(suggestion->stepNs) + u", "_s +
                               percentDifferenceText(-found->gain(*suggestion)));
  if (better) {
    card.title->setText(suggestionTitle(*suggestion));
    showText(card, refusal.value_or(suggestionText(*suggestion)));
    return;
  }
  switch (card.kind) {
    case SuggestionKind::Split:
      card.title->setText(
          tr("Split size %1: best of %2").arg(found->ownSplit).arg(found->splits.size()));
      break;
    case SuggestionKind::Schedule: card.title->setText(tr("No better schedule found")); break;
    case SuggestionKind::Placement: card.title->setText(ownPlacementTitle(*suggestion)); break;
    case SuggestionKind::Everything: card.title->setText(tr("No better pipeline found")); break;
  }
  showText(card, card.kind == SuggestionKind::Everything ? QString() : suggestionText(*suggestion));
}

void SuggestionPanel::showText(const Card& card, const QString& text) {
  card.text->setText(text);
  card.text->setVisible(!text.isEmpty() || card.apply->isVisibleTo(card.box));
}

void SuggestionPanel::apply(SuggestionKind kind) {
  const PlanSuggestionsPtr found = m_plan->suggestions().found();
  const PlanSuggestion* suggestion = found ? found->of(kind) : nullptr;
  if (suggestion != nullptr && !m_plan->suggestions().stale()) {
    m_plan->moves().applySuggestion(PlanSuggestion(*suggestion));
  }
}

}  // namespace stagelane::ui
