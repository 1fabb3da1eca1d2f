#pragma once

/// The question before the window closes while something is measured. A run on a host can go on
/// without the window.

#include <QString>
#include <QWidget>

namespace stagelane::app {

/// What is measured.
struct Measuring {
  bool isSweep = false;
  QString host;  ///< where; empty: this machine
};

enum class ClosingAnswer { Stay, End, Leave };

/// `End`: the caller cancels the run or pauses the sweep. `Leave`: the run continues on its host.
[[nodiscard]] ClosingAnswer askClosing(QWidget* window, const Measuring& measuring);

}  // namespace stagelane::app
