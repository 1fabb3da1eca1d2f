#pragma once

/// A banner at start about an unfinished sweep, on all pages but Runs, to which it links.

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
  bool m_answered = false;  ///< by a click, or by starting a run
};

}  // namespace stagelane::ui
