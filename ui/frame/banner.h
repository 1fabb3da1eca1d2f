#pragma once

/// A strip under the toolbar that says what is wrong or what was left undone, with buttons for what
/// can be done. It pushes content down and never covers it.

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
  QString tip{};  ///< what it does, where its text does not say all
};

class Banner : public QWidget {
  Q_OBJECT

 public:
  /// `name` is its objectName: several may be shown at once.
  Banner(const CurrentTheme* theme, const QString& name, QWidget* parent);
  /// `title` is bold; `detail` may be empty. The buttons are also its actions, for the palette.
  void show(Tone tone, const QString& title, const QString& detail,
            const std::vector<BannerButton>& buttons);
  void clear();
  /// While the banner is there, its button of that name; null for none.
  [[nodiscard]] QPushButton* button(const QString& name) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// Where the icon stands: beside the first line of the title.
  [[nodiscard]] double firstLineMiddle() const;

  const CurrentTheme* m_theme;
  Tone m_tone = Tone::Neutral;
  QLabel* m_title;
  QLabel* m_detail;
  QHBoxLayout* m_buttons;
};

}  // namespace stagelane::ui
