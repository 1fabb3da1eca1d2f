#pragma once

/// A strip under the toolbar with a problem or unfinished work, and buttons for what can be done.
/// It pushes content down and never covers it.

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/kit/badge.h"

namespace stagelane::ui {

class CurrentTheme;

struct BannerButton {
  QString name;  ///< objectName
  QString text;
  std::function<void()> act;
  QString tip{};  ///< if the text does not explain the button
};

class Banner : public QWidget {
  Q_OBJECT

 public:
  /// `name` is its objectName: several banners may be visible.
  Banner(const CurrentTheme* theme, const QString& name, QWidget* parent);
  /// `title` is bold; `detail` may be empty. The buttons are also its actions, for the palette.
  void show(Tone tone, const QString& title, const QString& detail,
            const std::vector<BannerButton>& buttons);
  void clear();
  /// The named button of a visible banner; null for none.
  [[nodiscard]] QPushButton* button(const QString& name) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// Position of the icon: beside the first line of the title.
  [[nodiscard]] double firstLineMiddle() const;

  const CurrentTheme* m_theme;
  Tone m_tone = Tone::Neutral;
  QLabel* m_title;
  QLabel* m_detail;
  QHBoxLayout* m_buttons;
};

}  // namespace stagelane::ui
