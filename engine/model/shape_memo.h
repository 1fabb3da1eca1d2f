#pragma once

/// A model with the shapes that were worked out for it: reading, costs and tables ask for the same
/// few batch sizes again and again, with each edit of a plan.

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

#include "engine/model/model.h"
#include "engine/model/shapes.h"

namespace stagelane::model {

using ModelShapesPtr = std::shared_ptr<const ModelShapes>;

/// Remembers the last few answers of inferShapes. @thread any
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
  mutable std::list<Known> m_known;  ///< last asked first
};

using ShapeMemoPtr = std::shared_ptr<const ShapeMemo>;

}  // namespace stagelane::model
