#pragma once

/// The field that finds events, with the number of matches, Previous and Next. It holds no results;
/// the caller sets the count.

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace stagelane::ui {

class TimelineFind final : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineFind(QWidget* parent = nullptr);
  void focusField();
  void setText(const QString& text);
  [[nodiscard]] QString text() const;
  /// `place` counts from 0; −1 shows the number of matches only. `hidden`: matches that the legend
  /// hides. Without a text it shows nothing.
  void showCount(std::size_t matches, std::int64_t place, std::size_t hidden = 0);
  /// Shows why the search is invalid instead of a count.
  void showProblem(const QString& problem);

 Q_SIGNALS:
  void textChanged(const QString& text);
  /// +1 next, −1 previous
  void stepWanted(int direction);
  /// Esc: back to the lanes.
  void left();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLineEdit* m_field;
  QLabel* m_count;
  QToolButton* m_previous;
  QToolButton* m_next;
};

}  // namespace stagelane::ui
