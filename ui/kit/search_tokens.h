#pragma once

/// The filters of a search (`status:failed`, `since:2026-11-19`) as buttons below the field: a
/// click removes one. Hidden if there are none.

#include <QHBoxLayout>
#include <QString>
#include <QWidget>

#include "engine/workspace/run_search.h"

namespace stagelane::ui {

class SearchTokens final : public QWidget {
  Q_OBJECT

 public:
  explicit SearchTokens(QWidget* parent = nullptr);
  void show(const QString& search);

 Q_SIGNALS:
  /// The search without the clicked filter.
  void searchChanged(const QString& search);

 private:
  workspace::RunSearch m_search;
  QHBoxLayout* m_row;
  QWidget* m_tokens = nullptr;
};

}  // namespace stagelane::ui
