#pragma once

/// Reads the traces of the session's run from its folder in another thread, one after another, and
/// adds them to the session.

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "profiler/formats/read_progress.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class RunTraces final : public QObject {
  Q_OBJECT

 public:
  /// @pre `session` outlives this
  explicit RunTraces(ui::Session* session, QObject* parent = nullptr);
  ~RunTraces() override;

  void load(const std::string& variantId);
  /// Reads the repeats so far of the shown variant from time to time.
  void loadGrowing(const std::string& variantId);
  /// Drops traces that are being read or queued.
  void stop();
  /// Call when the session's run changes.
  void forget();
  [[nodiscard]] bool busy() const { return m_reading > 0; }

 private:
  ui::Session* m_session;
  QThreadPool m_pool;
  std::uint64_t m_run = 0;  ///< a trace of an older run is dropped
  std::set<std::string> m_loaded;
  int m_reading = 0;
  bool m_growing = false;  ///< a growing trace is being read
  QElapsedTimer m_sinceGrowing;
  std::shared_ptr<formats::ReadProgress> m_progress = std::make_shared<formats::ReadProgress>();
};

}  // namespace stagelane::app
