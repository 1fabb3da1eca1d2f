#pragma once

/// Background work of which only the latest result matters (a search, preparing a step, statistics
/// of an area). Starting new work drops the result of earlier work.

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>

namespace stagelane::ui {

class LatestJob final : public QObject {
  Q_OBJECT

 public:
  /// Set when newer work was started: running work may stop early.
  using Canceled = std::shared_ptr<std::atomic<bool>>;
  /// `work` runs in another thread; the function it returns runs in this object's thread. An
  /// exception is reported on standard error and yields no result.
  using Work = std::function<std::function<void()>(const std::atomic<bool>& canceled)>;

  explicit LatestJob(QObject* parent = nullptr);
  ~LatestJob() override;

  void start(Work work);
  /// Drops the result of the running work.
  void cancel();
  [[nodiscard]] bool running() const { return m_running; }

 private:
  QThreadPool m_pool;
  Canceled m_canceled;
  bool m_running = false;
};

}  // namespace stagelane::ui
