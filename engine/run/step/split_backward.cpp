#include "engine/run/step/split_backward.h"

#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace stagelane::run {

using torch::autograd::Edge;
using torch::autograd::edge_list;
using torch::autograd::Node;

namespace {

torch::autograd::variable_list execute(const edge_list& roots,
                                       const std::vector<at::Tensor>& inputs, bool keepGraph,
                                       const edge_list& outputs) {
  return torch::autograd::Engine::get_default_engine().execute(
      roots, inputs, keepGraph, /*create_graph=*/false, /*accumulate_grad=*/outputs.empty(),
      outputs);
}

/// A norm needs the sums of its weight gradients for its input gradient as well. The input half
/// therefore computes both: half the work, and the saved tensors are freed early.
bool givesWeightsAlong(const Node& node) {
  return node.name().find("NormBackward") != std::string::npos;
}

/// Removes an edge from a node, so that the engine does not follow it.
void cutEdge(Node& node, std::size_t index) {
  // Node::set_next_edge is only for nodes without incoming edges, because it may raise the
  // topological number. Removing an edge never raises it.
  const_cast<edge_list&>(node.next_edges())[index] = Edge();
}

}  // namespace

/// State of one call of `inputHalf`.
class InputHalf {
 public:
  InputHalf(edge_list roots, std::vector<at::Tensor> gradients,
            const std::vector<at::Tensor>& leaves)
      : m_roots(std::move(roots)), m_gradients(std::move(gradients)) {
    for (const at::Tensor& leaf : leaves) {
      m_leaves.push_back(torch::autograd::impl::gradient_edge(leaf));
      m_onPath[m_leaves.back().function.get()] = true;
    }
  }

  InputGradients run() {
    for (const Edge& root : m_roots) walk(root.function.get());
    InputGradients result;
    edge_list captures = m_leaves;
    captures.insert(captures.end(), m_alongEdges.begin(), m_alongEdges.end());
    captures.insert(captures.end(), m_meetings.begin(), m_meetings.end());
    std::vector<at::Tensor> captured;
    if (!captures.empty()) captured = execute(m_roots, m_gradients, /*keepGraph=*/true, captures);

    auto next = captured.begin();
    for (std::size_t i = 0; i < m_leaves.size(); ++i) {
      result.gradients.push_back(std::move(*next++));
    }
    for (edge_list* edges : {&m_alongEdges, &m_meetings}) {
      for (Edge& edge : *edges) addRoot(result.weights, std::move(edge), std::move(*next++));
    }
    for (std::size_t i = 0; i < m_roots.size(); ++i) {
      if (!m_onPath.at(m_roots[i].function.get())) {
        addRoot(result.weights, std::move(m_roots[i]), std::move(m_gradients[i]));
      }
    }
    for (const auto& [node, index] : m_cuts) cutEdge(*node, index);
    return result;
  }

 private:
  static void addRoot(PendingWeights& weights, Edge root, at::Tensor gradient) {
    if (gradient.defined()) {
      weights.m_roots.push_back(std::move(root));
      weights.m_gradients.push_back(std::move(gradient));
    }
  }

  /// Visits all nodes below a node in post-order.
  void walk(Node* root) {
    std::vector<std::pair<Node*, std::size_t>> path{{root, 0}};
    while (!path.empty()) {
      auto& [node, index] = path.back();
      if (m_onPath.count(node) == 0 && index < node->num_outputs()) {
        Node* const below = node->next_edge(index++).function.get();
        if (below != nullptr && m_onPath.count(below) == 0) path.emplace_back(below, 0);
        continue;
      }
      if (m_onPath.count(node) == 0) leave(*node);
      path.pop_back();
    }
  }

  /// After all children of `node`: decides whether it leads to inputs and joins weights.
  void leave(Node& node) {
    std::vector<std::size_t> toInputs;
    std::vector<const Edge*> toWeights;
    for (std::size_t i = 0; i < node.num_outputs(); ++i) {
      const Edge& edge = node.next_edge(i);
      if (edge.is_valid() && m_onPath.at(edge.function.get())) {
        toInputs.push_back(i);
      } else if (edge.is_valid()) {
        toWeights.push_back(&edge);
      }
    }
    m_onPath[&node] = !toInputs.empty();
    if (toInputs.empty() || toWeights.empty()) return;
    if (givesWeightsAlong(node)) {
      for (const Edge* edge : toWeights) {
        if (m_seen.insert(edge->function.get()).second) m_alongEdges.push_back(*edge);
      }
      return;
    }
    for (std::uint32_t i = 0; i < node.num_inputs(); ++i) m_meetings.emplace_back(node.getptr(), i);
    for (const std::size_t index : toInputs) m_cuts.emplace_back(&node, index);
  }

  edge_list m_roots;
  std::vector<at::Tensor> m_gradients;
  edge_list m_leaves;
  std::unordered_map<Node*, bool> m_onPath;  ///< visited → leads to an input
  edge_list m_alongEdges;                    ///< to weights with gradients from the input half
  std::unordered_set<Node*> m_seen;          ///< in m_alongEdges
  edge_list m_meetings;                      ///< inputs of the nodes where weights join the path
  std::vector<std::pair<Node*, std::size_t>> m_cuts;
};

InputGradients inputHalf(edge_list roots, std::vector<at::Tensor> outputGradients,
                         const std::vector<at::Tensor>& leaves) {
  return InputHalf(std::move(roots), std::move(outputGradients), leaves).run();
}

void PendingWeights::accumulate() {
  const edge_list roots = std::exchange(m_roots, {});
  const std::vector<at::Tensor> gradients = std::exchange(m_gradients, {});
  if (!roots.empty()) execute(roots, gradients, /*keepGraph=*/false, {});
}

std::int64_t PendingWeights::capturedBytes() const {
  std::int64_t sum = 0;
  for (const at::Tensor& gradient : m_gradients) {
    sum += static_cast<std::int64_t>(gradient.nbytes());
  }
  return sum;
}

}  // namespace stagelane::run
