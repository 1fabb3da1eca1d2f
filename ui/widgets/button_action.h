#pragma once

/// What a button does, as an action for the command palette: it clicks the button, and is off while
/// the button is off or hidden.

#include <QAbstractButton>
#include <QAction>

namespace stagelane::ui {

class ButtonAction final : public QAction {
  Q_OBJECT

 public:
  /// Lives with `parent`, at most as long as the button.
  ButtonAction(const QString& text, QAbstractButton* button, QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow();

  QAbstractButton* m_button;
};

}  // namespace stagelane::ui
