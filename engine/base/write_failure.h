#pragma once

/// Turns the errno of a failed write into a reason and an advice, so that for example a full disk
/// and a missing folder have different messages.

#include <string>

namespace stagelane {

struct WriteFailure {
  std::string why;     ///< "the disk is full"
  std::string advice;  ///< "free some space or choose another folder"
};

/// `errorNumber`: as in errno.
[[nodiscard]] WriteFailure writeFailure(int errorNumber);

}  // namespace stagelane
