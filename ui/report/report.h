#pragma once

/// Reports of runs: reads run folders and writes one self-contained file. Requires a
/// QGuiApplication (any platform, also offscreen) with widgets. Call it in the window's thread or,
/// after `layoutSteps`, in any thread.

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

/// Progress of work on a report, and a request to cancel it, after which the result is invalid.
/// @thread any; the worker writes the progress, the observer requests the cancellation
struct ReportProgress {
  std::atomic<int> done{0};
  std::atomic<int> of{0};  ///< 0: unknown
  std::atomic<bool> cancel{false};
  void begin(int steps) {
    done = 0;
    of = steps;
  }
};

/// The run of a folder with its files and the median steps of its traces. Unreadable parts are
/// omitted. @thread any. @errors Invalid (not a run folder)
[[nodiscard]] Result<ReportInput> readReportInput(const std::filesystem::path& folder,
                                                  ReportProgress* progress = nullptr);

/// Colors of the report on a screen; on paper it is always light.
enum class ReportTheme { Reader, Light, Dark };
/// `reader`, `light`, `dark`. @errors Invalid
[[nodiscard]] Result<ReportTheme> reportThemeFromWord(const std::string& word);

/// One HTML page with inline SVG and no external resources. By default the browser's preference
/// selects light or dark.
[[nodiscard]] QString toHtml(const ReportDocument& document,
                             ReportTheme theme = ReportTheme::Reader,
                             ReportProgress* progress = nullptr);
/// Text and tables; figures are named, not drawn.
[[nodiscard]] QString toMarkdown(const ReportDocument& document);
struct MarkdownPicture {
  QString file;
  QByteArray svg;
};
/// The text, and the pictures in `folder` that it shows.
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

  /// A piece that is not split across pages.
  struct Item {
    double height = 0.0;
    double gapAfter = 0.0;
    bool keepWithNext = false;
    std::function<void(QPainter&, const QRectF&, PaintMode)> paint;
    bool startsPage = false;
    /// The heading of its table, repeated above it at the top of a page.
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

/// The suffix selects the format: .html, .pdf or .md; the theme applies to HTML. Cancellation
/// leaves no file. @errors Invalid (suffix), CannotWrite
[[nodiscard]] Status writeReport(const ReportDocument& document, const std::filesystem::path& path,
                                 ReportTheme theme = ReportTheme::Reader,
                                 ReportProgress* progress = nullptr);

/// Work for the window's thread, in steps of a few milliseconds, before `ReportPages` paint or the
/// file is written in another thread. The document must outlive the steps.
[[nodiscard]] std::vector<std::function<void()>> layoutSteps(const ReportDocument& document);
[[nodiscard]] std::vector<std::function<void()>> layoutSteps(const ReportDocument& document,
                                                             const std::filesystem::path& path,
                                                             ReportTheme theme);
/// Space for a figure on a page, below its title: figures have this width and shrink if they are
/// taller. @units 96ths of an inch
[[nodiscard]] QSizeF pageFigureRoom();
/// Width of figures in HTML. @units 96ths of an inch
[[nodiscard]] double htmlFigureWidth();

}  // namespace stagelane::ui
