#pragma once

/// A model with its cached shapes: each edit of a plan makes reading, costs and tables request the
/// same few batch sizes again.

#include <list>
#include <memory>
#include <mutex>

#include "engine/model/model.h"
#include "engine/model/shapes.h"

namespace stagelane::model {

using ModelShapesPtr = std::shared_ptr<const ModelShapes>;

/// Caches the most recent results of inferShapes. @thread any
class ShapeMemo {
 public:
  explicit ShapeMemo(ModelPtr model) : m_model(std::move(model)) {}

  [[nodiscard]] const ModelPtr& model() const { return m_model; }
  /// @shape `input` has the batch first. @errors as inferShapes
  [[nodiscard]] Result<ModelShapesPtr> at(const Shape& input, DType dtype) const;

 private:
  struct Known {
    DType dtype = DType::Float32;
    ModelShapesPtr shapes;
  };
  [[nodiscard]] ModelShapesPtr known(const Shape& input, DType dtype) const;

  ModelPtr m_model;
  mutable std::mutex m_mutex;
  mutable std::list<Known> m_known;  ///< most recent first
};

using ShapeMemoPtr = std::shared_ptr<const ShapeMemo>;

}  // namespace stagelane::model
