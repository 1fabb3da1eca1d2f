#pragma once

/// The Runs page in every state (empty, loading, failed, …): each is brought about by a user's
/// actions, shown and saved as a picture.

#include "tests/gui/runs_window.h"

namespace stagelane::gui {

class RunsStates : public RunsWindow {
 protected:
  struct Look {
    QString theme;
    QSize size;
  };

  void expectEmpty(const Look& look);
  /// Thousands of folders that are not in the index yet.
  void expectLoading(const Look& look);
  /// The selected run has failed; its measurements are shown, with the reason of the failure.
  void expectFailed(const Look& look);
  void expectCanceled(const Look& look);
  /// The index cannot be stored until the problem is fixed; the runs are listed anyway.
  void expectUnreadable(const Look& look);
  void expectNoEngine(const Look& look);
  void expectRunning(const Look& look);

 private:
  void forgetAll();
  void keepShot(const QString& state, const Look& look);
};

}  // namespace stagelane::gui
