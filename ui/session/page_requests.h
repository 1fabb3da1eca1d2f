#pragma once

/// What pages ask of the window around them.

#include <QObject>
#include <QString>

namespace stagelane::ui {

class PageRequests final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Shows the page of that name.
  void request(const QString& name) { Q_EMIT requested(name); }
  /// Shows the variant that failed on the Plan page, with the fixes that are offered for it.
  void requestFixPlan() { Q_EMIT fixPlanRequested(); }
  /// One sentence for the status bar (the hint of the moment); empty clears it.
  void showHint(const QString& text) { Q_EMIT hintChanged(text); }

 Q_SIGNALS:
  void requested(const QString& name);
  void fixPlanRequested();
  void hintChanged(const QString& text);
};

}  // namespace stagelane::ui
