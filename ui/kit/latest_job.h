#pragma once

/// Work of which only the latest matters: a step that is made ready, a search, figures of an area.
/// It runs beside the window; when newer work was started meanwhile, its answer is dropped.

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>

namespace stagelane::ui {

class LatestJob final : public QObject {
  Q_OBJECT

 public:
  /// Set when newer work was started: what runs may end early.
  using Canceled = std::shared_ptr<std::atomic<bool>>;
  /// Runs in the other thread; what it returns runs in this object's thread. Work that throws is
  /// said on standard error and answers nothing.
  using Work = std::function<std::function<void()>(const std::atomic<bool>& canceled)>;

  explicit LatestJob(QObject* parent = nullptr);
  ~LatestJob() override;

  void start(Work work);
  /// Drops the answer of what runs.
  void cancel();
  [[nodiscard]] bool running() const { return m_running; }

 private:
  QThreadPool m_pool;
  Canceled m_canceled;
  bool m_running = false;
};

}  // namespace stagelane::ui
