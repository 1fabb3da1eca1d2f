#include "ui/widgets/timeline_toolbar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include "ui/widgets/combo.h"
#include "ui/widgets/look.h"
#include "ui/widgets/timeline_find.h"

namespace stagelane::ui {

TimelineToolbar::TimelineToolbar(const Session* session, QWidget* parent)
    : QWidget(parent),
      m_steps(new Combo(session, this)),
      m_predicted(new QCheckBox(QStringLiteral("Predicted"), this)),
      m_color(new Combo(session, this)),
      m_find(new TimelineFind(this)),
      m_headline(new QLabel(this)),
      m_badge(new Badge(this)),
      m_session(session) {
  setLook(this, QStringLiteral("toolbar"));
  setFixedHeight(measure::kToolbarHeight);
  setNames(m_steps, QStringLiteral("step"), QStringLiteral("Step shown"));
  m_steps->setToolTip(QStringLiteral("The step that is shown; first the median of the repeats"));
  m_steps->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_steps->setMaximumWidth(220);
  setNames(m_predicted, QStringLiteral("showPredicted"),
           QStringLiteral("Show the predicted step above the measured one"));
  m_predicted->setToolTip(
      QStringLiteral("The predicted step as a ghost above the measured actions"));
  m_predicted->setChecked(true);
  setNames(m_color, QStringLiteral("colorBy"), QStringLiteral("What colours mean"));
  m_color->addItems(
      {QStringLiteral("by kind"), QStringLiteral("by micro-batch"), QStringLiteral("by stage")});
  m_color->setToolTip(QStringLiteral("What the colour of an action says"));
  setNames(m_headline, QStringLiteral("timelineHeadline"),
           QStringLiteral("Predicted and measured step time"));
  m_previousStep = addButton(QStringLiteral("previousStep"), QStringLiteral("‹"),
                             QStringLiteral("Previous step"));
  m_nextStep =
      addButton(QStringLiteral("nextStep"), QStringLiteral("›"), QStringLiteral("Next step"));
  m_align = addButton(QStringLiteral("alignFirstDifference"), QStringLiteral("Align"),
                      QStringLiteral("Align the predicted step at the first difference instead of "
                                     "the step's start"));
  m_align->setCheckable(true);
  m_previousGap = addButton(QStringLiteral("previousGap"), QStringLiteral("["),
                            QStringLiteral("Previous gap ([)"));
  m_nextGap =
      addButton(QStringLiteral("nextGap"), QStringLiteral("]"), QStringLiteral("Next gap (])"));
  m_measure = addButton(QStringLiteral("measureMode"), QStringLiteral("Measure"),
                        QStringLiteral("Measure between two moments, snapping to edges (M)"));
  m_measure->setCheckable(true);
  m_fit = addButton(QStringLiteral("fit"), QStringLiteral("Fit"),
                    QStringLiteral("Show the whole step (F)"));
  m_export = addButton(QStringLiteral("export"), QStringLiteral("Export…"),
                       QStringLiteral("Export the timeline as picture or table (Ctrl+E)"));

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(measure::kPanelPadding, 0, measure::kPanelPadding, 0);
  layout->setSpacing(6);
  for (QWidget* widget : std::initializer_list<QWidget*>{
           m_previousStep, m_steps, m_nextStep, m_predicted, m_align, m_color, m_previousGap,
           m_nextGap, m_measure, m_fit, m_find}) {
    layout->addWidget(widget);
  }
  layout->addStretch(1);
  layout->addWidget(m_headline);
  layout->addWidget(m_badge);
  layout->addWidget(m_export);
  connect(m_steps, &QComboBox::currentIndexChanged, this, [this](int index) {
    m_previousStep->setEnabled(index > 0);
    m_nextStep->setEnabled(index + 1 < m_steps->count());
    Q_EMIT stepChosen(index);
  });
  connect(m_previousStep, &QToolButton::clicked, this, [this] { stepBy(-1); });
  connect(m_nextStep, &QToolButton::clicked, this, [this] { stepBy(1); });
  connect(m_predicted, &QCheckBox::toggled, this, &TimelineToolbar::predictedToggled);
  connect(m_align, &QToolButton::toggled, this, &TimelineToolbar::alignToggled);
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

void TimelineToolbar::setAvailable(bool timeline, bool prediction) {
  m_predicted->setVisible(prediction);
  m_align->setVisible(prediction);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_export, m_fit, m_measure, m_previousGap,
                                                         m_nextGap, m_color, m_find}) {
    widget->setEnabled(timeline);
  }
}

void TimelineToolbar::setHeadline(Headline headline) {
  m_said = std::move(headline);
  showHeadline();
}

void TimelineToolbar::showHeadline() {
  m_headline->setText(m_wide ? m_said.text : m_said.brief);
  m_headline->setToolTip(m_said.text);
  const bool badge = m_wide && !m_said.badge.isEmpty();
  m_badge->setVisible(badge);
  if (badge) m_badge->show(m_session->theme(), m_said.badge, m_said.tone);
}

void TimelineToolbar::setMeasuring(bool measuring) { m_measure->setChecked(measuring); }

void TimelineToolbar::setWide(bool wide) {
  m_wide = wide;
  showHeadline();
}

}  // namespace stagelane::ui
