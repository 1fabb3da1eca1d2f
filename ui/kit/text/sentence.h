#pragma once

/// Words of the engine where they stand as a sentence of their own.

#include <QString>

namespace stagelane::ui {

/// With a capital at its beginning, unless that is a name: of a device, a file, a setting.
[[nodiscard]] QString asSentence(QString text);

}  // namespace stagelane::ui
