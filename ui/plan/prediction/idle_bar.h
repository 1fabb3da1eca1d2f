#pragma once

/// One device's step as a bar in the inspector.

#include <QWidget>

#include "profiler/analysis/idle.h"

namespace stagelane::ui {

class CurrentTheme;

/// A device's step as a bar: busy parts in action colors, idle parts hatched by cause.
class IdleBar final : public QWidget {
  Q_OBJECT

 public:
  explicit IdleBar(const CurrentTheme* theme, QWidget* parent = nullptr);
  void show(const analysis::DeviceStep& step);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const CurrentTheme* m_theme;
  analysis::DeviceStep m_step;
};

}  // namespace stagelane::ui
