#include "engine/run/ranks/gradient_reducer.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <mutex>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>
#include <utility>

#include "engine/run/device/worker.h"
#include "engine/run/ranks/c10d_share.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

constexpr std::size_t kBroadcastBytes = std::size_t{250} << 20;  // as DistributedDataParallel's

/// Spans of a step; shared with callbacks of operations in progress.
struct Spans {
  std::mutex mutex;  ///< guards all
  std::vector<BucketSpan> all;
};

/// Passes every operation on to another backend and reads the clock at both ends of all-reduces.
/// (A communication hook of the Reducer would replace its division as well.)
class TimedBackend final : public c10d::Backend {
 public:
  TimedBackend(c10::intrusive_ptr<c10d::Backend> inner, std::shared_ptr<Spans> spans)
      : Backend(inner->getRank(), inner->getSize()),
        m_inner(std::move(inner)),
        m_spans(std::move(spans)) {}

  const std::string getBackendName() const override { return m_inner->getBackendName(); }

  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                           const c10d::AllreduceOptions& options) override {
    const auto bytes = static_cast<Bytes>(tensors.at(0).nbytes());
    std::size_t index = 0;
    {
      const std::lock_guard lock(m_spans->mutex);
      index = m_spans->all.size();
      m_spans->all.push_back({static_cast<int>(index), bytes, trace::monotonicNs(), 0});
    }
    const auto work = m_inner->allreduce(tensors, options);
    const auto future = work->getFuture();
    // `then` and not `addCallback`: a future wakes its waiters before its callbacks run.
    auto timed = future->then(
        [spans = m_spans, index](c10::ivalue::Future& ended) {
          {
            const std::lock_guard lock(spans->mutex);
            if (index < spans->all.size()) spans->all[index].endNs = trace::monotonicNs();
          }
          return ended.value();  // throws what the all-reduce threw
        },
        future->elementType());
    return c10d::Work::create_from_future(timed);
  }
  c10::intrusive_ptr<c10d::Work> allgather(std::vector<std::vector<at::Tensor>>& outputs,
                                           std::vector<at::Tensor>& inputs,
                                           const c10d::AllgatherOptions& options) override {
    return m_inner->allgather(outputs, inputs, options);
  }
  c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors,
                                           const c10d::BroadcastOptions& options) override {
    return m_inner->broadcast(tensors, options);
  }
  c10::intrusive_ptr<c10d::Work> barrier(const c10d::BarrierOptions& options) override {
    return m_inner->barrier(options);
  }
  void setSequenceNumberForGroup() override { m_inner->setSequenceNumberForGroup(); }
  std::uint64_t getSequenceNumberForGroup() override {
    return m_inner->getSequenceNumberForGroup();
  }

 private:
  c10::intrusive_ptr<c10d::Backend> m_inner;
  std::shared_ptr<Spans> m_spans;
};

std::vector<at::Tensor> detached(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> plain;
  for (const at::Tensor& tensor : tensors) plain.push_back(tensor.detach());
  return plain;
}

std::unique_ptr<c10d::Reducer> makeReducer(const std::vector<at::Tensor>& parameters,
                                           const c10::intrusive_ptr<c10d::ProcessGroup>& group,
                                           const GradientReducerOptions& options) {
  const std::vector<bool> sparse(parameters.size(), false);
  auto [buckets, limits] =
      c10d::compute_bucket_assignment_by_size(parameters,
                                              {static_cast<std::size_t>(options.firstBucketBytes),
                                               static_cast<std::size_t>(options.bucketBytes)},
                                              sparse);
  // Gradients come in about the opposite order of the parameters.
  std::reverse(buckets.begin(), buckets.end());
  return std::make_unique<c10d::Reducer>(
      parameters, buckets, group, sparse, options.bucketBytes, options.findUnused,
      options.gradientAsBucketView, std::unordered_map<std::size_t, std::string>{},
      options.firstBucketBytes, /*skip_all_reduce_unused_params=*/false,
      /*use_python_reducer=*/false, std::vector<std::int64_t>{});
}

}  // namespace

struct GradientReducer::Impl {
  std::shared_ptr<RankGroup> group;
  GradientReducerOptions options;
  std::shared_ptr<Spans> spans = std::make_shared<Spans>();
  c10::intrusive_ptr<c10d::ProcessGroup> front;
  std::unique_ptr<c10d::Reducer> reducer;
};

GradientReducer::GradientReducer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

GradientReducer::~GradientReducer() {
  const Status removed = guarded("removing the hooks of gradients", [this]() -> Status {
    m_impl->reducer->remove_autograd_hooks();
    return {};
  });
  (void)removed;  // after a failed step, the parameters end as well
}

Result<std::unique_ptr<GradientReducer>> GradientReducer::create(
    std::shared_ptr<RankGroup> group, std::vector<at::Tensor> parameters,
    const std::vector<at::Tensor>& buffers, const GradientReducerOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  impl->group = std::move(group);
  const RankGroup& members = *impl->group;
  STAGELANE_CHECK(guarded("replicas in group '" + members.name() + "'", [&]() -> Status {
    const auto timed =
        c10::make_intrusive<TimedBackend>(intrusiveFrom(members.backend()), impl->spans);
    impl->front = c10::make_intrusive<c10d::ProcessGroup>(
        intrusiveFrom(members.front())->getStore(), members.rank(), members.size());
    impl->front->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO, timed);
    impl->front->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
    impl->front->setGroupName("stagelane/" + members.name() + "/gradients");
    c10d::verify_params_across_processes(impl->front, parameters, std::nullopt);
    std::vector<at::Tensor> state = detached(parameters);
    for (const at::Tensor& buffer : buffers) state.push_back(buffer.detach());
    c10d::broadcast_coalesced(impl->front, state, kBroadcastBytes, 0);
    impl->reducer = makeReducer(parameters, impl->front, options);
    return {};
  }));
  return std::unique_ptr<GradientReducer>(new GradientReducer(std::move(impl)));
}

Status GradientReducer::prepareForward() {
  {
    const std::lock_guard lock(m_impl->spans->mutex);
    m_impl->spans->all.clear();
  }
  return guarded("preparing the reduction of gradients", [this]() -> Status {
    m_impl->reducer->prepare_for_forward();
    m_impl->reducer->rebuild_buckets();
    return {};
  });
}

Status GradientReducer::prepareLastBackward(const std::vector<at::Tensor>& outputs) {
  return guarded("preparing the reduction of gradients", [&]() -> Status {
    m_impl->reducer->prepare_for_backward(m_impl->options.findUnused ? outputs
                                                                     : std::vector<at::Tensor>{});
    return {};
  });
}

Status GradientReducer::handOver(const std::vector<std::size_t>& parameters) {
  return guarded("reducing gradients", [&]() -> Status {
    // The Reducer waits for its buckets at the end of the backward in which its hooks are called.
    const c10::AutoGradMode enabled(true);
    at::Tensor leaf = at::zeros({1}).requires_grad_(true);
    leaf.register_hook([&](const at::Tensor& gradient) {
      for (auto one = parameters.rbegin(); one != parameters.rend(); ++one) {
        m_impl->reducer->autograd_hook(*one);
      }
      return gradient;
    });
    torch::autograd::backward({leaf.mul(1)}, {at::ones({1})});
    return {};
  });
}

Result<std::vector<BucketSpan>> GradientReducer::finish() {
  STAGELANE_CHECK(guarded("the reduction of gradients", [this]() -> Status {
    m_impl->reducer->check_finalized();
    return {};
  }));
  const std::lock_guard lock(m_impl->spans->mutex);
  return m_impl->spans->all;
}

}  // namespace stagelane::run
