#pragma once

/// Placeholder for the tracks while a trace is being read: overview, tree and bars without content
/// in the places of the real ones. Not animated.

#include <QWidget>

#include "ui/kit/theme.h"

namespace stagelane::ui {

class TimelineSkeleton final : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineSkeleton(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* m_theme;
};

}  // namespace stagelane::ui
