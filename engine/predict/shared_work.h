#pragma once

/// How fast devices can be at best that share work which may be cut anywhere. Private to
/// engine/predict.

#include <vector>

namespace stagelane::predict {

/// No way of giving each piece to one of the devices, nor of dividing pieces, ends before this.
/// With any weights of the devices that add up to 1 the weighted loads are no more than the longest
/// load, and no less than each piece on the device where its weighted time is least: one such sum
/// with equal weights, one with weights by speed, which is exact for devices that differ by a
/// factor. The larger of the two.
/// @param times per device, per piece, all of one length; seconds or nanoseconds; not empty
/// @source the dual of the linear program of makespans: Lenstra, Shmoys, Tardos, "Approximation
/// algorithms for scheduling unrelated parallel machines", Mathematical Programming 46 (1990)
[[nodiscard]] double leastShare(const std::vector<std::vector<double>>& times);

}  // namespace stagelane::predict
