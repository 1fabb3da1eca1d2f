#pragma once

/// The processes of a run: read from the engine's `ranks` events while it runs, and from the
/// results afterwards.

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/record/run_record.h"

namespace stagelane::ui {

struct RunRank {
  int rank = 0;
  QString host;
  std::int64_t pid = 0;  ///< 0: unknown
  QStringList devices;
  QString state;              ///< the engine's word: "running", "done"
  QString variantId;          ///< of its last turn
  std::optional<int> repeat;  ///< of its last turn: from 1; 0: warm-up
  QString doing;              ///< running: "F of stage 1, micro-batch 2"; empty between actions
  std::optional<std::int64_t> lastSeenMs;  ///< running: since its last sign of life
  std::optional<TimeNs> clockErrorNs;      ///< nothing where it is unknown; rank 0 is the reference
  friend bool operator==(const RunRank&, const RunRank&) = default;
};

/// Which turn of the run is in progress.
struct RunTurn {
  QString variantId;
  int of = 0;  ///< repeats
  friend bool operator==(const RunTurn&, const RunTurn&) = default;
};

/// By rank. Members that are missing or damaged are left out, ranks without a number too.
[[nodiscard]] std::vector<RunRank> ranksFromEvent(const Json& event);
/// The ranks of the last variant that has several processes; empty without such a variant.
[[nodiscard]] std::vector<RunRank> ranksOf(const record::RunResult& run);

/// "reference" for rank 0, "± 14 µs"; empty if unknown.
[[nodiscard]] QString clockText(const RunRank& rank);
/// "3 of 5", "warm-up"; "waiting" if the run is at a variant in which the rank has no part; empty
/// if unknown.
[[nodiscard]] QString turnText(const RunRank& rank, const RunTurn& turn);
/// The state in the language of the window.
[[nodiscard]] QString rankStateText(const RunRank& rank);

}  // namespace stagelane::ui
