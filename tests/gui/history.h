#pragma once

/// Run folders as the engine leaves them, written by hand: a history to look at without the time of
/// its runs.

#include <QString>
#include <vector>

namespace stagelane::gui {

struct PastRun {
  QString folder;  ///< `20261119-104400-toy`
  QString name;
  QString ending = QStringLiteral("done");  ///< done, failed, canceled, killed (no final event)
  std::vector<double> seconds{0.30, 0.31, 0.29};
  int batchSize = 20;
  QString reason = QStringLiteral("out of memory on cpu:1");  ///< of a failure
  int further = 0;                                            ///< pipelines, to make it large
};

/// Writes the folder below `runs`. @returns its path
QString writePastRun(const QString& runs, const PastRun& run);

/// A small history: done twice with different times and batch sizes, noisy, failed, canceled.
void writePastRuns(const QString& runs);

}  // namespace stagelane::gui
