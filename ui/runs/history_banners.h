#pragma once

/// Banners about the history of runs: a failed action, runs in the trash that can be restored, an
/// index that cannot be read or saved.

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
  /// Call it after each reading of the history.
  void refresh();
  /// Restores deleted runs; false if that is not offered.
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
