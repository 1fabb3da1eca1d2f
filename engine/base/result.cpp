#include "engine/base/result.h"

namespace stagelane {

namespace {

FailureKind kindOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::Usage: return FailureKind::Usage;
    case ErrorCode::Invalid: return FailureKind::Invalid;
    case ErrorCode::DeviceMissing: return FailureKind::DeviceMissing;
    case ErrorCode::OutOfMemory: return FailureKind::OutOfMemory;
    case ErrorCode::EngineFailure: return FailureKind::EngineFailure;
    case ErrorCode::GradientMismatch: return FailureKind::GradientsDiffer;
    case ErrorCode::CannotWrite: return FailureKind::CannotWrite;
  }
  return FailureKind::Unknown;
}

}  // namespace

Failure failureOf(const Error& error) {
  Failure failure = error.failure;
  if (failure.kind == FailureKind::Unknown) failure.kind = kindOf(error.code);
  return failure;
}

std::string describe(const Error& error) {
  std::string text = error.message;
  if (!error.context.empty()) text += " (at " + error.context + ")";
  if (!error.hint.empty()) text += ". " + error.hint;
  return text;
}

}  // namespace stagelane
