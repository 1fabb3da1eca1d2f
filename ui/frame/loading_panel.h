#pragma once

/// Shown while a page's content is being prepared: a skeleton of the page, and on it a card with
/// the operation, its progress and Cancel.

#include <QLabel>
#include <QProgressBar>
#include <QWidget>

#include "ui/kit/theme.h"
#include "ui/session/run/opened_trace.h"

namespace stagelane::ui {

enum class SkeletonKind { Charts, Pages };

class LoadingPanel final : public QWidget {
  Q_OBJECT

 public:
  /// `name` is the prefix of its parts' names: `NAME`, `NAMEProgress`, `NAMECancel`.
  LoadingPanel(SkeletonKind kind, const QString& name, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// `of` 0: the total is unknown.
  void show(const QString& text, int done, int of);
  /// "Reading run-3: 12 MiB of 45 MiB"
  void show(const TraceLoading& loading);

 Q_SIGNALS:
  void cancelWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  SkeletonKind m_kind;
  const Theme* m_theme;
  QWidget* m_card = nullptr;
  QLabel* m_text;
  QProgressBar* m_bar;
};

}  // namespace stagelane::ui
