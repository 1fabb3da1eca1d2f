#pragma once

/// What a control does, as an action for the command palette: it clicks a button, opens a combo
/// box, goes into a field with all of its text selected. Off while the control is off or hidden.

#include <QAction>
#include <QWidget>

namespace stagelane::ui {

class ControlAction final : public QAction {
  Q_OBJECT

 public:
  /// Lives with `parent`, at most as long as the control.
  ControlAction(const QString& text, QWidget* control, QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow();
  void use();

  QWidget* m_control;
};

}  // namespace stagelane::ui
