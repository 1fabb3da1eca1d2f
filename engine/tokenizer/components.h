#pragma once

/// What the components of a tokenizer.json have in common: null, one component, or a list of them
/// called Sequence; and the error for those that are not supported.

#include <functional>
#include <string>
#include <string_view>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::tokenizer {

/// Reads one component of the type. It reads all its members with `reader`.
using ReadComponent = std::function<Status(const std::string& type, ObjectReader& reader)>;

/// Calls `read` for the component, or in order for each of a Sequence, whose list is the member
/// `list`. Null and absent: for none. @errors Invalid: of `read`; not a component; too many
[[nodiscard]] Status readComponents(const Json* component, const std::string& pointer,
                                    const std::string& list, const ReadComponent& read);

/// `what` names the component: "the decoder \"CTC\"". `available` are the supported ones.
void refuse(ObjectReader& reader, const std::string& what, const std::string& available);

/// The text of the member `pattern`, which has to be `{"String": TEXT}`.
[[nodiscard]] std::string readPatternText(ObjectReader& reader, const std::string& kind);

}  // namespace stagelane::tokenizer
