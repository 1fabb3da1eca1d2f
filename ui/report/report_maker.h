#pragma once

/// Makes reports in another thread: reads runs, composes the document and its pages, writes files.
/// Work that needs widgets (charts) is done in the window's thread, one chart at a time. Only the
/// latest request counts.

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/kit/latest_job.h"
#include "ui/report/report.h"

namespace stagelane::ui {

class ReportMaker final : public QObject {
  Q_OBJECT

 public:
  using Folders = std::vector<std::filesystem::path>;
  using Inputs = std::vector<ReportInput>;

  explicit ReportMaker(QObject* parent = nullptr);
  ~ReportMaker() override;

  /// Only reads the runs, then emits `loaded`. Folders without a run are omitted.
  void load(Folders folders);
  /// Composes document and pages from the loaded runs, then emits `made`. The old ones stay until
  /// then.
  void make(const ReportContents& contents);
  /// Writes the document, after pending changes to it are done.
  void write(const std::filesystem::path& path, ReportTheme theme);
  /// Clears the runs and the report.
  void clear();
  void cancelMaking();
  /// No file is written.
  void cancelWriting();

  [[nodiscard]] bool loading() const { return m_step == Step::Loading; }
  [[nodiscard]] bool making() const { return m_step != Step::None; }
  [[nodiscard]] bool writing() const { return m_wish.has_value(); }
  /// Of making, else of writing; null if neither is in progress.
  [[nodiscard]] const ReportProgress* progress() const;

  [[nodiscard]] std::shared_ptr<const Inputs> inputs() const { return m_inputs; }
  [[nodiscard]] std::shared_ptr<const ReportDocument> document() const { return m_document; }
  [[nodiscard]] std::shared_ptr<const ReportPages> pages() const { return m_pages; }

 Q_SIGNALS:
  void loaded();
  void made();
  /// `problem` is empty on success.
  void written(const QString& path, const QString& problem);
  /// Work started or ended.
  void workChanged();

 private:
  enum class Step { None, Loading, Composing, LayingOut };
  struct Wish {
    std::filesystem::path path;
    ReportTheme theme = ReportTheme::Reader;
  };
  /// Runs the steps between other events of the window, then `after`.
  void layOut(std::vector<std::function<void()>> steps, std::function<void()> after);
  void doLayout();
  void composed(std::shared_ptr<const ReportDocument> document,
                std::shared_ptr<const ReportPages> pages);
  void beginWriting();
  void setStep(Step step);
  void stopLayout();

  Step m_step = Step::None;
  LatestJob m_making, m_writing;
  QTimer m_layout;
  std::vector<std::function<void()>> m_steps;
  std::size_t m_nextStep = 0;
  std::function<void()> m_afterLayout;
  std::shared_ptr<ReportProgress> m_makingProgress, m_writingProgress;
  std::shared_ptr<const Inputs> m_inputs;
  std::shared_ptr<const ReportDocument> m_document;
  std::shared_ptr<const ReportPages> m_pages;
  std::optional<Wish> m_wish;
};

}  // namespace stagelane::ui
