#pragma once

/// Ctrl+Shift+P: every action with its key, found by typing part of its name.

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QList>
#include <QListWidget>

namespace stagelane::ui {

class CommandPalette final : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(const QList<QAction*>& actions, QWidget* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void accept() override;

  QList<QAction*> m_actions;
  QLineEdit* m_search;
  QListWidget* m_list;
};

}  // namespace stagelane::ui
