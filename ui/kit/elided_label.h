#pragma once

/// A one-line label that elides text that does not fit.

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
