#pragma once

/// An action for the command palette that operates a control: clicks a button, opens a combo box,
/// or focuses a field and selects its text. Disabled while the control is disabled or hidden.

#include <QAction>
#include <QWidget>

namespace stagelane::ui {

/// Whether the action of a hidden control is disabled or, if only lack of space hides the control,
/// stays available.
enum class WhileHidden { Off, On };

class ControlAction final : public QAction {
  Q_OBJECT

 public:
  /// Owned by `parent`; deleted earlier if the control is.
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
