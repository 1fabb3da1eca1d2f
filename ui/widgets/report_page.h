#pragma once

/// The Report page: what the report contains, a preview of its pages, and its export as HTML, PDF
/// or Markdown. Files are read off the window's thread; a result that is no longer wanted is
/// dropped.

#include <QTimer>
#include <filesystem>
#include <memory>
#include <vector>

#include "ui/models/run_history.h"
#include "ui/report/report.h"
#include "ui/widgets/page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace stagelane::ui {

class Combo;
class ReportPreview;

class ReportPage final : public Page {
  Q_OBJECT

 public:
  explicit ReportPage(QWidget* parent = nullptr);
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override { return m_actions; }
  [[nodiscard]] bool busy() const override { return m_loading || m_history.busy(); }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Switch {
    QCheckBox* box = nullptr;
    bool ReportContents::*member = nullptr;
  };
  QWidget* buildToolbar();
  QWidget* buildPageControls(QWidget* bar);
  QWidget* buildSide();
  void buildContents(QWidget* side, QVBoxLayout* layout);
  void buildExport(QWidget* side, QVBoxLayout* layout);
  QWidget* buildEmptyState();
  void addSwitch(QWidget* side, const QString& name, const QString& text,
                 bool ReportContents::*member);
  void load();
  using Inputs = std::vector<ReportInput>;
  void loaded(std::uint64_t generation, std::shared_ptr<const Inputs> inputs);
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;
  [[nodiscard]] const ReportInput& first() const { return m_inputs->front(); }
  void fillAddMenu();
  void addRun(const QString& folder);
  void addFolder();
  void browse();
  void showPageOf(int step);
  void refreshPageCount();
  void refreshZoom();
  void rebuild();
  void refresh();
  void suggestPath();
  [[nodiscard]] ReportTheme theme() const;
  void applyTheme();
  void exportReport();
  void openInBrowser();
  void say(const QString& text, bool problem);

  Session* m_session = nullptr;
  std::uint64_t m_generation = 0;
  bool m_loading = false;
  bool m_stale = true;
  std::shared_ptr<const Inputs> m_inputs;  ///< null while there are none
  ReportDocument m_document;
  QList<QAction*> m_actions;
  std::vector<Switch> m_switches;
  QStackedWidget* m_stack = nullptr;
  QScrollArea* m_scroll = nullptr;
  ReportPreview* m_preview = nullptr;
  QComboBox* m_format = nullptr;
  QComboBox* m_theme = nullptr;  ///< of HTML
  RunHistory m_history;          ///< of what other runs there are to add
  QLineEdit* m_question = nullptr;
  QLineEdit* m_title = nullptr;
  QPlainTextEdit* m_note = nullptr;
  QLineEdit* m_path = nullptr;
  QString m_written;  ///< by this page: may be written again
  QPushButton* m_addRun = nullptr;
  QMenu* m_addMenu = nullptr;
  QToolButton* m_previousPage = nullptr;
  QToolButton* m_nextPage = nullptr;
  QToolButton* m_fitWidth = nullptr;
  QToolButton* m_realSize = nullptr;
  bool m_zoomChosen = false;  ///< by the person; until then by the room that there is
  QPushButton* m_onlyThis = nullptr;
  QTimer m_typing;  ///< the pages follow what is typed when the typing pauses
  QPushButton* m_export = nullptr;
  QPushButton* m_browser = nullptr;
  QLabel* m_message = nullptr;
  QLabel* m_runName = nullptr;
  QLabel* m_pageCount = nullptr;
  QLabel* m_emptyText = nullptr;
};

}  // namespace stagelane::ui
