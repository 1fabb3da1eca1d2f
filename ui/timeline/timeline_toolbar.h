#pragma once

/// The toolbar of the Timeline page: step, display options, find, measure, export. Emits requests
/// and holds no trace. Narrow windows hide explanatory parts first.

#include <QAction>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/kit/badge.h"
#include "ui/session/document/sweep_members.h"
#include "ui/tracks/timeline_scene.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;

namespace stagelane::ui {

class Session;

class TimelineFind;

class TimelineToolbar final : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineToolbar(const Session* session, QWidget* parent = nullptr);

  void setSteps(const QStringList& steps, int current);
  /// Variants of the shown sweep; empty for a single variant.
  void setPoints(const std::vector<SweepMember>& points, const QString& current);
  struct Available {
    bool timeline = false;
    bool prediction = false;  ///< in addition to the measurement
    bool difference = false;  ///< between the two, to align at
  };
  void setAvailable(const Available& available);
  /// `text` for wide windows, `brief` for others; the badge shows the difference.
  struct Headline {
    QString text{};
    QString brief{};
    QString badge{};
    QString badgeTip{};
    Tone tone = Tone::Neutral;
  };
  void setHeadline(Headline headline);
  void setMeasuring(bool measuring);
  [[nodiscard]] TimelineFind& find() { return *m_find; }
  /// Controls without keys, for the palette, even while they are hidden.
  [[nodiscard]] const QList<QAction*>& choices() const { return m_choices; }

 Q_SIGNALS:
  void stepChosen(int index);
  void pointChosen(const QString& variantId);
  void predictedToggled(bool shown);
  void alignToggled(bool atFirstDifference);
  void colorByChosen(ColorBy colorBy);
  void gapWanted(int direction);
  void measureToggled(bool measuring);
  void fitWanted();
  void exportWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QToolButton* addButton(const QString& name, const QString& text, const QString& tip);
  QToolButton* addSegment(const QString& name, const QString& text, const QString& tip,
                          const QString& edge);
  void nameChoices();
  void buildChoices();
  void addButtons();
  QWidget* buildAlign();
  void place();
  void connectAll();
  void stepBy(int direction);
  void showHeadline();
  void fitToWidth();
  [[nodiscard]] int wantedWidth() const;
  void applyLevel();

  QLabel* m_pointLabel;
  QComboBox* m_points;
  QComboBox* m_steps;
  QToolButton* m_previousStep = nullptr;
  QToolButton* m_nextStep = nullptr;
  QCheckBox* m_predicted;
  QLabel* m_alignLabel = nullptr;
  QToolButton* m_alignStart = nullptr;
  QToolButton* m_align = nullptr;
  QWidget* m_alignBox = nullptr;
  QComboBox* m_color;
  QLabel* m_gapsLabel = nullptr;
  QToolButton* m_previousGap = nullptr;
  QToolButton* m_nextGap = nullptr;
  QToolButton* m_measure = nullptr;
  QToolButton* m_fit = nullptr;
  TimelineFind* m_find;
  QLabel* m_headline;
  Badge* m_badge;
  QToolButton* m_export = nullptr;
  QList<QAction*> m_choices;
  QList<QAction*> m_colorings;  ///< those that set the meaning of colors
  const Session* m_session;
  Headline m_said;
  int m_level = 0;    ///< how much is hidden
  int m_fitted = -1;  ///< needed width at that level
};

}  // namespace stagelane::ui
