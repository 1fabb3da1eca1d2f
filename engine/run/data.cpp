#include "engine/run/detail/data.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

namespace stagelane::run {
namespace {

at::Tensor drawNormal(const model::Shape& shape, at::ScalarType dtype,
                      const at::Generator& generator) {
  return at::randn(shape, generator, at::TensorOptions(at::kFloat)).to(dtype);
}

at::Tensor oneHot(const at::Tensor& classes, std::int64_t count, at::ScalarType dtype) {
  return at::zeros({classes.size(0), count}, dtype).scatter_(1, classes.unsqueeze(1), 1.0);
}

}  // namespace

SyntheticData::SyntheticData(const plan::Experiment& experiment, at::ScalarType dtype)
    : m_experiment(experiment), m_dtype(dtype) {
  startRepeat();
}

void SyntheticData::startRepeat() {
  const plan::DataSpec& data = m_experiment.data;
  m_generator = at::make_generator<at::CPUGeneratorImpl>(data.seed + 1);
  if (data.labels != plan::Labels::Normal) {
    m_classes =
        at::empty({data.batchSize}, at::kLong).random_(0, m_experiment.model->classes, m_generator);
  }
}

Batch SyntheticData::next() {
  const c10::AutoGradMode noGrad(false);
  const plan::DataSpec& data = m_experiment.data;
  const std::int64_t classes = m_experiment.model->classes;
  model::Shape shape{data.batchSize};
  shape.insert(shape.end(), m_experiment.input.begin(), m_experiment.input.end());

  Batch batch;
  batch.input = drawNormal(shape, m_dtype, m_generator);
  switch (data.labels) {
    case plan::Labels::OneHot: batch.target = oneHot(m_classes, classes, m_dtype); break;
    case plan::Labels::ClassIndex: batch.target = m_classes.clone(); break;
    case plan::Labels::Normal:
      batch.target = drawNormal({data.batchSize, classes}, m_dtype, m_generator);
      break;
  }
  return batch;
}

at::Tensor scaledLoss(plan::LossKind kind, const at::Tensor& output, const at::Tensor& target,
                      std::int64_t batchSize) {
  if (kind == plan::LossKind::CrossEntropy) {
    return at::cross_entropy_loss(output, target, {}, at::Reduction::Sum)
        .div(static_cast<double>(batchSize));
  }
  const std::int64_t perSample = output.size(0) == 0 ? 1 : output.numel() / output.size(0);
  return at::mse_loss(output, target, at::Reduction::Sum)
      .div(static_cast<double>(batchSize * perSample));
}

}  // namespace stagelane::run
