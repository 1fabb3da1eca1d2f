#pragma once

/// A model as Python: the classes that PyTorch does not have, and a function that builds the chain
/// of blocks with the initial values of `stagelane run`.

#include <map>
#include <set>
#include <string>

#include "engine/model/model.h"

namespace stagelane::codegen::detail {

struct ModelCode {
  std::string classes;        ///< with two blank lines after each; may be empty
  std::string buildFunction;  ///< `def build_blocks(): …`, needs SEED and DTYPE
  bool dropout = false;       ///< some layer drops values
  /// Python expression of each parameter that is tied, by its owner's full name, of a local
  /// `blocks`.
  std::map<std::string, std::string> tied;
};

/// `stageStarts` are the blocks that stages begin with: their first layer must not overwrite what
/// it is given.
[[nodiscard]] ModelCode modelCode(const model::Model& model,
                                  const std::set<std::size_t>& stageStarts);

}  // namespace stagelane::codegen::detail
