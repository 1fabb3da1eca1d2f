#pragma once

/// Numbers as the window shows them: three significant digits, a space before the unit, a true
/// minus sign (U+2212), percentages that add up, and the decimal sign of the default locale. Files
/// and JSON have their own formats.

#include <QString>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane {

using namespace Qt::StringLiterals;  // u"text"_s

}  // namespace stagelane

namespace stagelane::ui {

/// "38.20" with 2 decimals, in the locale of the screen (translation.h).
[[nodiscard]] QString numberText(double value, int decimals);
/// "1.23e-05": `digits` significant digits without trailing zeros.
[[nodiscard]] QString preciseText(double value, int digits);
/// "38.2 ms", "3.75 s", "12.0 µs", "0 ms".
[[nodiscard]] QString timeText(TimeNs ns);
/// Seconds as measured: "3.75 s", "512 ms".
[[nodiscard]] QString secondsText(double seconds);
/// A number in the column's unit: "38.2", "128".
[[nodiscard]] QString columnText(double value);
/// A part of a time, in the unit and with the decimals that timeText uses for the whole: "151" of
/// "180 µs".
[[nodiscard]] QString timeInUnitOf(TimeNs ns, TimeNs whole);
/// "+12.0 ms", "−12.0 ms", "±0 ms".
[[nodiscard]] QString timeDifferenceText(TimeNs differenceNs);
/// Coarse time left: "20 s", "2 min", "1 h 5 min".
[[nodiscard]] QString durationText(double seconds);
/// "3.3 GiB", "784 MiB", "64 B".
[[nodiscard]] QString bytesText(Bytes bytes);
/// "3.3 / 8 GiB" or "3.3 of 8 GiB": both in the unit of the second, separated by `separator`.
[[nodiscard]] QString bytesOfText(Bytes used, Bytes total, const QString& separator);
/// "25.6 M", "379 k", "9", "–" for zero.
[[nodiscard]] QString countText(std::int64_t count);
/// "81 %", "19.1 %" with `decimals` decimals; `fraction` is 0 … 1.
[[nodiscard]] QString percentText(double fraction, int decimals = 0);
/// "+5.9 %", "−5.9 %", "±0 %".
[[nodiscard]] QString percentDifferenceText(double fraction, int decimals = 1);
/// "1.59×".
[[nodiscard]] QString timesText(double factor);
/// "3×224×224".
[[nodiscard]] QString shapeText(const std::vector<std::int64_t>& shape);
/// "layer3.0–layer3.5", "conv1", "" for none.
[[nodiscard]] QString rangeText(const QString& first, const QString& last);
/// "1 block", "3 blocks".
[[nodiscard]] QString countedText(std::int64_t count, const QString& one, const QString& many);
/// "GPU", "CPU worker", … in words for a device id.
[[nodiscard]] QString deviceKindText(const DeviceId& device);
/// An error as one or two sentences, without its code.
[[nodiscard]] QString errorText(const Error& error);

/// The same as a sentence without the place in the file, for readers who see only the plan.
[[nodiscard]] QString sentenceText(const Error& error);

/// The error `Invalid` with texts in the language of the window.
[[nodiscard]] tl::unexpected<Error> refused(const QString& message, const QString& hint = {},
                                            const std::string& context = {});

[[nodiscard]] QString qstring(std::string_view text);
[[nodiscard]] std::string utf8(const QString& text);

}  // namespace stagelane::ui
