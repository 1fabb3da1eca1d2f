#pragma once

/// Lower bound of the time of work that devices share and that may be cut anywhere. Private to
/// engine/predict.

#include <vector>

namespace stagelane::predict {

/// A lower bound over all assignments of pieces to devices, including divided pieces. For any
/// device weights that sum to 1, the weighted loads are at most the longest load, and at least each
/// piece on the device with its smallest weighted time. Evaluates one such sum with equal weights
/// and one with weights by speed, which is exact for devices that differ by a factor, and returns
/// the larger.
/// @param times per device, per piece, all of one length; seconds or nanoseconds; not empty
/// @source the dual of the linear program of makespans: Lenstra, Shmoys, Tardos, "Approximation
/// algorithms for scheduling unrelated parallel machines", Mathematical Programming 46 (1990)
[[nodiscard]] double leastShare(const std::vector<std::vector<double>>& times);

}  // namespace stagelane::predict
