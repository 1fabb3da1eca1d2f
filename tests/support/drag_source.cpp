// Another program's window from which a file can be dragged, like a file manager's: the tests drag
// from it with the mouse.
//
//   stagelane_drag_source FILE X Y
//
// Prints "shown" when its small window is visible at X, Y on the screen, and "taken" when the
// window under the dragged file would accept it. Runs until it is terminated, because the target
// asks for the file after the drop.

#include <QApplication>
#include <QDrag>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QTextStream>
#include <QUrl>
#include <utility>

namespace {

void say(const char* word) { QTextStream(stdout) << word << Qt::endl; }

class Source : public QLabel {
 public:
  explicit Source(const QString& file) : m_url(QUrl::fromLocalFile(file)) {
    setWindowFlags(Qt::FramelessWindowHint | Qt::WindowStaysOnTopHint);
  }

 protected:
  /// show() returns before the window is visible; it is visible once it has been painted.
  void paintEvent(QPaintEvent* event) override {
    QLabel::paintEvent(event);
    if (!std::exchange(m_shown, true)) {
      QMetaObject::invokeMethod(
          this, [] { say("shown"); }, Qt::QueuedConnection);
    }
  }
  void mousePressEvent(QMouseEvent* event) override {
    event->accept();
    say("pressed");
  }
  void mouseMoveEvent(QMouseEvent* event) override {
    event->accept();
    auto* dragged = new QMimeData;
    dragged->setUrls({m_url});
    auto* drag = new QDrag(this);
    drag->setMimeData(dragged);
    connect(drag, &QDrag::actionChanged, this, [](Qt::DropAction action) {
      if (action != Qt::IgnoreAction) say("taken");
    });
    drag->exec(Qt::CopyAction);
  }

 private:
  QUrl m_url;
  bool m_shown = false;
};

}  // namespace

int main(int argc, char** argv) {
  const QApplication application(argc, argv);
  const QStringList arguments = QApplication::arguments();
  Source source(arguments.value(1));
  source.setGeometry(arguments.value(2).toInt(), arguments.value(3).toInt(), 80, 30);
  source.setText(QStringLiteral("file"));
  source.show();
  return QApplication::exec();
}
