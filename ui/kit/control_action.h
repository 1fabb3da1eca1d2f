#pragma once

/// What a control does, as an action for the command palette: it clicks a button, opens a combo
/// box, goes into a field with all of its text selected. Off while the control is off or hidden.

#include <QAction>
#include <QWidget>

namespace stagelane::ui {

/// What of an action whose control is hidden: it is off, or, where the control is hidden for want
/// of room alone, as it would be otherwise.
enum class WhileHidden { Off, On };

class ControlAction final : public QAction {
  Q_OBJECT

 public:
  /// Lives with `parent`, at most as long as the control.
  ControlAction(const QString& text, QWidget* control, QObject* parent,
                WhileHidden hidden = WhileHidden::Off);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow();
  void use();

  QWidget* m_control;
  WhileHidden m_whileHidden;
};

}  // namespace stagelane::ui
