#include "engine/base/version.h"

#include "stagelane_version.h"

namespace stagelane {

std::string_view version() { return STAGELANE_VERSION; }

std::string_view gitRevision() { return STAGELANE_GIT_REVISION; }

}  // namespace stagelane
