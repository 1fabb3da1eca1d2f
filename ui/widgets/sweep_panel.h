#pragma once

/// The sweep that runs, or that was paused or interrupted: how far it is, its curve, and what can
/// be done with it. Hidden while there is none.

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>

#include "ui/models/session.h"

namespace stagelane::ui {

class SweepCurve;

class SweepPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit SweepPanel(Session* session, QWidget* parent = nullptr);

 private:
  void build();
  void refresh();

  Session* m_session;
  QLabel* m_title;
  QLabel* m_text;
  QLabel* m_problem;
  QProgressBar* m_progress;
  QPushButton* m_pause;
  QPushButton* m_goOn;
  QPushButton* m_cancel;
  QPushButton* m_hide;
  SweepCurve* m_curve;
};

}  // namespace stagelane::ui
