#pragma once

/// The Runs page in every state (empty, loading, failed, …): each is brought about by what a user
/// does, shown and photographed.

#include "tests/gui/runs_window.h"

namespace stagelane::gui {

class RunsStates : public RunsWindow {
 protected:
  struct Look {
    QString theme;
    QSize size;
  };

  void expectEmpty(const Look& look);
  /// Thousands of folders that no index knows yet.
  void expectLoading(const Look& look);
  /// The run that is looked at has failed; what it measured is there, and why it failed.
  void expectFailed(const Look& look);
  void expectCanceled(const Look& look);
  /// The index cannot be kept, until what is wrong is mended; the runs are there all the same.
  void expectUnreadable(const Look& look);
  void expectNoEngine(const Look& look);
  void expectRunning(const Look& look);

 private:
  void forgetAll();
  void keepShot(const QString& state, const Look& look);
};

}  // namespace stagelane::gui
