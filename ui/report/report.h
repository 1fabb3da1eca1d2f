#pragma once

/// Reports of runs: reads run folders and writes one self-contained file. Needs a QGuiApplication
/// (any platform, offscreen too) with widgets; GUI thread.

#include <QSizeF>
#include <QString>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "ui/report/report_document.h"

namespace stagelane::ui {

/// The run of a folder with its files and the median steps of its traces. What cannot be read is
/// left out. @errors Invalid (no run folder)
[[nodiscard]] Result<ReportInput> readReportInput(const std::filesystem::path& folder);

/// In which colours a page on screen is shown; on paper it is always light.
enum class ReportTheme { Reader, Light, Dark };
/// `reader`, `light`, `dark`. @errors Invalid
[[nodiscard]] Result<ReportTheme> reportThemeFromWord(const std::string& word);

/// One HTML page with inline SVG; loads nothing from anywhere. By default it is light or dark as
/// the reader's browser asks for.
[[nodiscard]] QString toHtml(const ReportDocument& document,
                             ReportTheme theme = ReportTheme::Reader);
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
[[nodiscard]] Markdown toMarkdown(const ReportDocument& document, const QString& folder);

/// The report as pages of A4, painted.
class ReportPages {
 public:
  explicit ReportPages(const ReportDocument& document);
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

/// By the suffix: .html, .pdf or .md; the theme is that of HTML. @errors Invalid (suffix),
/// CannotWrite
[[nodiscard]] Status writeReport(const ReportDocument& document, const std::filesystem::path& path,
                                 ReportTheme theme = ReportTheme::Reader);

}  // namespace stagelane::ui
