#pragma once

/// Hosts in device names: `gpu-box/cuda:0` is the device `cuda:0` of the host `gpu-box`. A host is
/// a target of ssh: an alias of the user's ssh configuration, or `user@host`. `parseDevice` reads
/// such names like those of this machine, so plans and predictions need nothing more. How a host is
/// reached is in app/engine_client/remote.

#include <string>
#include <string_view>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::plan {

struct Experiment;

/// The host of a device's name: `gpu-box` of `gpu-box/cuda:0/1of2@1`, "" of `cuda:0/1of2@1`.
[[nodiscard]] std::string hostOf(const DeviceId& device);
/// The name of the device on its own host: `cuda:0` of `gpu-box/cuda:0`.
[[nodiscard]] DeviceId withoutHost(const DeviceId& device);
/// `gpu-box/cuda:0` for `gpu-box` and `cuda:0`. @pre the name has no host
[[nodiscard]] DeviceId onHost(const std::string& host, const DeviceId& device);
/// Whether the name ends with a rank, as `cpu:0@1` does. The host can contain an `@` as well.
[[nodiscard]] bool namesRank(const DeviceId& device);

/// Whether ssh can be given this name: not empty, no `/`, no blanks, no leading `-`.
/// @errors Invalid
[[nodiscard]] Status checkHostName(std::string_view host);

/// The host that all listed devices are on; "" for this machine. Imagined devices are on none.
/// @errors Invalid, at the first device that is elsewhere: a run is on one host
[[nodiscard]] Result<std::string> hostOf(const Experiment& experiment);
/// The same of a document that may not be valid otherwise; "" if it lists no devices.
/// @errors as above
[[nodiscard]] Result<std::string> hostOfDocument(const Json& document);

/// Checks that an experiment is for the engine on this host, whose name in devices is `own`
/// ("": only names without a host). @errors Invalid, at the device
[[nodiscard]] Status requireHost(const Experiment& experiment, const std::string& own);

}  // namespace stagelane::plan
