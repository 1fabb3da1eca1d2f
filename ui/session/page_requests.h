#pragma once

/// Requests of pages to the window around them.

#include <QObject>
#include <QString>

namespace stagelane::ui {

class PageRequests final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Shows the named page.
  void request(const QString& name) { Q_EMIT requested(name); }
  /// Shows the failed variant on the Plan page, with the fixes offered for it.
  void requestFixPlan() {
    request(QStringLiteral("plan"));  // the page may not exist yet
    Q_EMIT fixPlanRequested();
  }
  /// A sentence for the status bar; empty clears it.
  void showHint(const QString& text) { Q_EMIT hintChanged(text); }

 Q_SIGNALS:
  void requested(const QString& name);
  void fixPlanRequested();
  void hintChanged(const QString& text);
};

}  // namespace stagelane::ui
