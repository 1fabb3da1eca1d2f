#pragma once

/// The kernel of every operator that has no other: queues a task in which the CPU's operator works
/// on the device's memory, so that the bits are the CPU's.

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "tests/support/async_device/cpu_operator.h"

namespace stagelane::async_device {

/// Queues `cpu` in place of `op`, whose arguments are on the stack, and puts the outputs there.
/// Operators whose outputs depend on data (nonzero, equal) wait for the stream, as on a GPU.
void callAsynchronously(const c10::OperatorHandle& op, const CpuOperator& cpu,
                        torch::jit::Stack* stack);

/// The same with the CPU's kernel of `op`.
void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace stagelane::async_device
