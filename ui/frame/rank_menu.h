#pragma once

/// The submenu of Run with the number of processes to run with. Hidden where no included variant
/// can use several.

#include <QActionGroup>
#include <QMenu>

namespace stagelane::ui {

class Session;

class RankMenu final : public QMenu {
  Q_OBJECT

 public:
  explicit RankMenu(Session* session, QWidget* parent = nullptr);

 private:
  void refresh();
  void add(int ranks, const QString& text, const QString& tip, bool chosen);

  Session* m_session;
  QActionGroup* m_group;
};

}  // namespace stagelane::ui
