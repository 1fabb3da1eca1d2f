#pragma once

/// Makes a report beside the window: reads the runs, composes the document and its pages, writes
/// files. What needs widgets (charts) is laid out in the window's thread between its other work,
/// one chart at a time. Only the latest wish counts.

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

  /// Reads the runs, which `loaded` tells, and nothing more. Folders without a run are left out.
  void load(Folders folders);
  /// Composes what was loaded: document and pages, which `made` tells. Until then the older stay.
  void make(const ReportContents& contents);
  /// Writes the document as it is, or as it will be when what is being made is there.
  void write(const std::filesystem::path& path, ReportTheme theme);
  /// Forgets the runs and the report.
  void clear();
  void cancelMaking();
  /// Nothing is written.
  void cancelWriting();

  [[nodiscard]] bool loading() const { return m_step == Step::Loading; }
  [[nodiscard]] bool making() const { return m_step != Step::None; }
  [[nodiscard]] bool writing() const { return m_wish.has_value(); }
  /// Of what is being made, or else written; null: nothing is.
  [[nodiscard]] const ReportProgress* progress() const;

  [[nodiscard]] std::shared_ptr<const Inputs> inputs() const { return m_inputs; }
  [[nodiscard]] std::shared_ptr<const ReportDocument> document() const { return m_document; }
  [[nodiscard]] std::shared_ptr<const ReportPages> pages() const { return m_pages; }

 Q_SIGNALS:
  void loaded();
  void made();
  /// `problem` says why it was not; else it is empty.
  void written(const QString& path, const QString& problem);
  /// Work began or ended.
  void workChanged();

 private:
  enum class Step { None, Loading, Composing, LayingOut };
  struct Wish {
    std::filesystem::path path;
    ReportTheme theme = ReportTheme::Reader;
  };
  /// Does the steps between the window's other work, then `after`.
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
