#pragma once

/// A combo box and a split button that draw their own arrow from the icon sheet: a style sheet can
/// only show arrows from files, in one color.

#include <QComboBox>
#include <QToolButton>

#include "ui/kit/current_theme.h"

namespace stagelane::ui {

class Combo final : public QComboBox {
  Q_OBJECT

 public:
  explicit Combo(const CurrentTheme* theme, QWidget* parent = nullptr);
  /// Without a theme: uses the application's palette.
  explicit Combo(QWidget* parent);
  /// As wide as its longest entry, so that no entry is elided.
  void showPopup() override;
  void hidePopup() override;

 Q_SIGNALS:
  /// Emitted when the list closes, with or without a choice.
  void listClosed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  const CurrentTheme* m_theme = nullptr;
};

/// In accent colors: icon and text or, with a menu, only an arrow.
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
