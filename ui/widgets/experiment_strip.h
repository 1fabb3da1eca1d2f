#pragma once

/// What holds for all variants: model, data, loss, optimizer, repeats. One line that sums it up,
/// with the number of repeats at hand, and a form that opens below. Every field edits the document.

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/models/session.h"

namespace stagelane::ui {

class ExperimentStrip final : public QWidget {
  Q_OBJECT

 public:
  explicit ExperimentStrip(Session* session, QWidget* parent = nullptr);
  void setOpen(bool open);
  [[nodiscard]] bool isOpen() const { return m_form->isVisibleTo(this); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  using Path = std::vector<std::string>;
  /// What a number field edits.
  struct Field {
    QString name;  ///< objectName
    QString label;
    Path path;
    double fallback = 0.0;
    double low = 0.0;
    double high = 1e6;
  };
  QWidget* buildLine();
  QWidget* buildForm();
  QSpinBox* integerField(const Field& field, QWidget* parent);
  QWidget* numberField(const Field& field, QWidget* parent);
  QWidget* choiceField(const Field& field, const QStringList& words, const QString& fallback,
                       QWidget* parent);
  QWidget* switchField(const Field& field, bool fallback, QWidget* parent);
  void refresh();
  void refreshSummary();
  void apply(const QString& step, const Path& path, Json value);
  [[nodiscard]] Json valueAt(const Path& path, Json fallback) const;

  Session* m_session;
  QToolButton* m_toggle = nullptr;
  QLabel* m_summary = nullptr;
  QSpinBox* m_repeats = nullptr;
  QLabel* m_warmup = nullptr;
  QWidget* m_form = nullptr;
  std::vector<std::function<void()>> m_refreshers;
  bool m_refreshing = false;
};

}  // namespace stagelane::ui
