#include "ui/timeline/timeline_toolbar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <vector>

#include "ui/kit/boxes.h"
#include "ui/kit/combo.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/session.h"
#include "ui/timeline/timeline_find.h"

namespace stagelane::ui {
namespace {

constexpr int kMostLevels = 10;  ///< steps of hiding parts in narrow windows
constexpr int kExplaining =
    5;  ///< levels that hide explanatory parts; later ones hide what keys can do
constexpr int kWidestStep = 220, kNarrowStep = 150, kLeastStep = 96;

}  // namespace

TimelineToolbar::TimelineToolbar(const Session* session, QWidget* parent)
    : QWidget(parent),
      m_pointLabel(mutedLabel(tr("Variant"), this)),
      m_points(new Combo(session->currentTheme(), this)),
      m_steps(new Combo(session->currentTheme(), this)),
      m_predicted(new QCheckBox(tr("Predicted"), this)),
      m_color(new Combo(session->currentTheme(), this)),
      m_find(new TimelineFind(this)),
      m_headline(new QLabel(this)),
      m_badge(new Badge(this)),
      m_session(session) {
  setLook(this, u"toolbar"_s);
  setFixedHeight(measure::kToolbarHeight);
  nameChoices();
  setNames(m_headline, u"timelineHeadline"_s, tr("Predicted and measured step time"));
  m_badge->setObjectName(u"stepDifference"_s);
  addButtons();
  place();
  connectAll();
  buildChoices();
}

void TimelineToolbar::buildChoices() {
  const auto add = [this](const QString& text, QWidget* control,
                          WhileHidden hidden = WhileHidden::Off) {
    m_choices.append(new ControlAction(text, control, this, hidden));
  };
  add(tr("Choose the variant of the sweep…"), m_points);
  add(tr("Choose the step…"), m_steps);
  add(tr("Next step"), m_nextStep, WhileHidden::On);
  add(tr("Previous step"), m_previousStep, WhileHidden::On);
  add(tr("Show or hide the predicted step"), m_predicted);
  add(tr("Align at the first difference"), m_align);
  add(tr("Align at the step's start"), m_alignStart, WhileHidden::On);
  for (int meaning = 0; meaning < m_color->count(); ++meaning) {
    auto* action = new QAction(tr("Colors of actions: %1").arg(m_color->itemText(meaning)), this);
    connect(action, &QAction::triggered, m_color,
            [this, meaning] { m_color->setCurrentIndex(meaning); });
    m_colorings.append(action);
  }
  m_choices += m_colorings;
}

void TimelineToolbar::nameChoices() {
  setNames(m_points, u"sweepPoint"_s, tr("Variant of the sweep"));
  m_points->setToolTip(tr("Variant of the sweep to show"));
  m_points->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_points->setMaximumWidth(kWidestStep);
  setNames(m_steps, u"step"_s, tr("Step"));
  m_steps->setToolTip(tr("Step to show; the median of the repeats is the default"));
  m_steps->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  setNames(m_predicted, u"showPredicted"_s, tr("Show the predicted step above the measured one"));
  m_predicted->setToolTip(tr("Show the predicted step as a ghost above the measured actions"));
  m_predicted->setChecked(true);
  m_predicted->setFocusPolicy(Qt::TabFocus);
  keepChoice(m_predicted);
  setNames(m_color, u"colorBy"_s, tr("Meaning of colors"));
  keepChoice(m_color);
  m_color->addItems({tr("by kind"), tr("by micro-batch"), tr("by stage")});
  m_color->setToolTip(tr("Color actions by kind, micro-batch or stage"));
}

void TimelineToolbar::addButtons() {
  m_previousStep = addButton(u"previousStep"_s, u"‹"_s, tr("Previous step"));
  m_nextStep = addButton(u"nextStep"_s, u"›"_s, tr("Next step"));
  m_alignBox = buildAlign();
  m_gapsLabel = mutedLabel(tr("Gaps"), this);
  m_previousGap = addButton(u"previousGap"_s, u"["_s, tr("Previous gap ([)"));
  m_nextGap = addButton(u"nextGap"_s, u"]"_s, tr("Next gap (])"));
  m_measure = addButton(u"measureMode"_s, tr("Measure"),
                        tr("Measure the time between two points, snapping to edges (M)"));
  m_measure->setCheckable(true);
  m_fit = addButton(u"fit"_s, tr("Fit"), tr("Show the whole step (F)"));
  m_export = addButton(u"export"_s, tr("Export…"),
                       tr("Export the timeline as a picture or table (Ctrl+E)"));
}

QWidget* TimelineToolbar::buildAlign() {
  auto* box = new QWidget(this);
  m_alignLabel = mutedLabel(tr("Align at"), box);
  m_alignStart =
      addSegment(u"alignStepStart"_s, tr("step start"),
                 tr("Align the starts of the predicted and the measured step"), u"first"_s);
  m_align = addSegment(u"alignFirstDifference"_s, tr("first difference"), QString(), u"last"_s);
  rowLayout(box, kNoRoom, {m_alignLabel, Gap{6}, m_alignStart, m_align});
  m_alignStart->setChecked(true);
  connect(m_alignStart, &QToolButton::clicked, this, [this] {
    m_alignStart->setChecked(true);
    m_align->setChecked(false);
  });
  return box;
}

QToolButton* TimelineToolbar::addSegment(const QString& name, const QString& text,
                                         const QString& tip, const QString& edge) {
  auto* button = addButton(name, text, tip);
  button->setCheckable(true);
  button->setProperty("edge", edge);
  setLook(button, u"segment"_s);
  button->setAccessibleName(tr("Align at the %1").arg(text));
  return button;
}

void TimelineToolbar::place() {
  rowLayout(this, {.margins = {measure::kPanelPadding, 0, measure::kPanelPadding, 0}, .spacing = 6},
            {m_pointLabel, m_points, m_previousStep, m_steps, m_nextStep, m_predicted, m_alignBox,
             m_color, m_gapsLabel, m_previousGap, m_nextGap, m_measure, m_fit, m_find, Stretch{1},
             m_headline, m_badge, m_export});
}

void TimelineToolbar::connectAll() {
  connect(m_points, &QComboBox::activated, this,
          [this](int row) { Q_EMIT pointChosen(m_points->itemData(row).toString()); });
  connect(m_steps, &QComboBox::currentIndexChanged, this, [this](int index) {
    m_previousStep->setEnabled(index > 0);
    m_nextStep->setEnabled(index + 1 < m_steps->count());
    Q_EMIT stepChosen(index);
  });
  connect(m_previousStep, &QToolButton::clicked, this, [this] { stepBy(-1); });
  connect(m_nextStep, &QToolButton::clicked, this, [this] { stepBy(1); });
  connect(m_predicted, &QCheckBox::toggled, this, &TimelineToolbar::predictedToggled);
  connect(m_align, &QToolButton::toggled, this, [this](bool on) {
    m_alignStart->setChecked(!on);
    Q_EMIT alignToggled(on);
  });
  connect(m_color, &QComboBox::currentIndexChanged, this,
          [this](int index) { Q_EMIT colorByChosen(static_cast<ColorBy>(index)); });
  connect(m_previousGap, &QToolButton::clicked, this, [this] { Q_EMIT gapWanted(-1); });
  connect(m_nextGap, &QToolButton::clicked, this, [this] { Q_EMIT gapWanted(1); });
  connect(m_measure, &QToolButton::toggled, this, &TimelineToolbar::measureToggled);
  connect(m_fit, &QToolButton::clicked, this, &TimelineToolbar::fitWanted);
  connect(m_export, &QToolButton::clicked, this, &TimelineToolbar::exportWanted);
}

QToolButton* TimelineToolbar::addButton(const QString& name, const QString& text,
                                        const QString& tip) {
  auto* button = new QToolButton(this);
  setNames(button, name, tip);
  button->setText(text);
  button->setToolTip(tip);
  // A click leaves the keyboard focus with the lanes.
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

void TimelineToolbar::stepBy(int direction) {
  m_steps->setCurrentIndex(m_steps->currentIndex() + direction);
}

void TimelineToolbar::setSteps(const QStringList& steps, int current) {
  const QSignalBlocker blocker(m_steps);
  m_steps->clear();
  m_steps->addItems(steps);
  m_steps->setCurrentIndex(current);
  m_steps->setEnabled(steps.size() > 1);
  m_previousStep->setEnabled(current > 0);
  m_nextStep->setEnabled(current >= 0 && current + 1 < steps.size());
  m_previousStep->setVisible(steps.size() > 1);
  m_nextStep->setVisible(steps.size() > 1);
}

void TimelineToolbar::setPoints(const std::vector<SweepMember>& points, const QString& current) {
  const QSignalBlocker blocker(m_points);
  m_points->clear();
  for (const SweepMember& point : points) m_points->addItem(point.name, point.variantId);
  m_points->setCurrentIndex(m_points->findData(current));
  m_points->setVisible(!points.empty());
  fitToWidth();
}

void TimelineToolbar::setAvailable(const Available& available) {
  m_predicted->setVisible(available.prediction);
  m_alignBox->setVisible(available.prediction);
  m_align->setEnabled(available.difference);
  m_align->setToolTip(available.difference
                          ? tr("Align both steps at the first action that did not start at its "
                               "predicted time")
                          : tr("Every action started at its predicted time, within 0.5 %"));
  if (!available.difference) m_align->setChecked(false);
  m_alignStart->setEnabled(available.prediction);
  for (QAction* coloring : m_colorings) coloring->setEnabled(available.timeline);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_export, m_fit, m_measure, m_previousGap,
                                                         m_nextGap, m_color, m_find}) {
    widget->setEnabled(available.timeline);
  }
  fitToWidth();
}

void TimelineToolbar::setHeadline(Headline headline) {
  m_said = std::move(headline);
  showHeadline();
  fitToWidth();
}

void TimelineToolbar::showHeadline() {
  m_headline->setText(m_level < 1 ? m_said.text : m_said.brief);
  m_headline->setToolTip(m_said.text);
  if (m_said.badge.isEmpty() || m_level >= kExplaining) {
    m_badge->hide();
    return;
  }
  m_badge->show(m_session->currentTheme()->theme(), m_said.badge, m_said.tone);
  m_badge->setToolTip(m_said.badgeTip);
}

void TimelineToolbar::setMeasuring(bool measuring) { m_measure->setChecked(measuring); }

void TimelineToolbar::resizeEvent(QResizeEvent* /*event*/) { fitToWidth(); }

bool TimelineToolbar::event(QEvent* event) {
  // The number of matches and the chosen step change the needed width.
  if (event->type() == QEvent::LayoutRequest && wantedWidth() != m_fitted) fitToWidth();
  return QWidget::event(event);
}

void TimelineToolbar::fitToWidth() {
  for (m_level = 0; m_level <= kMostLevels; ++m_level) {
    applyLevel();
    // The box's layout caches its old size.
    m_alignBox->layout()->invalidate();
    m_alignBox->updateGeometry();
    layout()->invalidate();
    if (wantedWidth() <= width()) break;
  }
  m_level = std::min(m_level, kMostLevels);
  m_fitted = wantedWidth();
  layout()->activate();
}

/// The find field shrinks before any control is hidden.
int TimelineToolbar::wantedWidth() const {
  return m_level < kExplaining ? layout()->sizeHint().width() : layout()->minimumSize().width();
}

/// Hides explanatory parts first, then controls with keys, then the others.
void TimelineToolbar::applyLevel() {
  showHeadline();
  m_pointLabel->setVisible(m_level < 1 && m_points->count() > 0);
  m_gapsLabel->setVisible(m_level < 2);
  m_alignLabel->setVisible(m_level < 2);
  m_alignStart->setVisible(m_level < 3);
  m_align->setText(m_level < 3 ? tr("first difference") : tr("Align"));
  const bool steps = m_level < 6 && m_steps->count() > 1;
  m_previousStep->setVisible(steps);
  m_nextStep->setVisible(steps);
  m_steps->setMaximumWidth(m_level < 4 ? kWidestStep : m_level < 7 ? kNarrowStep : kLeastStep);
  m_points->setMaximumWidth(m_level < 7 ? kWidestStep : kLeastStep);
  m_previousGap->setVisible(m_level < 8);
  m_nextGap->setVisible(m_level < 8);
  m_measure->setVisible(m_level < 9);
  m_fit->setVisible(m_level < 10);
}

}  // namespace stagelane::ui
