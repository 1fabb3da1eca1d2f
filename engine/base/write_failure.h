#pragma once

/// What the system's number for a failed write means for whoever wanted the file: why it failed and
/// what may help. Without it a disk that is full and a folder that is missing would be told alike.

#include <string>

namespace stagelane {

struct WriteFailure {
  std::string why;     ///< "the disk is full"
  std::string advice;  ///< "free some space or choose another folder"
};

/// `errorNumber`: as in errno.
[[nodiscard]] WriteFailure writeFailure(int errorNumber);

}  // namespace stagelane
