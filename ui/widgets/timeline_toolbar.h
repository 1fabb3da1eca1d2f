#pragma once

/// The toolbar of the Timeline page: which step, what is shown of it and how, finding, measuring,
/// export. Emits what is wanted; knows no trace.

#include <QStringList>
#include <QWidget>

#include "ui/models/session.h"
#include "ui/models/timeline_scene.h"
#include "ui/widgets/badge.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;

namespace stagelane::ui {

class TimelineFind;

class TimelineToolbar final : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineToolbar(const Session* session, QWidget* parent = nullptr);

  void setSteps(const QStringList& steps, int current);
  /// Whether there is a prediction beside the measurement, and anything at all.
  void setAvailable(bool timeline, bool prediction);
  /// `text` in wide windows, `brief` in others.
  struct Headline {
    QString text{};
    QString brief{};
    QString badge{};
    Tone tone = Tone::Neutral;
  };
  void setHeadline(Headline headline);
  void setMeasuring(bool measuring);
  /// Below some width the less needed parts go.
  void setWide(bool wide);
  [[nodiscard]] TimelineFind& find() { return *m_find; }

 Q_SIGNALS:
  void stepChosen(int index);
  void predictedToggled(bool shown);
  void alignToggled(bool atFirstDifference);
  void colorByChosen(ColorBy colorBy);
  void gapWanted(int direction);
  void measureToggled(bool measuring);
  void fitWanted();
  void exportWanted();

 private:
  QToolButton* addButton(const QString& name, const QString& text, const QString& tip);
  void stepBy(int direction);
  void showHeadline();

  QComboBox* m_steps;
  QToolButton* m_previousStep = nullptr;
  QToolButton* m_nextStep = nullptr;
  QCheckBox* m_predicted;
  QToolButton* m_align = nullptr;
  QComboBox* m_color;
  QToolButton* m_previousGap = nullptr;
  QToolButton* m_nextGap = nullptr;
  QToolButton* m_measure = nullptr;
  QToolButton* m_fit = nullptr;
  TimelineFind* m_find;
  QLabel* m_headline;
  Badge* m_badge;
  QToolButton* m_export = nullptr;
  const Session* m_session;
  Headline m_said;
  bool m_wide = true;
};

}  // namespace stagelane::ui
