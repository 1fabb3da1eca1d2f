#pragma once

/// What is said above the runs about their history: that something failed, that runs in the trash
/// can be brought back, that the index cannot be read or kept.

#include <QObject>

#include "ui/frame/banner.h"
#include "ui/session/run/run_history.h"

class QBoxLayout;

namespace stagelane::ui {

class Session;

class HistoryBanners final : public QObject {
  Q_OBJECT

 public:
  /// @pre session and history outlive this
  HistoryBanners(Session* session, RunHistory* history, QWidget* page);
  void addTo(QBoxLayout* layout);
  /// After each reading of the history.
  void refresh();
  /// Brings back what was deleted; false: that is not offered.
  bool undo();
  void restore();

 private:
  void offerRestore();
  [[nodiscard]] BannerButton dismissing();

  Session* m_session;
  RunHistory* m_history;
  Banner* m_banner;
  Banner* m_unkept;
};

}  // namespace stagelane::ui
