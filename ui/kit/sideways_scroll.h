#pragma once

/// Shows a table at its full height and scrolls it horizontally if it is too wide, so that content
/// above and below keeps its width.

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
