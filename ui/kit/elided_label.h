#pragma once

/// A label of one line that ends in "…" where there is not enough room for all of its text.

#include <QLabel>

namespace stagelane::ui {

class ElidedLabel final : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Qt::TextElideMode m_mode;
};

}  // namespace stagelane::ui
