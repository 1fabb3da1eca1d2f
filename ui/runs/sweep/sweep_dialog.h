#pragma once

/// Asks for the values of a sweep over one variant. Empty fields keep the variant's value. Reports
/// problems at the fields and shows the number of points.

#include <QCheckBox>
#include <QDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <array>

#include "ui/kit/combo.h"
#include "ui/kit/latest_job.h"
#include "ui/kit/noted_field.h"
#include "ui/runs/sweep/sweep_check.h"

namespace stagelane::ui {

class Session;

class SweepDialog final : public QDialog {
  Q_OBJECT

 public:
  /// Starts with the earlier input; without a variant there, with that of the shown tab.
  SweepDialog(Session* session, const TypedSweep& before, QWidget* parent = nullptr);
  /// The input; valid only once the dialog is accepted.
  [[nodiscard]] TypedSweep typed() const;

 private:
  struct FieldWords {
    QString name;
    QString label;
    QString example;
    QString tip;
  };
  void addVariants(const TypedSweep& before);
  void addFields(const TypedSweep& before);
  void addField(SweepField field, const FieldWords& words, const QString& before);
  void addButtons();
  /// The input changed: discards the result of the last check.
  void onEdited();
  void check();
  void tell(const SweepCheck& check);
  /// Accepts once the input has been checked.
  void start();

  Session* m_session;
  QFormLayout* m_form;
  Combo* m_variant;
  std::array<QLineEdit*, kSweepFields> m_lists{};
  std::array<NotedField*, kSweepFields> m_notes{};
  QCheckBox* m_earlyStop;
  QLabel* m_count;
  QPushButton* m_start;
  QTimer m_soon;  ///< checks when typing pauses
  LatestJob m_checking;
  bool m_startWanted = false;
};

}  // namespace stagelane::ui
