#pragma once

/// Texts about a run on a host: its connection, the copying of its files, and runs that were left
/// there. Pure.

#include <QString>
#include <optional>

#include "ui/frame/banner_text.h"

namespace stagelane::ui {

class Session;

/// "connection to gpu-box lost", "copying files from gpu-box", for the run bar; empty if the
/// progress of the run says more.
[[nodiscard]] QString connectionText(const Session& session);

/// The connection of the run in progress, unless its events arrive.
[[nodiscard]] std::optional<BannerText> bannerOfConnection(const Session& session);

/// Runs that go on on a host and can be taken up. Not while another run is in progress.
[[nodiscard]] std::optional<BannerText> bannerOfLeft(const Session& session);

}  // namespace stagelane::ui
