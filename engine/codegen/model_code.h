#pragma once

/// A model as Python: the classes missing in PyTorch, and a function that builds the chain of
/// blocks with the initial values of `stagelane run`.

#include <map>
#include <set>
#include <string>

#include "engine/model/model.h"

namespace stagelane::codegen::detail {

struct ModelCode {
  std::string classes;        ///< followed by two blank lines each; may be empty
  std::string buildFunction;  ///< `def build_blocks(): …`, needs SEED and DTYPE
  bool dropout = false;       ///< whether a layer has dropout
  /// Expression of each tied parameter in terms of a local `blocks`, by its owner's full name.
  std::map<std::string, std::string> tied;
};

/// `stageStarts` are the first blocks of stages: their first layer must not overwrite its input.
[[nodiscard]] ModelCode modelCode(const model::Model& model,
                                  const std::set<std::size_t>& stageStarts);

}  // namespace stagelane::codegen::detail
