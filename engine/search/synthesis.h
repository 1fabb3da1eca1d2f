#pragma once

/// The `auto` schedule: searches for the order of compute actions with the shortest step, for given
/// costs and memory caps. It starts from every generator that suits the stages, so it is never
/// slower than the best of them, and reports the distance to a proven lower bound. Pure and
/// deterministic: the effort is counted in timings of orders, not in seconds; of orders with more
/// than some ten thousand actions fewer are tried. Independent of placements.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/schedule/lowering.h"

namespace stagelane::search {

/// Memory limits of the rows of a schedule; 0 or absent: no limit.
struct MemoryCaps {
  std::vector<Bytes> bytes;  ///< per row, compared with predict::Simulation::peakBytes
  std::vector<int> live;     ///< per row, compared with predict::Simulation::peakLiveMicroBatches
  [[nodiscard]] std::optional<Bytes> limit(std::size_t row) const {
    return row < bytes.size() && bytes[row] > 0 ? std::optional(bytes[row]) : std::nullopt;
  }
};
/// The `max_memory` of the devices behind the rows.
[[nodiscard]] MemoryCaps capsOf(const plan::Experiment& experiment,
                                const std::vector<DeviceId>& rows);

/// A generator's schedule under the same costs.
struct NamedSchedule {
  std::string name;
  TimeNs stepNs = 0;
  bool fits = true;  ///< within the caps
};

/// `Synthesis::origin` of an order found by the search.
inline constexpr std::string_view kFromSearch = "search";

struct Synthesis {
  schedule::Schedule schedule;  ///< named `auto`
  TimeNs stepNs = 0;            ///< as simulated by `predict::simulate`
  TimeNs lowerBoundNs = 0;      ///< over all orders of these stages
  double gap = 0.0;             ///< stepNs / lowerBoundNs − 1
  bool fits = true;  ///< false: no found order fits the caps; this one exceeds them least
  predict::Basis basis = predict::Basis::Estimate;
  std::string origin;                ///< the named schedule if none was faster, or `search`
  std::vector<NamedSchedule> named;  ///< the suitable ones, fastest first
  std::int64_t timings = 0;          ///< number of timed orders
  bool cutShort = false;             ///< the orders are so long that few of them were tried
};

/// The effort for comparing layouts. A search with more effort begins with this one, so its result
/// is never slower.
inline constexpr double kQuickSearch = 0.1;

/// Called after each start that was tried: a named schedule, an order by rules, or an improved one.
/// @thread the thread of the search
using OnTried = std::function<void()>;

struct SynthesisTask {
  std::vector<int> deviceOfStage;  ///< rows numbered by first use
  const predict::PlanCosts* costs = nullptr;
  MemoryCaps caps;
  schedule::TiedStages tied;
  double effort = 1.0;   ///< 1 takes about 0.3 s for 8 devices × 32 micro-batches
  GoesOn goesOn = {};    ///< if false, the best order so far is returned
  OnTried onTried = {};  ///< may be empty
};

/// @source list scheduling for zero-bubble orders: Qi et al., "Zero Bubble Pipeline Parallelism",
/// arXiv:2401.10241, section 3 (their heuristic fixes priorities; here they are varied)
/// @errors Invalid: no costs for the stages
[[nodiscard]] Result<Synthesis> synthesize(const SynthesisTask& task);

/// Lower bound over all orders of the compute actions. For each device: the arrival of its first
/// input, its own work, the wait for its first gradient after as much work as memory allows, and
/// the way of its last gradient to the first stage.
[[nodiscard]] TimeNs lowestStep(const std::vector<int>& deviceOfStage,
                                const predict::PlanCosts& costs, const MemoryCaps& caps = {});

/// Stage layouts of p devices with v chunks that `stagelane schedule auto` tries: one stage per
/// device for v = 1, else stage s on device s mod p, and for v = 2 also the V (0 … p−1, p−1 … 0).
[[nodiscard]] std::vector<std::vector<int>> layoutsFor(int devices, int chunks);

/// Costs of `stagelane schedule`: F = I = W = 1 for each chunk, B = 2, one byte saved, free links.
[[nodiscard]] predict::PlanCosts unitCosts(const std::vector<int>& deviceOfStage, int microBatches);

/// `auto` for p devices with v chunks and unit costs, the best of `layoutsFor`.
/// @errors Invalid: sizes out of range
[[nodiscard]] Result<Synthesis> synthesizeUnit(int devices, int microBatches, int chunks,
                                               const OnTried& onTried = {});
/// The better of one chunk and two, for the same total work per device; one on a tie.
[[nodiscard]] Result<Synthesis> synthesizeUnit(int devices, int microBatches,
                                               const OnTried& onTried = {});

}  // namespace stagelane::search
