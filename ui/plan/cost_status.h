#pragma once

/// Shows where the predicted numbers come from and controls calibration: start, progress, cancel.

#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include "ui/kit/badge.h"

namespace stagelane::ui {

class Session;

class CostStatus final : public QWidget {
  Q_OBJECT

 public:
  explicit CostStatus(Session* session, QWidget* parent = nullptr);
  /// With dates and reasons, with single words, or with an icon instead of the button's text.
  enum class Room { Narrow, Middle, Wide };
  void setRoom(Room room);
  /// Start and cancel a calibration; for the page's list of actions.
  [[nodiscard]] QAction* calibrateAction() const { return m_calibrate; }
  [[nodiscard]] QAction* cancelAction() const { return m_cancel; }

 private:
  void refresh();
  void refreshBasis();
  void refreshCalibration();
  void showBadge(const QString& text, Tone tone, const QString& icon, const QString& tip);
  [[nodiscard]] QString calibrateText() const;
  [[nodiscard]] QString whyNot() const;
  [[nodiscard]] bool roomy() const { return m_room == Room::Wide; }

  Session* m_session;
  Badge* m_basis;
  QLabel* m_progress;
  QToolButton* m_calibrateButton;
  QToolButton* m_cancelButton;
  QAction* m_calibrate;
  QAction* m_cancel;
  QTimer m_updating;  ///< short updates are not announced
  Room m_room = Room::Wide;
};

}  // namespace stagelane::ui
