#include "tests/support/async_device/arguments.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/List.h>
#include <ATen/ops/empty_strided.h>

#include <ostream>

namespace stagelane::async_device {

Argument::Argument(const c10::IValue& value) {
  if (value.isTensor()) {
    m_kind = Kind::Tensor;
    add(value.toTensor());
  } else if (value.isTensorList()) {
    m_kind = Kind::List;
    for (const at::Tensor& each : value.toTensorVector()) add(each);
  } else if (value.isOptionalTensorList()) {
    m_kind = Kind::OptionalList;
    for (const std::optional<at::Tensor>& each : value.toOptionalTensorVector()) {
      add(each.value_or(at::Tensor()));
    }
  } else if (value.isDevice()) {
    m_plain = at::Device(at::kCPU);
  } else {
    m_plain = value;
  }
}

Argument Argument::random(std::uint64_t seed) {
  Argument argument;
  argument.m_kind = Kind::Random;
  argument.m_seed = seed;
  return argument;
}

void Argument::add(const at::Tensor& tensor) {
  if (isOurs(tensor)) {
    m_views.emplace_back(TensorView(tensor));
    m_others.emplace_back();
    return;
  }
  m_views.emplace_back();
  // The caller may change it before the task runs. Numbers that were wrapped cannot change, and a
  // copy would lose that they do not decide the result's type.
  const bool copied = tensor.defined() && !tensor.unsafeGetTensorImpl()->is_wrapped_number();
  m_others.push_back(copied ? tensor.clone() : tensor);
}

at::Tensor Argument::tensor(std::size_t i) const {
  return m_views[i] ? m_views[i]->onCpu() : m_others[i];
}

c10::IValue Argument::onCpu() const {
  switch (m_kind) {
    case Kind::Plain: return m_plain;
    case Kind::Tensor: return tensor(0);
    case Kind::Random: return at::make_generator<at::CPUGeneratorImpl>(m_seed);
    case Kind::List: {
      c10::List<at::Tensor> list;
      for (std::size_t i = 0; i < m_views.size(); ++i) list.push_back(tensor(i));
      return list;
    }
    case Kind::OptionalList: break;
  }
  c10::List<std::optional<at::Tensor>> list;
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    const at::Tensor each = tensor(i);
    list.push_back(each.defined() ? std::optional<at::Tensor>(each) : std::nullopt);
  }
  return list;
}

Argument Argument::rehearsal() const {
  Argument zeros = *this;
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    const std::optional<TensorView>& view = m_views[i];
    if (!view) continue;
    zeros.m_others[i] =
        at::empty_strided(view->sizes, view->strides, at::TensorOptions(view->type)).zero_();
    zeros.m_views[i].reset();
  }
  return zeros;
}

void Argument::describe(std::ostream& to) const {
  if (m_kind == Kind::Plain) to << m_plain;
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    if (m_views[i]) {
      to << m_views[i]->type << c10::IntArrayRef(m_views[i]->sizes)
         << c10::IntArrayRef(m_views[i]->strides);
    } else if (m_others[i].defined()) {
      to << m_others[i].scalar_type() << m_others[i].sizes();
    }
    to << ',';
  }
  to << ';';
}

bool Argument::keepsSize(const c10::IValue& given) const {
  return m_kind != Kind::Tensor || !m_views[0] ||
         given.toTensor().sizes() == c10::IntArrayRef(m_views[0]->sizes);
}

void pushOnCpu(const std::vector<Argument>& arguments, torch::jit::Stack& stack) {
  for (const Argument& each : arguments) stack.push_back(each.onCpu());
}

}  // namespace stagelane::async_device
