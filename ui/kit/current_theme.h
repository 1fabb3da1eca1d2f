#pragma once

/// The window's theme. Painters read it and repaint when it changes.

#include <QObject>

#include "ui/kit/theme.h"

namespace stagelane::ui {

class CurrentTheme final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] const Theme& theme() const { return themeOf(m_kind); }
  [[nodiscard]] ThemeKind kind() const { return m_kind; }
  void set(ThemeKind kind) {
    if (kind == m_kind) return;
    m_kind = kind;
    Q_EMIT changed();
  }

 Q_SIGNALS:
  void changed();

 private:
  ThemeKind m_kind = ThemeKind::Light;
};

}  // namespace stagelane::ui
