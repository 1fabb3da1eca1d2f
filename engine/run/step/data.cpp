#include "engine/run/step/data.h"

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
  model::Shape shape = classes.sizes().vec();
  shape.push_back(count);
  return at::zeros(shape, dtype).scatter_(-1, classes.unsqueeze(-1), 1.0);
}

/// The batch and the output sizes of one sample, without the classes.
model::Shape labelShape(const plan::Experiment& experiment) {
  model::Shape shape{experiment.data.batchSize};
  shape.insert(shape.end(), experiment.outputRows.begin(), experiment.outputRows.end());
  return shape;
}

}  // namespace

at::ScalarType scalarType(const plan::Experiment& experiment) {
  switch (experiment.dtype) {
    case model::DType::Float64: return at::kDouble;
    case model::DType::BFloat16: return at::kBFloat16;
    case model::DType::Float32: break;
  }
  return at::kFloat;
}

SyntheticData::SyntheticData(const plan::Experiment& experiment, at::ScalarType dtype)
    : m_experiment(experiment), m_dtype(dtype) {
  startRepeat();
}

void SyntheticData::startRepeat() {
  const plan::DataSpec& data = m_experiment.data;
  m_generator = at::make_generator<at::CPUGeneratorImpl>(data.seed + 1);
  m_left = data.samples;
  if (data.labels != plan::Labels::Normal) {
    m_classes = at::empty(labelShape(m_experiment), at::kLong)
                    .random_(0, m_experiment.model->classes, m_generator);
  }
}

Batch SyntheticData::next() {
  const c10::AutoGradMode noGrad(false);
  const plan::DataSpec& data = m_experiment.data;
  const std::int64_t classes = m_experiment.model->classes;
  const std::int64_t samples = m_left > 0 ? std::min(m_left, data.batchSize) : data.batchSize;
  m_left -= samples;
  model::Shape shape{samples};
  shape.insert(shape.end(), m_experiment.input.begin(), m_experiment.input.end());

  Batch batch;
  const std::int64_t vocabulary = m_experiment.model->vocabulary;
  batch.input = vocabulary > 0 ? at::empty(shape, at::kLong).random_(0, vocabulary, m_generator)
                               : drawNormal(shape, m_dtype, m_generator);
  switch (data.labels) {
    case plan::Labels::OneHot:
      batch.target = oneHot(m_classes.narrow(0, 0, samples), classes, m_dtype);
      break;
    case plan::Labels::ClassIndex: batch.target = m_classes.narrow(0, 0, samples).clone(); break;
    case plan::Labels::Normal: {
      model::Shape rows = labelShape(m_experiment);
      rows.front() = samples;
      rows.push_back(classes);
      batch.target = drawNormal(rows, m_dtype, m_generator);
      break;
    }
  }
  return batch;
}

at::Tensor scaledLoss(plan::LossKind kind, const at::Tensor& output, const at::Tensor& target,
                      std::int64_t batchSize) {
  if (kind == plan::LossKind::CrossEntropy) {
    // [samples, positions, classes] becomes rows of classes with one target each.
    const std::int64_t rowsPerSample = output.dim() > 2 ? output.flatten(1, -2).size(1) : 1;
    const bool many = output.dim() > 2;
    const bool indices = target.dim() < output.dim();
    return at::cross_entropy_loss(many ? output.flatten(0, -2) : output,
                                  many ? target.flatten(0, indices ? -1 : -2) : target, {},
                                  at::Reduction::Sum)
        .div(static_cast<double>(batchSize * rowsPerSample));
  }
  const std::int64_t perSample = output.size(0) == 0 ? 1 : output.numel() / output.size(0);
  return at::mse_loss(output, target, at::Reduction::Sum)
      .div(static_cast<double>(batchSize * perSample));
}

}  // namespace stagelane::run
