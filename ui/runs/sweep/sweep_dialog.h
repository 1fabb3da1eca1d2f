#pragma once

/// Asks for the lists of values of a sweep over one variant. What stays empty is as the variant has
/// it. Says at each field what the sweep would be refused for, and below how many points would run.

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
  /// Begins with what was typed before; its variant: that of the shown tab where there is none.
  SweepDialog(Session* session, const TypedSweep& before, QWidget* parent = nullptr);
  /// What is entered; only sound once the dialog was accepted.
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
  /// Something else is typed: what is known is of before.
  void onEdited();
  void check();
  void tell(const SweepCheck& check);
  /// Accepts once what stands there is known to be sound.
  void start();

  Session* m_session;
  QFormLayout* m_form;
  Combo* m_variant;
  std::array<QLineEdit*, kSweepFields> m_lists{};
  std::array<NotedField*, kSweepFields> m_notes{};
  QCheckBox* m_earlyStop;
  QLabel* m_count;
  QPushButton* m_start;
  QTimer m_soon;  ///< checks once a person pauses
  LatestJob m_checking;
  bool m_startWanted = false;
};

}  // namespace stagelane::ui
