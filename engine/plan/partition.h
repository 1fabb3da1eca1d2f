#pragma once

/// Where to cut a chain of blocks so that the slowest device is as fast as possible. Pure search
/// over costs; knows neither models nor schedules.

#include <cstddef>
#include <vector>

namespace stagelane::plan {

/// Exact minimum of the largest part over all contiguous cuts into min(devices, blocks) parts of at
/// least one block; among those, the one with the smallest sum of squares, so that what is left
/// over is spread evenly. `costOn[d][b]` is the cost of block b on device d; parts go to the
/// devices in their order. Returns the first block of each part. O(devices · blocks²).
/// @pre every costOn[d] has the same length and no negative value
[[nodiscard]] std::vector<std::size_t> minBottleneckCut(
    const std::vector<std::vector<double>>& costOn);

}  // namespace stagelane::plan
