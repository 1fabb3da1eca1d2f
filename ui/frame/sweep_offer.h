#pragma once

/// Tells on every page but the one of the runs that a sweep was left unfinished when the window
/// starts. What it can do is on the Runs page; this leads there.

#include <QWidget>

#include "ui/frame/banner.h"

namespace stagelane::ui {

class Session;

class SweepOffer final : public QWidget {
  Q_OBJECT

 public:
  explicit SweepOffer(Session* session, QWidget* parent = nullptr);
  void setPage(const QString& name);

 private:
  void refresh();

  Session* m_session;
  Banner* m_banner;
  QString m_page;
  bool m_answered = false;  ///< by a click, or by a run that was started
};

}  // namespace stagelane::ui
