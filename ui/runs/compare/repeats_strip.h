#pragma once

/// The single repeats of several runs as dots on one time axis, with a line at each mean.

#include <QStringList>
#include <QWidget>
#include <vector>

namespace stagelane::ui {

class CurrentTheme;

class RepeatsStrip final : public QWidget {
  Q_OBJECT

 public:
  explicit RepeatsStrip(const CurrentTheme* theme, QWidget* parent = nullptr);
  /// @units seconds
  void show(const QStringList& titles, const std::vector<std::vector<double>>& repeats);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const CurrentTheme* m_theme;
  QStringList m_titles;
  std::vector<std::vector<double>> m_repeats;
};

}  // namespace stagelane::ui
