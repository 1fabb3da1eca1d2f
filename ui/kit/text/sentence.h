#pragma once

/// Messages of the engine shown as sentences.

#include <QString>

namespace stagelane::ui {

/// Capitalizes the first letter, unless it belongs to the name of a device, a file or a setting.
[[nodiscard]] QString asSentence(QString text);

}  // namespace stagelane::ui
