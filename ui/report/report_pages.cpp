/// The report as painted A4 pages: blocks become unbreakable items, which are placed on pages.

#include <QRegularExpression>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "ui/kit/text/formatting.h"
#include "ui/report/report.h"

namespace stagelane::ui {
namespace {

using Item = ReportPages::Item;

constexpr double kPageWidth = 794.0, kPageHeight = 1123.0;  // A4 in 96ths of an inch
constexpr double kMargin = 56.0, kFooter = 34.0, kParagraphGap = 8.0, kCellGap = 10.0;
constexpr double kContentWidth = kPageWidth - 2.0 * kMargin;
/// Columns of facts.
constexpr int kFactColumns = 4;
constexpr double kFactColumn = kContentWidth / kFactColumns, kFactGap = 8.0;
constexpr double kContentHeight = kPageHeight - 2.0 * kMargin - kFooter;
constexpr double kFigureTitle = 24.0;  // with the gap below one line; more for several lines
constexpr double kTitleGap = 6.0;

const ControlColors& colors() { return lightTheme().control; }

/// Text of one or two weights, laid out for a width; shared because items are copied.
std::shared_ptr<QTextLayout> layOut(const QString& strong, const QString& rest, const QFont& font,
                                    double width, Qt::Alignment alignment = Qt::AlignLeft) {
  QString text = strong.isEmpty() || rest.isEmpty() ? strong + rest : strong + QChar(u' ') + rest;
  text.replace(QChar(u'\n'), QChar(QChar::LineSeparator));
  auto layout = std::make_shared<QTextLayout>(text, font);
  if (!strong.isEmpty()) {
    QTextCharFormat bold;
    bold.setFontWeight(QFont::Bold);
    layout->setFormats({{0, static_cast<int>(strong.size()), bold}});
  }
  QTextOption option(alignment);
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout->setTextOption(option);
  double y = 0.0;
  layout->beginLayout();
  for (QTextLine line = layout->createLine(); line.isValid(); line = layout->createLine()) {
    line.setLineWidth(width);
    line.setPosition(QPointF(0, y));
    y += std::ceil(line.height() * 1.12);
  }
  layout->endLayout();
  return layout;
}

double heightOf(const QTextLayout& layout) {
  if (layout.lineCount() == 0) return 0.0;
  const QTextLine last = layout.lineAt(layout.lineCount() - 1);
  return last.y() + std::ceil(last.height() * 1.12);
}

Item textItem(const QString& strong, const QString& rest, const QFont& font, const QColor& color) {
  auto layout = layOut(strong, rest, font, kContentWidth);
  return {heightOf(*layout), kParagraphGap, false,
          [layout, color](QPainter& painter, const QRectF& rect, PaintMode) {
            painter.setPen(color);
            layout->draw(&painter, rect.topLeft());
          }};
}

/// Maximum width of a column within `room`: narrow columns get what they need, wide ones share the
/// rest.
double widthLimit(std::vector<double> needed, double room) {
  std::sort(needed.begin(), needed.end());
  auto sharing = static_cast<double>(needed.size());
  for (const double width : needed) {
    if (width > room / sharing) return room / sharing;
    room -= width;
    sharing -= 1.0;
  }
  return needed.empty() ? 0.0 : needed.back();
}

/// Column widths of a table: enough for the widest cell or heading word, or less with wrapped text;
/// the first column takes the rest.
std::vector<double> columnWidths(const TableBlock& block) {
  const QFontMetricsF metrics(fontOf(TextSize::Caption, TextWeight::Bold));
  std::vector<double> widths;
  for (const QString& cell : block.header) {
    double& width = widths.emplace_back(0.0);
    for (const QString& word : cell.split(QChar(u' '))) {
      width = std::max(width, metrics.horizontalAdvance(word));
    }
  }
  for (const TableRow& row : block.rows) {
    for (qsizetype i = 0; i < row.cells.size(); ++i) {
      double& width = widths[static_cast<std::size_t>(i)];
      width = std::max(width, metrics.horizontalAdvance(row.cells[i]));
    }
  }
  if (widths.empty()) return widths;
  constexpr double kLeastFirst = 120.0;
  for (std::size_t i = 1; i < widths.size(); ++i) widths[i] += kCellGap;
  const double limit = widthLimit({widths.begin() + 1, widths.end()}, kContentWidth - kLeastFirst);
  widths[0] = kContentWidth;
  for (std::size_t i = 1; i < widths.size(); ++i) {
    widths[i] = std::min(widths[i], limit);
    widths[0] -= widths[i];
  }
  return widths;
}

struct RowLook {
  std::vector<double> widths;
  QColor text, line;
  bool bold = false;
};

/// A cell of a row, with wrapped lines if one is not enough.
struct Cell {
  QString text;
  double left = 0.0, width = 0.0;
  Qt::Alignment alignment;
  QColor color;
  std::shared_ptr<QTextLayout> wrapped{};
};

constexpr double kRowHeight = 21.0;

/// Prevents a line break between a number and its unit.
QString withWholeNumbers(QString text) {
  static const QRegularExpression blankAfterNumber(u"([0-9±]) (?=\\S)"_s);
  return text.replace(blankAfterNumber, u"\\1"_s + QChar(QChar::Nbsp));
}

std::vector<Cell> cellsOf(const TableRow& row, const RowLook& look) {
  std::vector<Cell> cells;
  double x = 0.0;
  for (qsizetype i = 0; i < row.cells.size(); ++i) {
    const double width = look.widths[static_cast<std::size_t>(i)];
    const double gap = i == 0 ? 4.0 : kCellGap;
    cells.push_back({row.cells[i], i == 0 ? x : x + gap, width - gap,
                     i == 0 ? Qt::AlignLeft : Qt::AlignRight, look.text});
    x += width;
  }
  if (!row.instead.isEmpty()) {
    cells.push_back(
        {row.instead, x + kCellGap, kContentWidth - x - kCellGap, Qt::AlignLeft, colors().error});
  }
  return cells;
}

Item rowItem(const TableRow& row, const RowLook& look) {
  const QFont font = fontOf(TextSize::Caption, look.bold ? TextWeight::Bold : TextWeight::Regular);
  const QFontMetricsF metrics(font);
  std::vector<Cell> cells = cellsOf(row, look);
  const double above = (kRowHeight - metrics.height()) / 2.0;
  double height = kRowHeight;
  for (Cell& cell : cells) {
    if (metrics.horizontalAdvance(cell.text) <= cell.width) continue;
    cell.wrapped = layOut({}, withWholeNumbers(cell.text), font, cell.width, cell.alignment);
    height = std::max(height, heightOf(*cell.wrapped) + 2.0 * above);
  }
  return {height, 0.0, false, [=](QPainter& painter, const QRectF& rect, PaintMode) {
            painter.setFont(font);
            for (const Cell& cell : cells) {
              painter.setPen(cell.color);
              const QPointF at(rect.left() + cell.left, rect.top() + above);
              if (cell.wrapped) {
                cell.wrapped->draw(&painter, at);
              } else {
                painter.drawText(QRectF(at, QSizeF(cell.width, metrics.height())), cell.alignment,
                                 cell.text);
              }
            }
            painter.setPen(QPen(look.line, 1.0));
            painter.drawLine(rect.bottomLeft(), rect.bottomRight());
          }};
}

/// Converts blocks to items.
struct ItemWriter {
  std::vector<Item> items{};

  void operator()(const TitleBlock& block) {
    items.push_back(textItem(block.title, {}, fontOf(TextSize::ReportTitle), colors().text));
    items.back().startsPage = block.newPage;
    items.back().gapAfter = 0.0;
    items.back().keepWithNext = true;
    items.push_back(textItem({}, block.subtitle, fontOf(TextSize::Body), colors().muted));
    items.back().gapAfter = 14.0;
  }
  void operator()(const HeadingBlock& block) {
    items.push_back({10.0, 0.0, true, {}});
    items.push_back(textItem(block.text, {}, fontOf(TextSize::KeyFigure), colors().text));
    items.back().keepWithNext = true;
    items.back().gapAfter = 4.0;
  }
  void operator()(const ParagraphBlock& block) {
    items.push_back(textItem({}, block.text, fontOf(TextSize::Body), colors().text));
  }
  void operator()(const LeadBlock& block) {
    constexpr double kPad = 14.0;
    auto layout = layOut(block.strong, block.text, fontOf(TextSize::ReportLead),
                         kContentWidth - 2 * kPad - 3.0);
    items.push_back({heightOf(*layout) + 2 * kPad, 14.0, false,
                     [layout](QPainter& painter, const QRectF& rect, PaintMode) {
                       painter.fillRect(rect, colors().panel2);
                       painter.fillRect(QRectF(rect.left(), rect.top(), 3.0, rect.height()),
                                        colors().accent);
                       painter.setPen(colors().text);
                       layout->draw(&painter, rect.topLeft() + QPointF(kPad + 3.0, kPad));
                     }});
  }
  void operator()(const CodeBlock& block) {
    constexpr double kPad = 8.0;
    auto layout =
        layOut({}, block.text, monospaceFont(TextSize::Caption), kContentWidth - 2 * kPad);
    items.push_back({heightOf(*layout) + 2 * kPad, kParagraphGap, false,
                     [layout](QPainter& painter, const QRectF& rect, PaintMode) {
                       painter.fillRect(rect, colors().panel2);
                       painter.setPen(colors().text);
                       layout->draw(&painter, rect.topLeft() + QPointF(kPad, kPad));
                     }});
  }
  /// A fact, and how many of the four columns its value needs.
  struct PlacedFact {
    QString name, value;
    int column = 0;
    int columns = 1;
  };
  void operator()(const FactsBlock& block) {
    std::vector<PlacedFact> line;
    int used = 0;
    const auto end = [&] {
      if (line.empty()) return;
      items.push_back({34.0, 4.0, false, [line](QPainter& painter, const QRectF& rect, PaintMode) {
                         paintFacts(painter, rect, line);
                       }});
      line.clear();
      used = 0;
    };
    const QFontMetricsF metrics(fontOf(TextSize::Body));
    for (const auto& [name, value] : block.facts) {
      const double wanted = (metrics.horizontalAdvance(value) + kFactGap) / kFactColumn;
      const int columns = std::clamp(static_cast<int>(std::ceil(wanted)), 1, kFactColumns);
      if (used + columns > kFactColumns) end();
      line.push_back({name, value, used, columns});
      used += columns;
    }
    end();
    if (!items.empty()) items.back().gapAfter = 12.0;
  }
  static void paintFacts(QPainter& painter, const QRectF& rect,
                         const std::vector<PlacedFact>& facts) {
    for (const PlacedFact& fact : facts) {
      const double x = rect.left() + kFactColumn * fact.column;
      const double width = kFactColumn * fact.columns - kFactGap;
      painter.setFont(fontOf(TextSize::Caption));
      painter.setPen(colors().muted);
      painter.drawText(QRectF(x, rect.top(), width, 15.0), Qt::AlignLeft | Qt::AlignVCenter,
                       fact.name);
      painter.setFont(fontOf(TextSize::Body));
      painter.setPen(colors().text);
      painter.drawText(QRectF(x, rect.top() + 15.0, width, 18.0), Qt::AlignLeft | Qt::AlignVCenter,
                       QFontMetricsF(painter.font()).elidedText(fact.value, Qt::ElideRight, width));
    }
  }
  void operator()(const TableBlock& block) {
    const std::vector<double> widths = columnWidths(block);
    items.push_back(
        rowItem({block.header, {}, false}, {widths, colors().muted, colors().border2, false}));
    items.back().keepWithNext = true;
    const std::size_t head = items.size() - 1;
    for (const TableRow& row : block.rows) {
      // A row without a name belongs to the one above.
      items.back().keepWithNext = items.back().keepWithNext || row.cells.value(0).isEmpty();
      items.push_back(rowItem(row, {widths, colors().text, colors().grid, row.strong}));
      items.back().head = head;
    }
    items.back().gapAfter = kParagraphGap;
    if (!block.note.isEmpty()) {
      items.push_back(textItem({}, block.note, fontOf(TextSize::Caption), colors().muted));
    }
  }
  void operator()(const FigureBlock& block) {
    const double natural = block.height(kContentWidth);
    auto title = layOut(block.title, {}, fontOf(TextSize::Body), kContentWidth);
    const double above = std::max(kFigureTitle, heightOf(*title) + kTitleGap);
    const double scale = std::min(1.0, (kContentHeight - above) / std::max(1.0, natural));
    const auto paint = block.paint;
    items.push_back({10.0, 0.0, true, {}});
    items.push_back({natural * scale + above, 14.0, false,
                     [=](QPainter& painter, const QRectF& rect, PaintMode mode) {
                       painter.setPen(colors().text);
                       title->draw(&painter, rect.topLeft());
                       painter.translate(rect.left(), rect.top() + above);
                       painter.scale(scale, scale);
                       paint(painter, QSizeF(kContentWidth, natural), mode, lightTheme());
                     }});
  }
};

}  // namespace

QSizeF pageFigureRoom() { return {kContentWidth, kContentHeight - kFigureTitle}; }

ReportPages::ReportPages(const ReportDocument& document, ReportProgress* progress)
    : m_footer(document.footer) {
  ItemWriter writer;
  for (const ReportBlock& block : document.blocks) {
    if (progress != nullptr && progress->cancel) break;
    std::visit(writer, block);
  }
  m_items = std::move(writer.items);
  paginate();
}

QSizeF ReportPages::size() { return {kPageWidth, kPageHeight}; }

void ReportPages::paginate() {
  m_pages.assign(1, {});
  double y = 0.0;
  for (std::size_t i = 0; i < m_items.size(); ++i) {
    double needed = m_items[i].height;
    for (std::size_t next = i; m_items[next].keepWithNext && next + 1 < m_items.size(); ++next) {
      needed += m_items[next].gapAfter + m_items[next + 1].height;
    }
    const bool full = y + std::min(needed, kContentHeight) > kContentHeight;
    if (y > 0.0 && (full || m_items[i].startsPage)) {
      m_pages.emplace_back();
      y = 0.0;
      if (const auto head = m_items[i].head; head && *head + 1 < i) {
        m_pages.back().push_back({*head, y});
        y += m_items[*head].height;
      }
    }
    m_pages.back().push_back({i, y});
    y += m_items[i].height + m_items[i].gapAfter;
  }
}

void ReportPages::paint(QPainter& painter, std::size_t page, PaintMode mode) const {
  painter.fillRect(QRectF(QPointF(0, 0), size()), colors().panel);
  for (const Placed& placed : m_pages[page]) {
    const Item& item = m_items[placed.item];
    if (!item.paint) continue;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    item.paint(painter, QRectF(kMargin, kMargin + placed.y, kContentWidth, item.height), mode);
    painter.restore();
  }
  const QRectF footer(kMargin, kPageHeight - kMargin - kFooter + 12.0, kContentWidth,
                      kFooter - 12.0);
  painter.setPen(QPen(colors().border, 1.0));
  painter.drawLine(footer.topLeft(), footer.topRight());
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(colors().muted);
  painter.drawText(footer, Qt::AlignLeft | Qt::AlignBottom, m_footer);
  painter.drawText(footer, Qt::AlignRight | Qt::AlignBottom,
                   u"%1 / %2"_s.arg(page + 1).arg(m_pages.size()));
}

}  // namespace stagelane::ui
