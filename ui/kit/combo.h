#pragma once

/// A combo box and a split button that draw their own arrow from the icon sheet: a style sheet can
/// only show arrows from files, in one colour.

#include <QComboBox>
#include <QToolButton>

#include "ui/kit/current_theme.h"

namespace stagelane::ui {

class Combo final : public QComboBox {
  Q_OBJECT

 public:
  explicit Combo(const CurrentTheme* theme, QWidget* parent = nullptr);
  /// Where no theme is at hand: in the colours of the application.
  explicit Combo(QWidget* parent);
  /// As wide as its longest entry: what is cut there cannot be chosen by name.
  void showPopup() override;
  void hidePopup() override;

 Q_SIGNALS:
  /// The list was opened and is closed again, with or without a choice.
  void listClosed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  const CurrentTheme* m_theme = nullptr;
};

/// In the accent's colours: icon and text, or, with a menu, an arrow alone.
class PrimaryButton final : public QToolButton {
  Q_OBJECT

 public:
  explicit PrimaryButton(const CurrentTheme* theme, QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const CurrentTheme* m_theme;
};

}  // namespace stagelane::ui
