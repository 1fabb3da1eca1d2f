#pragma once

/// Shows a table in its whole height and scrolls it sideways where it is wider than its place, so
/// that what stands above and below it keeps that place's width.

#include <QScrollArea>

class QGridLayout;

namespace stagelane::ui {

class SidewaysScroll final : public QScrollArea {
  Q_OBJECT

 public:
  /// Takes the grid with its labels.
  explicit SidewaysScroll(QGridLayout* grid, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitHeight();
};

}  // namespace stagelane::ui
