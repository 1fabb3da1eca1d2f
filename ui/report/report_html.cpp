/// The report as HTML and as Markdown.

#include <QBuffer>
#include <QSvgGenerator>

#include "engine/base/visible_text.h"
#include "ui/kit/pictures/svg_fonts.h"
#include "ui/kit/pictures/themed_svg.h"
#include "ui/kit/text/formatting.h"
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
    css += u"--%1: %2; "_s.arg(QString::fromUtf8(name), color.name());
  }
  return css;
}

/// The light variables, replaced by the dark ones on dark screens.
QString variableRules(ReportTheme theme, const ThemedSvg& pictures) {
  const QString rule = u":root { color-scheme: %1; %2%3}\n"_s;
  const QString light =
      rule.arg(u"light"_s, pageVariables(lightTheme()), pictures.variables(ThemeKind::Light));
  if (theme == ReportTheme::Light) return light;
  const QString when =
      theme == ReportTheme::Dark ? u"screen"_s : u"screen and (prefers-color-scheme: dark)"_s;
  return light +
         u"@media %1 { %2 .light { display: none; } }\n"_s.arg(
             when,
             rule.arg(u"dark"_s, pageVariables(darkTheme()), pictures.variables(ThemeKind::Dark))) +
         u"@media not %1 { .dark { display: none; } }\n"_s.arg(when);
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
  return text.mid(std::max<qsizetype>(0, text.indexOf(u"<svg"_s)));
}

/// Appends blocks as HTML.
struct HtmlWriter {
  ReportTheme theme = ReportTheme::Reader;
  QString out{};
  ThemedSvg pictures{};

  static QString escaped(const QString& text) { return text.toHtmlEscaped(); }
  void element(const QString& tag, const QString& text) {
    out += u"<%1>%2</%1>\n"_s.arg(tag, escaped(text));
  }

  void operator()(const TitleBlock& block) {
    element(u"h1"_s, block.title);
    element(u"p"_s, block.subtitle);
  }
  void operator()(const LeadBlock& block) {
    out += u"<p class=\"lead\"><strong>%1</strong> %2</p>\n"_s.arg(escaped(block.strong),
                                                                   escaped(block.text));
  }
  void operator()(const HeadingBlock& block) { element(u"h2"_s, block.text); }
  void operator()(const ParagraphBlock& block) {
    QString lines = escaped(block.text);
    lines.replace(QChar(u'\n'), u"<br>\n"_s);
    out += u"<p>%1</p>\n"_s.arg(lines);
  }
  void operator()(const CodeBlock& block) { element(u"pre"_s, block.text); }
  void operator()(const FactsBlock& block) {
    out += u"<dl>\n"_s;
    for (const auto& fact : block.facts) {
      out +=
          u"<div><dt>%1</dt><dd>%2</dd></div>\n"_s.arg(escaped(fact.first), escaped(fact.second));
    }
    out += u"</dl>\n"_s;
  }
  void operator()(const TableBlock& block) {
    out += u"<div class=\"wide\"><table><thead><tr>"_s;
    for (const QString& cell : block.header) {
      out += u"<th scope=\"col\">"_s + escaped(cell) + u"</th>"_s;
    }
    out += u"</tr></thead><tbody>\n"_s;
    for (const TableRow& row : block.rows) addRow(row, block.header.size());
    out += u"</tbody></table></div>\n"_s;
    if (!block.note.isEmpty()) out += u"<p class=\"note\">"_s + escaped(block.note) + u"</p>\n"_s;
  }
  void addRow(const TableRow& row, qsizetype columns) {
    out += row.strong ? u"<tr class=\"best\">"_s : u"<tr>"_s;
    for (const QString& cell : row.cells) out += u"<td>"_s + escaped(cell) + u"</td>"_s;
    if (!row.instead.isEmpty()) {
      out += u"<td class=\"why\" colspan=\"%1\">"_s.arg(columns - row.cells.size());
      out += escaped(row.instead) + u"</td>"_s;
    }
    out += u"</tr>\n"_s;
  }
  void operator()(const FigureBlock& block) {
    out += u"<figure><figcaption>"_s + escaped(block.title) + u"</figcaption>\n"_s +
           pictureOf(block) + u"</figure>\n"_s;
  }
  /// One drawing with the colors of both themes, or two if they differ in more than colors.
  QString pictureOf(const FigureBlock& block) {
    const QString light = inlineSvg(block, lightTheme());
    if (theme == ReportTheme::Light) return light;
    const QString dark = inlineSvg(block, darkTheme());
    if (const auto both = pictures.merge(light, dark)) return *both;
    return u"<div class=\"light\">%1</div><div class=\"dark\">%2</div>\n"_s.arg(light, dark);
  }
};

struct MarkdownWriter {
  QString folder{};  ///< of the pictures, relative to the text; empty: they are named, not shown
  QString out{};
  std::vector<MarkdownPicture> pictures{};

  /// A terminal that shows the file obeys no name in it.
  static QString escaped(const QString& given) {
    QString text = qstring(visibleLines(utf8(given)));
    for (const char16_t special : {u'\\', u'|', u'*', u'_', u'`', u'<', u'[', u'#'}) {
      text.replace(QChar(special), QString(QChar(u'\\')) + QChar(special));
    }
    return text.replace(QChar(u'\n'), QChar(u' '));
  }
  void line(const QString& text) { out += text + u"\n\n"_s; }

  void operator()(const TitleBlock& block) {
    line(u"# "_s + escaped(block.title));
    line(escaped(block.subtitle));
  }
  void operator()(const LeadBlock& block) {
    line(u"**%1** %2"_s.arg(escaped(block.strong), escaped(block.text)));
  }
  void operator()(const HeadingBlock& block) { line(u"## "_s + escaped(block.text)); }
  void operator()(const ParagraphBlock& block) {
    QStringList lines = block.text.split(QChar(u'\n'));
    for (QString& text : lines) text = escaped(text);
    line(lines.join(u"  \n"_s));
  }
  void operator()(const CodeBlock& block) { line(u"    "_s + block.text); }
  void operator()(const FigureBlock& block) {
    if (folder.isEmpty()) {
      line(u"*Figure: %1 (in the HTML and PDF report)*"_s.arg(escaped(block.title)));
      return;
    }
    const QString file = u"figure-%1.svg"_s.arg(pictures.size() + 1);
    pictures.push_back({file, withEmbeddedFonts(svgOf(block))});
    line(u"![%1](<%2/%3>)"_s.arg(escaped(block.title), folder, file));
  }
  void operator()(const FactsBlock& block) {
    for (const auto& fact : block.facts) {
      out += u"- %1: %2\n"_s.arg(escaped(fact.first), escaped(fact.second));
    }
    out += QChar(u'\n');
  }
  void operator()(const TableBlock& block) {
    addRow(block.header);
    QStringList rule;
    for (qsizetype i = 0; i < block.header.size(); ++i) rule << (i == 0 ? u":--"_s : u"--:"_s);
    out += u"| "_s + rule.join(u" | "_s) + u" |\n"_s;
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
    out += u"| "_s + cells.join(u" | "_s) + u" |\n"_s;
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
  return u"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n<title>"_s +
         document.title.toHtmlEscaped() + u"</title>\n<style>\n"_s +
         variableRules(theme, writer.pictures) + QString::fromUtf8(kStyle) +
         u"</style></head><body><main>\n"_s + writer.out + u"<footer>"_s +
         document.footer.toHtmlEscaped() + u"</footer>\n</main></body></html>\n"_s;
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
