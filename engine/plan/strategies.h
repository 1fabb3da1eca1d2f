#pragma once

/// The table of strategies: the name of each, and what it requires of a plan. Error messages, the
/// schema of experiment files and the lists of the window read it. Other code uses a row and never
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
  std::string_view name{};         ///< in experiment files; empty: unknown strategy
  std::string_view title{};        ///< in the window
  std::string_view description{};  ///< one sentence, without a full stop
  bool available = false;          ///< in this version
  bool exported = false;           ///< `stagelane export` writes its code
  bool oneDevice = false;          ///< has `device`, and neither `placement` nor `stages`
  bool splits = false;             ///< may have several micro-batches
  /// Has any schedule for pipelines, `chunks` and `replicas`, and needs `split_size` and a block a
  /// stage.
  bool pipelined = false;
  /// Every device has the whole model and computes a part of the batch; has neither `device` nor
  /// `placement` nor `stages`.
  bool replicates = false;
  /// Each device of a variant has a process of its own.
  bool ownProcesses = false;
  /// The processes train without waiting for each other, so there is no common step.
  bool asynchronous = false;
  std::string_view schedule{};  ///< default; a pipeline can set another
  Baseline baseline = Baseline::None;
};

/// In the order in which lists show them.
[[nodiscard]] std::span<const StrategyRow> strategies();
[[nodiscard]] const StrategyRow& strategyRow(Strategy strategy);
/// An empty row if the name is unknown.
[[nodiscard]] const StrategyRow& strategyRow(std::string_view name);
[[nodiscard]] inline std::string_view word(Strategy strategy) { return strategyRow(strategy).name; }

/// The strategies of plans that the product creates: one device, the whole batch on several
/// devices, and micro-batches.
[[nodiscard]] const StrategyRow& singleStrategy();
[[nodiscard]] const StrategyRow& wholeBatchStrategy();
[[nodiscard]] const StrategyRow& pipelineStrategy();

/// Names of the rows that have the property (or lack it).
[[nodiscard]] std::vector<std::string> strategyNames(bool StrategyRow::*property, bool has = true);
/// "a, b or c".
[[nodiscard]] std::string inWords(const std::vector<std::string>& names,
                                  std::string_view last = " or ");

}  // namespace stagelane::plan
