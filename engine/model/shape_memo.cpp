#include "engine/model/shape_memo.h"

#include <algorithm>

namespace stagelane::model {
namespace {

/// More than the micro-batch sizes that are compared at one time; the shapes of a resnet152 take
/// several hundred kB.
constexpr std::size_t kMostKnown = 24;

}  // namespace

ModelShapesPtr ShapeMemo::known(const Shape& input, DType dtype) const {
  const std::lock_guard lock(m_mutex);
  const auto found = std::find_if(m_known.begin(), m_known.end(), [&](const Known& known) {
    return known.dtype == dtype && known.shapes->input == input;
  });
  if (found == m_known.end()) return nullptr;
  m_known.splice(m_known.begin(), m_known, found);
  return m_known.front().shapes;
}

Result<ModelShapesPtr> ShapeMemo::at(const Shape& input, DType dtype) const {
  if (auto shapes = known(input, dtype)) return shapes;
  STAGELANE_TRY(inferred, inferShapes(*m_model, input, dtype));
  auto shapes = std::make_shared<const ModelShapes>(std::move(*inferred));
  const std::lock_guard lock(m_mutex);
  m_known.push_front({dtype, shapes});
  if (m_known.size() > kMostKnown) m_known.pop_back();
  return ModelShapesPtr(std::move(shapes));
}

}  // namespace stagelane::model
