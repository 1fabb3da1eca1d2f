/// The report as HTML and as Markdown.

#include <QBuffer>
#include <QSvgGenerator>

#include "ui/kit/pictures/svg_fonts.h"
#include "ui/kit/pictures/themed_svg.h"
#include "ui/report/report.h"

namespace stagelane::ui {
namespace {

constexpr double kFigureWidth = 900.0;

/// Colors are CSS variables, so that one page can be light or dark; print is light.
const char* const kStyle = R"css(
body { font: 10.5pt/1.5 "Noto Sans", "Segoe UI", Roboto, sans-serif; color: var(--text); background: var(--window); margin: 0; }
main { max-width: 920px; margin: 24px auto; background: var(--panel); border: 1px solid var(--border); padding: 32px 40px; }
h1 { font-size: 16.5pt; margin: 0; } h2 { font-size: 11pt; margin: 28px 0 8px; }
h1 + p { color: var(--muted); margin: 0 0 16px; overflow-wrap: anywhere; } main > h1:not(:first-child) { margin-top: 48px; }
.lead { border-left: 3px solid var(--accent); background: var(--panel2); padding: 10px 16px; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 8px 16px; margin: 16px 0; }
dt { color: var(--muted); font-size: 9pt; } dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 9pt; }
th { color: var(--muted); font-weight: normal; border-bottom: 1px solid var(--border2); }
td { border-bottom: 1px solid var(--grid); } th, td { padding: 4px 8px; text-align: right; vertical-align: top; }
th:first-child, td:first-child, .why { text-align: left; } .why { color: var(--error); } tr.best { font-weight: bold; }
.note { color: var(--muted); font-size: 9pt; } pre { background: var(--panel2); padding: 10px; white-space: pre-wrap; overflow-wrap: anywhere; font-family: "Noto Sans Mono", monospace; font-size: 9pt; }
figure { margin: 24px 0 0; } figcaption { font-weight: bold; margin-bottom: 6px; } svg { width: 100%; height: auto; display: block; }
footer { color: var(--muted); font-size: 9pt; margin-top: 32px; border-top: 1px solid var(--border); padding-top: 8px; }
@media print { body { background: var(--panel); } main { border: 0; margin: 0; padding: 0; max-width: none; }
figure, tr, pre, .lead { break-inside: avoid; } h2 { break-after: avoid; } }
)css";

QString pageVariables(const Theme& theme) {
  const ControlColors& colors = theme.control;
  QString css;
  for (const auto& [name, color] :
       {std::pair{"text", colors.text}, std::pair{"window", colors.window},
        std::pair{"panel", colors.panel}, std::pair{"panel2", colors.panel2},
        std::pair{"border", colors.border}, std::pair{"border2", colors.border2},
        std::pair{"grid", colors.grid}, std::pair{"muted", colors.muted},
        std::pair{"accent", colors.accent}, std::pair{"error", colors.error}}) {
    css += QStringLiteral("--%1: %2; ").arg(QString::fromUtf8(name), color.name());
  }
  return css;
}

/// The light variables, replaced by the dark ones on dark screens.
QString variableRules(ReportTheme theme, const ThemedSvg& pictures) {
  const QString rule = QStringLiteral(":root { color-scheme: %1; %2%3}\n");
  const QString light = rule.arg(QStringLiteral("light"), pageVariables(lightTheme()),
                                 pictures.variables(ThemeKind::Light));
  if (theme == ReportTheme::Light) return light;
  const QString when = theme == ReportTheme::Dark
                           ? QStringLiteral("screen")
                           : QStringLiteral("screen and (prefers-color-scheme: dark)");
  return light +
         QStringLiteral("@media %1 { %2 .light { display: none; } }\n")
             .arg(when, rule.arg(QStringLiteral("dark"), pageVariables(darkTheme()),
                                 pictures.variables(ThemeKind::Dark))) +
         QStringLiteral("@media not %1 { .dark { display: none; } }\n").arg(when);
}

/// A picture as a file of its own.
QByteArray svgOf(const FigureBlock& figure, const Theme& theme = lightTheme()) {
  const QSizeF size(kFigureWidth, figure.height(kFigureWidth));
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(96);
  generator.setSize(size.toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), size));
  generator.setTitle(figure.title.toHtmlEscaped());
  QPainter painter(&generator);
  figure.paint(painter, size, PaintMode::Vector, theme);
  painter.end();
  return buffer.data();
}

QString inlineSvg(const FigureBlock& figure, const Theme& theme) {
  const QString text = QString::fromUtf8(svgOf(figure, theme));
  return text.mid(std::max<qsizetype>(0, text.indexOf(QStringLiteral("<svg"))));
}

/// Appends blocks as HTML.
struct HtmlWriter {
  ReportTheme theme = ReportTheme::Reader;
  QString out{};
  ThemedSvg pictures{};

  static QString escaped(const QString& text) { return text.toHtmlEscaped(); }
  void element(const QString& tag, const QString& text) {
    out += QStringLiteral("<%1>%2</%1>\n").arg(tag, escaped(text));
  }

  void operator()(const TitleBlock& block) {
    element(QStringLiteral("h1"), block.title);
    element(QStringLiteral("p"), block.subtitle);
  }
  void operator()(const LeadBlock& block) {
    out += QStringLiteral("<p class=\"lead\"><strong>%1</strong> %2</p>\n")
               .arg(escaped(block.strong), escaped(block.text));
  }
  void operator()(const HeadingBlock& block) { element(QStringLiteral("h2"), block.text); }
  void operator()(const ParagraphBlock& block) {
    QString lines = escaped(block.text);
    lines.replace(QChar(u'\n'), QStringLiteral("<br>\n"));
    out += QStringLiteral("<p>%1</p>\n").arg(lines);
  }
  void operator()(const CodeBlock& block) { element(QStringLiteral("pre"), block.text); }
  void operator()(const FactsBlock& block) {
    out += QStringLiteral("<dl>\n");
    for (const auto& fact : block.facts) {
      out += QStringLiteral("<div><dt>%1</dt><dd>%2</dd></div>\n")
                 .arg(escaped(fact.first), escaped(fact.second));
    }
    out += QStringLiteral("</dl>\n");
  }
  void operator()(const TableBlock& block) {
    out += QStringLiteral("<div class=\"wide\"><table><thead><tr>");
    for (const QString& cell : block.header) {
      out += QStringLiteral("<th scope=\"col\">") + escaped(cell) + QStringLiteral("</th>");
    }
    out += QStringLiteral("</tr></thead><tbody>\n");
    for (const TableRow& row : block.rows) addRow(row, block.header.size());
    out += QStringLiteral("</tbody></table></div>\n");
    if (!block.note.isEmpty()) {
      out += QStringLiteral("<p class=\"note\">") + escaped(block.note) + QStringLiteral("</p>\n");
    }
  }
  void addRow(const TableRow& row, qsizetype columns) {
    out += row.strong ? QStringLiteral("<tr class=\"best\">") : QStringLiteral("<tr>");
    for (const QString& cell : row.cells) {
      out += QStringLiteral("<td>") + escaped(cell) + QStringLiteral("</td>");
    }
    if (!row.instead.isEmpty()) {
      out += QStringLiteral("<td class=\"why\" colspan=\"%1\">").arg(columns - row.cells.size());
      out += escaped(row.instead) + QStringLiteral("</td>");
    }
    out += QStringLiteral("</tr>\n");
  }
  void operator()(const FigureBlock& block) {
    out += QStringLiteral("<figure><figcaption>") + escaped(block.title) +
           QStringLiteral("</figcaption>\n") + pictureOf(block) + QStringLiteral("</figure>\n");
  }
  /// One drawing with the colors of both themes, or two if they differ in more than colors.
  QString pictureOf(const FigureBlock& block) {
    const QString light = inlineSvg(block, lightTheme());
    if (theme == ReportTheme::Light) return light;
    const QString dark = inlineSvg(block, darkTheme());
    if (const auto both = pictures.merge(light, dark)) return *both;
    return QStringLiteral("<div class=\"light\">%1</div><div class=\"dark\">%2</div>\n")
        .arg(light, dark);
  }
};

struct MarkdownWriter {
  QString folder{};  ///< of the pictures, relative to the text; empty: they are named, not shown
  QString out{};
  std::vector<MarkdownPicture> pictures{};

  static QString escaped(QString text) {
    for (const char16_t special : {u'\\', u'|', u'*', u'_', u'`', u'<', u'[', u'#'}) {
      text.replace(QChar(special), QString(QChar(u'\\')) + QChar(special));
    }
    return text.replace(QChar(u'\n'), QChar(u' '));
  }
  void line(const QString& text) { out += text + QStringLiteral("\n\n"); }

  void operator()(const TitleBlock& block) {
    line(QStringLiteral("# ") + escaped(block.title));
    line(escaped(block.subtitle));
  }
  void operator()(const LeadBlock& block) {
    line(QStringLiteral("**%1** %2").arg(escaped(block.strong), escaped(block.text)));
  }
  void operator()(const HeadingBlock& block) { line(QStringLiteral("## ") + escaped(block.text)); }
  void operator()(const ParagraphBlock& block) {
    QStringList lines = block.text.split(QChar(u'\n'));
    for (QString& text : lines) text = escaped(text);
    line(lines.join(QStringLiteral("  \n")));
  }
  void operator()(const CodeBlock& block) { line(QStringLiteral("    ") + block.text); }
  void operator()(const FigureBlock& block) {
    if (folder.isEmpty()) {
      line(QStringLiteral("*Figure: %1 (in the HTML and PDF report)*").arg(escaped(block.title)));
      return;
    }
    const QString file = QStringLiteral("figure-%1.svg").arg(pictures.size() + 1);
    pictures.push_back({file, withEmbeddedFonts(svgOf(block))});
    line(QStringLiteral("![%1](<%2/%3>)").arg(escaped(block.title), folder, file));
  }
  void operator()(const FactsBlock& block) {
    for (const auto& fact : block.facts) {
      out += QStringLiteral("- %1: %2\n").arg(escaped(fact.first), escaped(fact.second));
    }
    out += QChar(u'\n');
  }
  void operator()(const TableBlock& block) {
    addRow(block.header);
    QStringList rule;
    for (qsizetype i = 0; i < block.header.size(); ++i) {
      rule << (i == 0 ? QStringLiteral(":--") : QStringLiteral("--:"));
    }
    out += QStringLiteral("| ") + rule.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
    for (const TableRow& row : block.rows) {
      QStringList cells = row.cells;
      if (!row.instead.isEmpty()) cells << row.instead;
      while (cells.size() < block.header.size()) cells << QString();
      addRow(cells);
    }
    out += QChar(u'\n');
    if (!block.note.isEmpty()) line(escaped(block.note));
  }
  void addRow(QStringList cells) {
    for (QString& cell : cells) cell = escaped(cell);
    out += QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
  }
};

template <class Writer>
void visitAll(const ReportDocument& document, Writer& writer, ReportProgress* progress) {
  if (progress != nullptr) progress->begin(static_cast<int>(document.blocks.size()));
  for (const ReportBlock& block : document.blocks) {
    if (progress != nullptr && progress->cancel) return;
    std::visit(writer, block);
    if (progress != nullptr) ++progress->done;
  }
}

}  // namespace

Result<ReportTheme> reportThemeFromWord(const std::string& word) {
  if (word == "reader") return ReportTheme::Reader;
  if (word == "light") return ReportTheme::Light;
  if (word == "dark") return ReportTheme::Dark;
  return fail(ErrorCode::Invalid, "\"" + word + "\" is not a report theme", "--theme",
              "Use reader, light or dark");
}

double htmlFigureWidth() { return kFigureWidth; }

QString toHtml(const ReportDocument& document, ReportTheme theme, ReportProgress* progress) {
  HtmlWriter writer{.theme = theme};
  visitAll(document, writer, progress);
  return QStringLiteral(
             "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width\">\n<title>") +
         document.title.toHtmlEscaped() + QStringLiteral("</title>\n<style>\n") +
         variableRules(theme, writer.pictures) + QString::fromUtf8(kStyle) +
         QStringLiteral("</style></head><body><main>\n") + writer.out + QStringLiteral("<footer>") +
         document.footer.toHtmlEscaped() + QStringLiteral("</footer>\n</main></body></html>\n");
}

QString toMarkdown(const ReportDocument& document) { return toMarkdown(document, {}).text; }

Markdown toMarkdown(const ReportDocument& document, const QString& folder,
                    ReportProgress* progress) {
  MarkdownWriter writer{.folder = folder};
  visitAll(document, writer, progress);
  writer.line(MarkdownWriter::escaped(document.footer));
  return {writer.out, std::move(writer.pictures)};
}

}  // namespace stagelane::ui
