#pragma once

/// The main window: only connects session, shell, pages, run controller and files.

#include <QMainWindow>

#include "app/engine_client/calibration_controller.h"
#include "app/engine_client/cost_lookup.h"
#include "app/engine_client/host_lookup.h"
#include "app/engine_client/machine_lookup.h"
#include "app/engine_client/run_controller.h"
#include "app/engine_client/sweep_controller.h"
#include "app/window/document_actions.h"
#include "app/window/run_notice.h"
#include "app/window/unsaved_changes.h"
#include "app/window/window_state.h"
#include "ui/frame/shell.h"
#include "ui/runs/sweep/sweep_check.h"
#include "ui/session/session.h"

namespace stagelane::app {

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(const WindowOptions& options);
  ~MainWindow() override;

  /// Opens `options.file`, else the last document, else the first-start example. If the file cannot
  /// be opened, opens the example and shows the error. @errors Invalid: the same error in an
  /// automated window
  [[nodiscard]] Status openFirst();
  [[nodiscard]] ui::Session& session() { return m_session; }
  [[nodiscard]] ui::Shell& shell() { return *m_shell; }
  /// True if nothing is being computed, loaded or laid out.
  [[nodiscard]] bool settled() const;

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void selectPipeline();
  [[nodiscard]] QString lastOpened() const;
  void addActions();
  void openPalette();
  void openSweepDialog();
  void applyTheme();
  void updateTitle();
  void updateFacts();

  WindowOptions m_options;
  ui::Session m_session;
  CostLookup m_costs;
  CalibrationController m_calibration;
  MachineLookup m_machine;
  HostLookup m_hosts;
  RunController m_runs;
  SweepController m_sweeps;
  DocumentActions m_documents;
  ui::Shell* m_shell;
  WindowState m_state;
  RunNotice m_notice;
  UnsavedChanges m_unsaved;
  ui::TypedSweep m_typedSweep;  ///< kept until the sweep starts, in case it is rejected
};

}  // namespace stagelane::app
