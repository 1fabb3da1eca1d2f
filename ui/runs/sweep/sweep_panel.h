#pragma once

/// The sweep in progress, or one that was paused or interrupted: its progress, its curve, and its
/// actions. Hidden without a sweep.

#include <QAction>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>

#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {

class Session;

class SweepCurve;

class SweepPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit SweepPanel(Session* session, QWidget* parent = nullptr);
  /// Pause, Resume, Cancel, Export and Hide, disabled where they do not apply.
  [[nodiscard]] const QList<QAction*>& sweepActions() const { return m_actions; }

 private:
  /// A button and its action.
  struct Choice {
    QPushButton* button = nullptr;
    QAction* action = nullptr;
  };
  struct ChoiceWords {
    QString name;
    QString text;
    QString action;
    QString tip;
  };
  [[nodiscard]] Choice makeChoice(const ChoiceWords& words, std::function<void()> act);
  static void offer(const Choice& choice, bool shown, bool enabled = true);
  void makeChoices();
  void cancel();
  void build();
  void refresh();
  /// The point to open: its run, and its variant in that run, once it is listed.
  void open(const SweepPoint& point);
  void showWanted();
  void exportCurve();

  Session* m_session;
  QLabel* m_title;
  QLabel* m_text;
  QLabel* m_problem;
  QProgressBar* m_progress;
  Choice m_pause;
  Choice m_goOn;
  Choice m_cancel;
  Choice m_export;
  Choice m_hide;
  SweepCurve* m_curve;
  QList<QAction*> m_actions;
  QString m_wantedRun;
  QString m_wantedVariant;
};

}  // namespace stagelane::ui
