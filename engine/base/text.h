#pragma once

/// Text formatting that both programs share: slugs, sizes, times, percentages.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane {

/// Lower case, every run of other characters one `-`, trimmed, empty → `variant`; at most 100
/// characters. Used for variant ids and file names.
[[nodiscard]] std::string slug(std::string_view name);
/// `slug(name)`, with `-2`, `-3` … when taken; adds the result to `taken`.
[[nodiscard]] std::string uniqueSlug(std::string_view name, std::set<std::string>& taken);

/// "1.5 GiB", "64 B": binary units, at most one decimal.
[[nodiscard]] std::string humanBytes(Bytes bytes);
/// "38.2 ms", "3.75 s", "12 µs": three significant digits.
[[nodiscard]] std::string humanTime(double nanoseconds);
/// "12.3 %" of a share from 0 to 1: one decimal.
[[nodiscard]] std::string humanPercent(double share);
/// "a, b, c".
[[nodiscard]] std::string joined(const std::vector<std::string>& words);
/// "8GiB", "500MB", "1024": KiB/MiB/GiB/TiB are powers of 1024, kB/MB/GB/TB of 1000.
/// @errors Invalid
[[nodiscard]] Result<Bytes> parseBytes(std::string_view text);
/// The candidate nearest to `word` by edit distance, "" if none is close.
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& candidates);
/// Percentages with `decimals` decimals that add up to exactly 100 (largest remainder); all zero
/// when the parts sum to zero.
[[nodiscard]] std::vector<double> roundedPercentages(const std::vector<TimeNs>& parts,
                                                     int decimals);

}  // namespace stagelane
