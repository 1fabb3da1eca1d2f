#pragma once

/// A short status on a colored background ("Predicted", "≈ Estimate"), 18 px high. Takes no input.

#include <QString>
#include <QWidget>

#include "engine/predict/cost_table.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {

enum class Tone { Neutral, Accent, Success, Warning, Error };

struct ToneColors {
  QColor text;
  QColor ground;
};
[[nodiscard]] Tone toneOf(predict::Basis basis);
[[nodiscard]] ToneColors colorsOf(const Theme& theme, Tone tone);

/// Paints a badge and returns its width; with a null painter only measures.
int paintBadge(QPainter* painter, const Theme& theme, const QPoint& topLeft, const QString& text,
               Tone tone, const QString& iconName = {});

class Badge final : public QWidget {
  Q_OBJECT

 public:
  explicit Badge(QWidget* parent = nullptr);
  void show(const Theme& theme, const QString& text, Tone tone, const QString& iconName = {});
  [[nodiscard]] QString text() const { return m_text; }
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* m_theme;
  QString m_text;
  QString m_icon;
  Tone m_tone = Tone::Neutral;
};

}  // namespace stagelane::ui
