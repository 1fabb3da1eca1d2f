#pragma once

/// What ranks write about themselves into their heartbeats, as other ranks read it.

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/run/ranks/heartbeats.h"

namespace stagelane::run {

/// A state that another rank has written; an empty object if it is not one.
[[nodiscard]] Json stateOf(const RankState& state);
/// Adds the variant that a rank trains, and its repeat from 1; 0: a warm-up.
void addTurn(Json& row, const Json& state);
/// Adds to the error where a lost rank was, as far as its last state says.
void setPlace(Error& error, const Json& state);

}  // namespace stagelane::run
