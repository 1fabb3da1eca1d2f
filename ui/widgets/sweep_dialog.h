#pragma once

/// Asks for the lists of values of a sweep over one variant. What stays empty is as the variant has
/// it.

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/models/session.h"
#include "ui/widgets/combo.h"

namespace stagelane::ui {

class SweepDialog final : public QDialog {
  Q_OBJECT

 public:
  explicit SweepDialog(Session* session, QWidget* parent = nullptr);
  /// What is entered; only sound once the dialog was accepted.
  [[nodiscard]] plan::SweepSpec spec() const;

 private:
  struct FieldWords {
    QString name;
    QString label;
    QString example;
    QString tip;
  };
  void addFields();
  QLineEdit* addField(const FieldWords& words);
  void refresh();

  Session* m_session;
  Combo* m_variant;
  QLineEdit* m_splits = nullptr;
  QLineEdit* m_schedules = nullptr;
  QLineEdit* m_placements = nullptr;
  QLineEdit* m_recomputes = nullptr;
  QLineEdit* m_batches = nullptr;
  QCheckBox* m_earlyStop;
  QLabel* m_count;
  QPushButton* m_start;
};

}  // namespace stagelane::ui
