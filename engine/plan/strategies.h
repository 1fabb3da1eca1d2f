#pragma once

/// The table of strategies: what each is called and what it asks of a plan. Error messages, the
/// schema of experiment files and the window's lists read it. All other code asks a row, and never
/// compares names.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stagelane::plan {

enum class Strategy { Single, ModelParallel, Pipeline, DataParallel, Ddp, Hogwild, Offload };

/// Which variants others are compared with.
enum class Baseline {
  None,
  First,     ///< one device: the base of speed-ups
  WhenNone,  ///< the base where no device holds the model, and then the place of the reference
};

struct StrategyRow {
  Strategy strategy{};
  std::string_view name{};         ///< in experiment files; empty where the table has no such name
  std::string_view title{};        ///< in the window
  std::string_view description{};  ///< one sentence, without a full stop
  bool available = false;          ///< in this version
  bool exported = false;           ///< `stagelane export` writes its code
  bool oneDevice = false;          ///< has `device`, and neither `placement` nor `stages`
  bool splits = false;             ///< may have several micro-batches
  /// Has any schedule for pipelines and `chunks`, and needs `split_size` and a block a stage.
  bool pipelined = false;
  std::string_view schedule{};  ///< what it has unless a pipeline's file names another
  Baseline baseline = Baseline::None;
};

/// In the order in which lists show them.
[[nodiscard]] std::span<const StrategyRow> strategies();
[[nodiscard]] const StrategyRow& strategyRow(Strategy strategy);
/// A row that has nothing where the table has no such name.
[[nodiscard]] const StrategyRow& strategyRow(std::string_view name);
[[nodiscard]] inline std::string_view word(Strategy strategy) { return strategyRow(strategy).name; }

/// The strategies of plans that the product writes by itself: for one device, for the whole batch
/// on several, and for micro-batches.
[[nodiscard]] const StrategyRow& singleStrategy();
[[nodiscard]] const StrategyRow& wholeBatchStrategy();
[[nodiscard]] const StrategyRow& pipelineStrategy();

/// Names of the rows that have the property, or have it not.
[[nodiscard]] std::vector<std::string> strategyNames(bool StrategyRow::*property, bool has = true);
/// "a, b or c".
[[nodiscard]] std::string inWords(const std::vector<std::string>& names,
                                  std::string_view last = " or ");

}  // namespace stagelane::plan
