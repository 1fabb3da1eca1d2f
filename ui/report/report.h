#pragma once

/// Reports of runs: reads run folders and writes one self-contained file. Needs a QGuiApplication
/// (any platform, offscreen too) with widgets. In the window's thread, or after `layoutSteps` in
/// any.

#include <QSizeF>
#include <QString>
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "ui/report/report_document.h"

namespace stagelane::ui {

/// How far work on a report has come, for whoever shows it, and the wish to end it, after which
/// what is answered means nothing. @thread any; the worker counts, the watcher wishes
struct ReportProgress {
  std::atomic<int> done{0};
  std::atomic<int> of{0};  ///< 0: not known
  std::atomic<bool> cancel{false};
  void begin(int steps) {
    done = 0;
    of = steps;
  }
};

/// The run of a folder with its files and the median steps of its traces. What cannot be read is
/// left out. @thread any. @errors Invalid (no run folder)
[[nodiscard]] Result<ReportInput> readReportInput(const std::filesystem::path& folder,
                                                  ReportProgress* progress = nullptr);

/// In which colours a page on screen is shown; on paper it is always light.
enum class ReportTheme { Reader, Light, Dark };
/// `reader`, `light`, `dark`. @errors Invalid
[[nodiscard]] Result<ReportTheme> reportThemeFromWord(const std::string& word);

/// One HTML page with inline SVG; loads nothing from anywhere. By default it is light or dark as
/// the reader's browser asks for.
[[nodiscard]] QString toHtml(const ReportDocument& document,
                             ReportTheme theme = ReportTheme::Reader,
                             ReportProgress* progress = nullptr);
/// Text and tables; figures are named, not drawn.
[[nodiscard]] QString toMarkdown(const ReportDocument& document);
struct MarkdownPicture {
  QString file;
  QByteArray svg;
};
/// The text, and the pictures that it shows from `folder`.
struct Markdown {
  QString text;
  std::vector<MarkdownPicture> pictures;
};
[[nodiscard]] Markdown toMarkdown(const ReportDocument& document, const QString& folder,
                                  ReportProgress* progress = nullptr);

/// The report as pages of A4, painted.
class ReportPages {
 public:
  explicit ReportPages(const ReportDocument& document, ReportProgress* progress = nullptr);
  [[nodiscard]] std::size_t count() const { return m_pages.size(); }
  /// @units 96ths of an inch
  [[nodiscard]] static QSizeF size();
  void paint(QPainter& painter, std::size_t page, PaintMode mode) const;

  /// A piece that is not broken over pages.
  struct Item {
    double height = 0.0;
    double gapAfter = 0.0;
    bool keepWithNext = false;
    std::function<void(QPainter&, const QRectF&, PaintMode)> paint;
    bool startsPage = false;
    /// The head of its table, painted again above it where it is the first on a page.
    std::optional<std::size_t> head{};
  };

 private:
  struct Placed {
    std::size_t item = 0;
    double y = 0.0;
  };
  void paginate();

  QString m_footer;
  std::vector<Item> m_items;
  std::vector<std::vector<Placed>> m_pages;
};

/// By the suffix: .html, .pdf or .md; the theme is that of HTML. Nothing is written of what was
/// canceled. @errors Invalid (suffix), CannotWrite
[[nodiscard]] Status writeReport(const ReportDocument& document, const std::filesystem::path& path,
                                 ReportTheme theme = ReportTheme::Reader,
                                 ReportProgress* progress = nullptr);

/// What has to be done in the window's thread, each in a few milliseconds, before `ReportPages`
/// paint, or the file is written, in another. The document outlives them.
[[nodiscard]] std::vector<std::function<void()>> layoutSteps(const ReportDocument& document);
[[nodiscard]] std::vector<std::function<void()>> layoutSteps(const ReportDocument& document,
                                                             const std::filesystem::path& path,
                                                             ReportTheme theme);
/// What a figure has of a page, below its title: it is painted in that width, and smaller where it
/// is taller. @units 96ths of an inch
[[nodiscard]] QSizeF pageFigureRoom();
/// The width that figures of HTML are painted in. @units 96ths of an inch
[[nodiscard]] double htmlFigureWidth();

}  // namespace stagelane::ui
