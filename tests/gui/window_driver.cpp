#include "tests/gui/window_driver.h"

#include <gtest/gtest.h>

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QPixmap>
#include <QProcessEnvironment>
#include <QScreen>
#include <QThread>
#include <algorithm>
#include <utility>
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

constexpr int kPollMs = 15;
constexpr int kFocusMs = 1000;
constexpr int kRestMs = 60;
constexpr int kDragSteps = 6;

const QString kProgram = QString::fromStdString(checkout::programs() + "/stagelane");

QStringList point(const QPoint& at) { return {QString::number(at.x()), QString::number(at.y())}; }

QStringList held(const QString& verb, const QString& modifier) {
  return modifier.isEmpty() ? QStringList() : QStringList{verb, modifier};
}

/// The parent's id in /proc/PID/stat comes after the name in parentheses and the state.
qint64 parentOf(const QString& processId) {
  QFile file(QStringLiteral("/proc/%1/stat").arg(processId));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  const QByteArray stat = file.readAll();
  return stat.mid(stat.lastIndexOf(')') + 2).split(' ').value(1).toLongLong();
}

QString nameOf(const QString& processId) {
  QFile file(QStringLiteral("/proc/%1/comm").arg(processId));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

QStringList startArguments(const OpenOptions& options) {
  QStringList arguments;
  if (!options.file.isEmpty()) arguments << options.file;
  if (!options.page.isEmpty()) arguments << QStringLiteral("--page") << options.page;
  if (!options.size.isEmpty()) {
    arguments << QStringLiteral("--size")
              << QStringLiteral("%1x%2").arg(options.size.width()).arg(options.size.height());
  }
  if (!options.theme.isEmpty()) arguments << QStringLiteral("--theme") << options.theme;
  return arguments;
}

void waitForEnd(const QList<qint64>& engines) {
  const QDeadlineTimer deadline(WindowDriver::kPatienceMs);
  const auto lives = [](qint64 engine) {
    return nameOf(QString::number(engine)) == QStringLiteral("stagelane-engine").left(15);
  };
  while (std::any_of(engines.begin(), engines.end(), lives) && !deadline.hasExpired()) {
    QThread::msleep(kPollMs);
  }
}

}  // namespace

WindowDriver::WindowDriver(const QString& folder, const QString& map)
    : m_folder(folder), m_mapPath(folder + QChar(u'/') + map) {
  for (const char* name : {"/workspace", "/config", "/runtime", "/home"}) {
    QDir().mkpath(folder + QString::fromLatin1(name));
  }
  QFile::setPermissions(folder + QStringLiteral("/runtime"),
                        QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

WindowDriver::~WindowDriver() {
  if (testing::Test::HasFailure() && isRunning()) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    QString name = QString::fromUtf8(test->name());
    keepPicture(picture(), QStringLiteral("failed-%1").arg(name.replace(u'/', u'-')));
    // A button that a failed test still holds down would be down in the next test's window.
    release();
  }
  close();
}

QProcessEnvironment WindowDriver::environment() const {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("STAGELANE_WORKSPACE"),
                     m_folder + QStringLiteral("/workspace"));
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder + QStringLiteral("/config"));
  environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_folder + QStringLiteral("/runtime"));
  environment.insert(QStringLiteral("HOME"), m_folder + QStringLiteral("/home"));
  return environment;
}

bool WindowDriver::open(const OpenOptions& options) {
  close();
  QFile::remove(m_mapPath);
  m_process = std::make_unique<QProcess>();
  m_process->setProcessEnvironment(environment());
  m_process->setProcessChannelMode(QProcess::SeparateChannels);
  m_process->start(kProgram, startArguments(options) << QStringLiteral("--ui-map") << m_mapPath
                                                     << QStringLiteral("--stay"));
  if (!m_process->waitForStarted()) {
    ADD_FAILURE() << kProgram.toStdString() << ": " << m_process->errorString().toStdString();
    return false;
  }
  return waitFor(QStringLiteral("the settled window"),
                 [](const UiMapFile& map) { return !map.controls.isEmpty(); });
}

QString WindowDriver::close() {
  if (!m_process) return {};
  // A window that still writes when its folder is removed would recreate it.
  const QList<qint64> left = engines();
  m_process->terminate();
  if (!m_process->waitForFinished(10000)) {
    m_process->kill();
    m_process->waitForFinished(10000);
  }
  const QString errors = QString::fromUtf8(m_process->readAllStandardError());
  m_process.reset();
  waitForEnd(left);
  return errors;
}

bool WindowDriver::quit() {
  key(QStringLiteral("ctrl+q"));
  const bool ended = m_process->waitForFinished(kPatienceMs);
  const QString errors = close();
  EXPECT_TRUE(ended) << "the window stays";
  EXPECT_EQ(errors.toStdString(), "");
  return ended && errors.isEmpty();
}

void WindowDriver::kill() {
  const QList<qint64> left = engines();
  m_process->kill();
  m_process->waitForFinished(10000);
  m_process.reset();
  waitForEnd(left);
}

bool WindowDriver::isRunning() const {
  // waitForFinished(0) lets QProcess notice the end: no event loop runs in these tests.
  return m_process && !m_process->waitForFinished(0) && m_process->state() == QProcess::Running;
}

void WindowDriver::activate() const {
  xdotool({QStringLiteral("search"), QStringLiteral("--all"), QStringLiteral("--onlyvisible"),
           QStringLiteral("--pid"), QString::number(m_process->processId()),
           QStringLiteral("--name"), QStringLiteral("Stagelane$"),
           QStringLiteral("windowactivate")});
}

UiMapFile WindowDriver::map() const { return UiMapFile::read(m_mapPath).value_or(UiMapFile{}); }

bool WindowDriver::waitFor(const QString& what, const Condition& condition, int timeoutMs) {
  const QDeadlineTimer deadline(timeoutMs);
  while (!deadline.hasExpired()) {
    const auto seen = UiMapFile::read(m_mapPath);
    if (seen && condition(*seen)) return true;
    if (!isRunning()) {
      ADD_FAILURE() << "the window ended while the test waited for " << what.toStdString() << ": "
                    << close().toStdString();
      return false;
    }
    QThread::msleep(kPollMs);
  }
  ADD_FAILURE() << "waited " << timeoutMs << " ms in vain for " << what.toStdString()
                << "; seen: " << map().describe().toStdString();
  return false;
}

bool WindowDriver::waitForText(const QString& name, const QString& part, int timeoutMs) {
  return waitFor(
      QStringLiteral("%1 to say \"%2\"").arg(name, part),
      [&](const UiMapFile& map) { return map.textOf(name).contains(part); }, timeoutMs);
}

bool WindowDriver::waitForControl(const QString& name, int timeoutMs) {
  return waitFor(
      name, [&](const UiMapFile& map) { return map.find(name) != nullptr; }, timeoutMs);
}

bool WindowDriver::waitForFocus(const QString& name, int timeoutMs) {
  return waitFor(
      QStringLiteral("the keys to go to ") + name,
      [&](const UiMapFile& map) { return map.focus == name; }, timeoutMs);
}

bool WindowDriver::click(const QString& name, const ClickOptions& options) {
  // At the same place in two maps: during a new layout a control may have moved since the map was
  // written.
  QRect rect;
  const auto rests = [&](const UiMapFile& map) {
    const Control* control = map.isEnabled(name) ? map.find(name) : nullptr;
    const QRect before = std::exchange(rect, control != nullptr ? control->rect : QRect());
    if (!rect.isNull() && rect == before) return true;
    QThread::msleep(kRestMs);
    return false;
  };
  if (!waitFor(name + QStringLiteral(" that can be clicked"), rests)) return false;
  clickAt({rect.left() + static_cast<int>(rect.width() * options.acrossX),
           rect.top() + static_cast<int>(rect.height() * options.acrossY)},
          options);
  return true;
}

void WindowDriver::clickAt(const QPoint& at, const ClickOptions& options) {
  QStringList arguments{QStringLiteral("mousemove")};
  arguments << point(at) << held(QStringLiteral("keydown"), options.modifier)
            << QStringLiteral("click") << QStringLiteral("--repeat")
            << QString::number(options.times) << QString::number(options.button)
            << held(QStringLiteral("keyup"), options.modifier);
  xdotool(arguments);
}

void WindowDriver::press(const QPoint& from, const QPoint& to, const PressOptions& options) {
  QStringList arguments{QStringLiteral("mousemove")};
  arguments << point(from) << held(QStringLiteral("keydown"), options.before)
            << QStringLiteral("mousedown") << QString::number(options.button)
            << held(QStringLiteral("keydown"), options.after);
  m_pressed = options.button;
  for (int step = 1; step <= kDragSteps; ++step) {
    arguments << QStringLiteral("mousemove") << point(from + (to - from) * step / kDragSteps);
  }
  xdotool(arguments);
}

void WindowDriver::release() {
  QStringList arguments{QStringLiteral("mouseup"), QString::number(m_pressed)};
  for (const char* modifier : {"shift", "alt", "ctrl"}) {
    arguments << QStringLiteral("keyup") << QString::fromLatin1(modifier);
  }
  xdotool(arguments);
}

void WindowDriver::moveTo(const QPoint& to) {
  xdotool(QStringList{QStringLiteral("mousemove")} << point(to));
}

void WindowDriver::key(const QString& keys) {
  // After a dialog has closed, the window manager returns the focus a moment later.
  const QDeadlineTimer deadline(kFocusMs);
  while (map().focus.isEmpty() && !deadline.hasExpired()) QThread::msleep(kPollMs);
  // Without --clearmodifiers, which would also release the mouse.
  xdotool({QStringLiteral("key"), keys});
}

void WindowDriver::type(const QString& text) {
  xdotool({QStringLiteral("type"), QStringLiteral("--delay"), QStringLiteral("4"),
           QStringLiteral("--"), text});
}

bool WindowDriver::replaceText(const QString& field, const QString& text) {
  if (!click(field)) return false;
  key(QStringLiteral("ctrl+a"));
  type(text);
  return true;
}

bool WindowDriver::enter(const QString& field, const QString& text) {
  if (!replaceText(field, text)) return false;
  key(QStringLiteral("Return"));
  return true;
}

bool WindowDriver::choose(const QString& combo, const QString& entry) {
  // On a busy machine, input before the list is open goes elsewhere, so this tries again.
  constexpr int kTries = 3;
  constexpr int kListMs = 5000;
  const auto chosen = [&] { return map().textOf(combo) == entry; };
  for (int attempt = 0; attempt < kTries && !chosen(); ++attempt) {
    if (!click(combo)) return false;
    type(entry);
    key(QStringLiteral("Return"));
    const QDeadlineTimer deadline(kListMs);
    while (!chosen() && !deadline.hasExpired()) QThread::msleep(kPollMs);
  }
  return waitFor(QStringLiteral("%1 to be %2").arg(combo, entry),
                 [&](const UiMapFile& map) { return map.textOf(combo) == entry; });
}

void WindowDriver::wheel(const QPoint& at, int notches, const QString& modifier) {
  // In X the wheel is buttons 4 (up) and 5.
  QStringList arguments{QStringLiteral("mousemove")};
  arguments << point(at) << held(QStringLiteral("keydown"), modifier) << QStringLiteral("click")
            << QStringLiteral("--repeat") << QString::number(std::abs(notches))
            << QStringLiteral("--delay") << QStringLiteral("10")
            << QString::number(notches > 0 ? 4 : 5) << held(QStringLiteral("keyup"), modifier);
  xdotool(arguments);
}

bool WindowDriver::doFromPalette(const QString& letters) {
  key(QStringLiteral("ctrl+shift+p"));
  if (!waitForFocus(QStringLiteral("paletteSearch"))) return false;
  type(letters);
  if (!waitForText(QStringLiteral("paletteSearch"), letters)) return false;
  key(QStringLiteral("Return"));
  return waitFor(QStringLiteral("the palette to close"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("commandPalette")) == nullptr;
  });
}

QImage WindowDriver::picture() const {
  QRect all;
  const UiMapFile seen = map();
  // The page and the rail have names; the window itself need not.
  for (const Control& control : seen.controls) all |= control.rect;
  const QPoint corner = all.topLeft();
  const QSize size = seen.size.isEmpty() ? all.size() : seen.size;
  return QGuiApplication::primaryScreen()
      ->grabWindow(0, corner.x(), corner.y(), size.width(), size.height())
      .toImage();
}

QList<qint64> WindowDriver::engines() const {
  QList<qint64> found;
  if (!m_process) return found;
  for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    bool isNumber = false;
    const qint64 processId = entry.toLongLong(&isNumber);
    // The kernel keeps the first 15 characters of a name.
    if (isNumber && parentOf(entry) == m_process->processId() &&
        nameOf(entry) == QStringLiteral("stagelane-engine").left(15)) {
      found.append(processId);
    }
  }
  return found;
}

QStringList WindowDriver::runFolders() const {
  const QDir runs(m_folder + QStringLiteral("/workspace/runs"));
  QStringList paths;
  for (const QString& name : runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
    paths.append(runs.filePath(name));
  }
  return paths;
}

void WindowDriver::xdotool(const QStringList& arguments) {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral("xdotool"), arguments);
  const bool ended = process.waitForFinished(20000);
  EXPECT_TRUE(ended && process.exitCode() == 0)
      << "xdotool " << arguments.join(QChar(u' ')).toStdString() << ": "
      << (ended ? QString::fromUtf8(process.readAll()) : process.errorString()).toStdString();
}

void keepPicture(const QImage& picture, const QString& name) {
  const QDir folder(QString::fromStdString(checkout::programs() + "/../shots"));
  folder.mkpath(QStringLiteral("."));
  if (!picture.save(folder.filePath(name + QStringLiteral(".png")))) {
    ADD_FAILURE() << "cannot write " << folder.filePath(name).toStdString() << ".png";
  }
}

}  // namespace stagelane::gui
