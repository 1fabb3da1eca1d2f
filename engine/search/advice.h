#pragma once

/// What others advise about a kind of plan, with its source, for readers of the searches' answers.
/// The searches themselves only compare predictions.

#include <string_view>

#include "engine/plan/strategies.h"

namespace stagelane::search {

/// A sentence without a full stop, and where it is from.
struct Advice {
  std::string_view text;
  std::string_view source;  ///< "Huang et al., GPipe, NeurIPS 2019"
  std::string_view url;
};

/// Null where there is none.
[[nodiscard]] const Advice* adviceOn(const plan::StrategyRow& strategy, int replicas);

}  // namespace stagelane::search
