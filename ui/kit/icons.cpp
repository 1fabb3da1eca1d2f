#include "ui/kit/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

QByteArray sheet() {
  QFile file(u":/icons/icons.svg"_s);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Only the group's content, in its 20×20 grid.
QByteArray shapeOf(const QString& name) {
  static const QByteArray all = sheet();
  const qsizetype group = all.indexOf("<g id=\"" + name.toUtf8() + "\"");
  if (group < 0) return {};
  const qsizetype begin = all.indexOf('>', group) + 1;
  return all.mid(begin, all.indexOf("</g>", begin) - begin);
}

class TintedEngine final : public QIconEngine {
 public:
  TintedEngine(const QString& name, const QColor& color, const QColor& disabled)
      : m_name(name), m_color(color), m_disabled(disabled) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    paintIcon(*painter, m_name, mode == QIcon::Disabled ? m_disabled : m_color, QRectF(rect));
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap picture(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return picture;
  }

  [[nodiscard]] QIconEngine* clone() const override { return new TintedEngine(*this); }

 private:
  QString m_name;
  QColor m_color;
  QColor m_disabled;
};

void render(QPainter& painter, const QString& name, const QColor& color, const QRectF& rect) {
  QByteArray shape = shapeOf(name);
  if (shape.isEmpty()) return;
  const QByteArray tint = color.name(QColor::HexRgb).toLatin1();
  shape.replace("currentColor", tint);
  const QByteArray svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 20\" width=\"20\" height=\"20\" "
      "fill=\"none\" stroke=\"" +
      tint +
      "\" stroke-width=\"1.5\" stroke-linecap=\"round\" "
      "stroke-linejoin=\"round\">" +
      shape + "</svg>";
  QSvgRenderer renderer(svg);
  renderer.render(&painter, rect);
}

}  // namespace

/// Rendering an icon is slower than painting a lane, so each size is cached.
void paintIcon(QPainter& painter, const QString& name, const QColor& color, const QRectF& rect) {
  const qreal ratio = painter.device() == nullptr ? 1.0 : painter.device()->devicePixelRatioF();
  const QString key = u"stagelane-icon/%1/%2/%3x%4@%5"_s.arg(name, color.name(QColor::HexArgb))
                          .arg(rect.width())
                          .arg(rect.height())
                          .arg(ratio);
  QPixmap picture;
  if (!QPixmapCache::find(key, &picture)) {
    picture = QPixmap((rect.size() * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter into(&picture);
    render(into, name, color, QRectF(QPointF(0, 0), rect.size()));
    into.end();
    QPixmapCache::insert(key, picture);
  }
  painter.drawPixmap(rect.topLeft(), picture);
}

QIcon icon(const QString& name, const QColor& color, const QColor& disabled) {
  return shapeOf(name).isEmpty() ? QIcon() : QIcon(new TintedEngine(name, color, disabled));
}

QIcon icon(const QString& name, const QColor& color) { return icon(name, color, color); }

}  // namespace stagelane::ui
