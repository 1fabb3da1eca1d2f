// A pseudo-locale puts every text of the full catalog between ⟦ and ⟧. Text outside of these in a
// page, a menu or a dialog is data, or is not translated, or is missing from the catalog because
// lupdate cannot find it.

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QRegularExpression>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocumentFragment>
#include <QTranslator>
#include <QTreeView>
#include <QXmlStreamReader>
#include <functional>
#include <map>

#include "app/window/main_window.h"
#include "app/window/pages.h"
#include "engine/model/model.h"
#include "engine/plan/experiment.h"
#include "engine/schedule/methods.h"
#include "tests/gui/history.h"
#include "tests/support/modal_dialog.h"
#include "tests/support/paths.h"
#include "ui/kit/badge.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/virtual_controls.h"

namespace stagelane::app {
namespace {

constexpr int kLongestWaitMs = 300'000;  ///< on a machine that also builds

QString keyOf(const QString& context, const QString& source) {
  return context + QChar(u'\n') + source;
}

/// The texts of the catalog that a translator gets, written to `file`.
QSet<QString> fullCatalog(const QString& file) {
  QProcess update;
  update.start(QStringLiteral("python3"),
               {QString::fromStdString(checkout::root() + "/resources/translations/update.py"),
                QStringLiteral("--full"), file});
  EXPECT_TRUE(update.waitForFinished(kLongestWaitMs));
  EXPECT_EQ(update.exitCode(), 0) << update.readAllStandardError().toStdString();
  QFile catalog(file);
  EXPECT_TRUE(catalog.open(QIODevice::ReadOnly));
  QXmlStreamReader xml(&catalog);
  QSet<QString> texts;
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const QString element = xml.name().toString();
    if (element == QStringLiteral("name")) context = xml.readElementText();
    if (element == QStringLiteral("source")) texts.insert(keyOf(context, xml.readElementText()));
  }
  return texts;
}

/// Qt's own contexts (Ctrl in keys, the words of standard buttons) have catalogs of their own.
class PseudoLocale : public QTranslator {
 public:
  void setTexts(QSet<QString> texts) { m_texts = std::move(texts); }
  [[nodiscard]] bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* source, const char* /*disambiguation*/,
                    int /*count*/) const override {
    const QString text = QString::fromUtf8(source);
    const bool known = m_texts.contains(keyOf(QString::fromUtf8(context), text));
    return known ? QStringLiteral("⟦%1⟧").arg(text) : QString();
  }

 private:
  QSet<QString> m_texts;
};

/// Without the translated parts, which can be nested.
QString outside(const QString& text) {
  QString left;
  int depth = 0;
  for (const QChar c : text) {
    if (c == QChar(u'⟦')) ++depth;
    if (depth == 0) left.append(c);
    if (c == QChar(u'⟧')) --depth;
  }
  return left;
}

/// Words that are the same in every language: units, keys, names of schedules and devices, and
/// what the experiment of the test is made of.
bool isData(const QString& word) {
  static const QSet<QString> known = [] {
    QSet<QString> words{
        // Units, keys and statistics.
        QStringLiteral("ns"), QStringLiteral("µs"), QStringLiteral("ms"), QStringLiteral("KiB"),
        QStringLiteral("MiB"), QStringLiteral("GiB"), QStringLiteral("Ctrl"),
        QStringLiteral("Shift"), QStringLiteral("Alt"), QStringLiteral("Del"),
        QStringLiteral("Space"), QStringLiteral("Esc"), QStringLiteral("Return"),
        QStringLiteral("Left"), QStringLiteral("Right"), QStringLiteral("Home"),
        QStringLiteral("End"),
        // Formats, and names of programs.
        QStringLiteral("PNG"), QStringLiteral("SVG"), QStringLiteral("PDF"), QStringLiteral("CSV"),
        QStringLiteral("HTML"), QStringLiteral("Stagelane"), QStringLiteral("stagelane"),
        QStringLiteral("PyTorch"), QStringLiteral("Markdown"),
        // Dates are written in English (formatting.h).
        QStringLiteral("Nov"),
        // Actions in traces, and classes of the model.
        QStringLiteral("LOSS"), QStringLiteral("OPT"), QStringLiteral("Linear"),
        QStringLiteral("ReLU"), QStringLiteral("ToyModel"),
        // Qt's own words for the arrows of scrolling tabs and for standard buttons.
        QStringLiteral("Scroll"), QStringLiteral("OK"), QStringLiteral("Cancel"),
        QStringLiteral("Save"),
        // The experiment and the machine of the test.
        QStringLiteral("cpu"), QStringLiteral("cuda"), QStringLiteral("toy"), QStringLiteral("Toy"),
        QStringLiteral("net"), QStringLiteral("relu"), QStringLiteral("wide"),
        QStringLiteral("pipeline"), QStringLiteral("Some"), QStringLiteral("steady"),
        QStringLiteral("memory")};
    for (const model::ZooEntry& entry : model::zoo()) {
      // Words are letters only: resnet18 is "resnet" here.
      static const QRegularExpression other(QStringLiteral(R"([^\p{L}]+)"));
      for (const QString& part : ui::qstring(entry.name).split(other)) words.insert(part);
    }
    for (const std::string& name : schedule::allScheduleNames()) {
      for (const QString& part : ui::qstring(name).split(QChar(u'-'))) words.insert(part);
    }
    return words;
  }();
  return known.contains(word);
}

class PseudoLocaleTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(m_folder.isValid());
    QSet<QString> texts = fullCatalog(path("stagelane_en.ts"));
    ASSERT_GT(texts.size(), 1000);
    m_locale.setTexts(std::move(texts));
    qputenv("STAGELANE_WORKSPACE", path("workspace").toUtf8());
    qputenv("XDG_CONFIG_HOME", path("config").toUtf8());
    const QString run = gui::writePastRun(
        path("workspace/runs"),
        {.folder = QStringLiteral("20261119-104400-toy"), .name = QStringLiteral("Toy")});
    m_options.file = run.toStdString();
    m_options.width = 1600;
    m_options.height = 1000;
  }
  void TearDown() override {
    m_window.reset();
    QCoreApplication::removeTranslator(&m_locale);
  }

  void open() {
    m_window = std::make_unique<MainWindow>(m_options);
    ASSERT_TRUE(m_window->openFirst());
    m_window->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_window.get()));
    for (const plan::Variant& variant : m_window->session().document().experiment()->variants) {
      m_names << ui::qstring(variant.name) << ui::qstring(variant.id);
    }
  }
  void openTranslated() {
    ASSERT_TRUE(QCoreApplication::installTranslator(&m_locale));
    open();
  }

  void onEveryPage(const std::function<void()>& act) {
    for (const std::string& page : pageNames()) {
      ASSERT_TRUE(m_window->shell().showPage(QString::fromStdString(page)));
      ASSERT_TRUE(QTest::qWaitFor([this] { return m_window->settled(); }, kLongestWaitMs)) << page;
      act();
    }
  }

  void look(const QString& text, const QString& where) {
    // Paths of files, and whatever has a dot or an underscore within: names of files and of keys.
    static const QRegularExpression file(QStringLiteral(R"(\S*[/_.]\S*[^\s.])"));
    static const QRegularExpression word(QStringLiteral(R"([\p{L}]{2,})"));
    QString left = outside(QTextDocumentFragment::fromHtml(text).toPlainText());
    for (const QString& name : m_names) left.remove(name);
    left.remove(file);
    for (auto found = word.globalMatch(left); found.hasNext();) {
      if (isData(found.next().captured())) continue;
      m_missed.emplace(where, text);
      return;
    }
  }

  void lookAt(const QWidget& widget) {
    // Errors of the engine and names of experiments are English. Actions are checked once.
    static const QStringList kOthers{QStringLiteral("codeNotes"), QStringLiteral("sweepCount"),
                                     QStringLiteral("newName"), QStringLiteral("paletteList"),
                                     QStringLiteral("reportQuestion")};
    if (kOthers.contains(widget.objectName())) return;
    const QString name =
        QString::fromLatin1(widget.metaObject()->className()) + QChar(u' ') + widget.objectName();
    look(widget.toolTip(), name + QStringLiteral(", tool tip"));
    look(widget.accessibleName(), name + QStringLiteral(", accessible name"));
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) look(label->text(), name);
    if (const auto* badge = qobject_cast<const ui::Badge*>(&widget)) look(badge->text(), name);
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
      look(button->text(), name);
    }
    if (const auto* edit = qobject_cast<const QLineEdit*>(&widget)) {
      look(edit->placeholderText(), name + QStringLiteral(", placeholder"));
    }
    if (const auto* combo = qobject_cast<const QComboBox*>(&widget)) {
      for (int i = 0; i < combo->count(); ++i) {
        look(combo->itemText(i), name);
        look(combo->itemData(i, Qt::ToolTipRole).toString(), name + QStringLiteral(", tool tip"));
      }
    }
    if (const auto* menu = qobject_cast<const QMenu*>(&widget)) lookAtActions(*menu);
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) lookAtItems(*view);
    if (const auto* painted = dynamic_cast<const ui::VirtualControlSource*>(&widget)) {
      for (const ui::VirtualControl& part : painted->virtualControls()) {
        look(part.text, name + QStringLiteral(", ") + part.name);
      }
    }
  }

  void lookAtActions(const QMenu& menu) {
    for (const QAction* action : menu.actions()) {
      if (action->objectName().startsWith(QStringLiteral("preset."))) continue;  // names of files
      look(action->text(), QStringLiteral("menu, ") + action->objectName());
      look(action->toolTip(), QStringLiteral("menu, tool tip, ") + action->objectName());
    }
  }

  void lookAtDialogOf(const char* name) {
    auto* action = m_window->findChild<QAction*>(QString::fromLatin1(name));
    ASSERT_NE(action, nullptr);
    test::lookAtModalDialog([&] { action->trigger(); },
                            [&](const QDialog& dialog) {
                              look(dialog.windowTitle(), QString::fromLatin1(name));
                              for (const QWidget* widget : dialog.findChildren<QWidget*>())
                                lookAt(*widget);
                            });
  }

  void expectNothingMissed() const {
    for (const auto& [where, text] : m_missed) {
      ADD_FAILURE() << where.toStdString() << ": " << text.toStdString();
    }
  }

  void lookAtItems(const QAbstractItemView& view) {
    const QAbstractItemModel* model = view.model();
    if (model == nullptr || qobject_cast<const QHeaderView*>(&view) != nullptr) return;
    for (int column = 0; column < model->columnCount(); ++column) {
      look(model->headerData(column, Qt::Horizontal).toString(),
           view.objectName() + QStringLiteral(", column %1").arg(column));
    }
    lookAtCells(*model, {}, view.objectName());
  }

  void lookAtCells(const QAbstractItemModel& model, const QModelIndex& parent,
                   const QString& where) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
      for (int column = 0; column < model.columnCount(parent); ++column) {
        const QModelIndex cell = model.index(row, column, parent);
        const QString at = where + QStringLiteral(", cell in column %1").arg(column);
        look(cell.data().toString(), at);
        look(cell.data(Qt::ToolTipRole).toString(), at + QStringLiteral(", tool tip"));
      }
      lookAtCells(model, model.index(row, 0, parent), where);
    }
  }

  [[nodiscard]] QString path(const char* name) const {
    return m_folder.filePath(QString::fromLatin1(name));
  }

  PseudoLocale m_locale;
  QTemporaryDir m_folder;
  WindowOptions m_options;
  std::unique_ptr<MainWindow> m_window;
  QStringList m_names;
  std::map<QString, QString> m_missed;  ///< by place
};

TEST_F(PseudoLocaleTest, EveryTextOfEveryPageIsTranslated) {
  // A window before the translation: no text may be kept from it.
  ASSERT_NO_FATAL_FAILURE(open());
  ASSERT_NO_FATAL_FAILURE(onEveryPage([] {}));
  m_window.reset();
  ASSERT_NO_FATAL_FAILURE(openTranslated());
  ASSERT_NO_FATAL_FAILURE(onEveryPage([this] {
    for (const QWidget* widget : m_window->findChildren<QWidget*>()) lookAt(*widget);
  }));
  for (const ui::PaletteEntry& entry : m_window->shell().allActions()) {
    look(entry.action->text(), QStringLiteral("action ") + entry.action->objectName());
  }
  expectNothingMissed();
}

TEST_F(PseudoLocaleTest, EveryTextOfEveryDialogIsTranslated) {
  ASSERT_NO_FATAL_FAILURE(openTranslated());
  ASSERT_TRUE(QTest::qWaitFor([this] { return m_window->settled(); }, kLongestWaitMs));
  for (const char* action : {"sweepAction", "newExperiment", "exportCode", "changeModel",
                             "addImagined", "exportPredicted", "paletteAction"}) {
    SCOPED_TRACE(action);
    lookAtDialogOf(action);
  }
  expectNothingMissed();
}

TEST_F(PseudoLocaleTest, ATextThatTheCatalogLacksIsNotMarked) {
  ASSERT_TRUE(QCoreApplication::installTranslator(&m_locale));
  EXPECT_EQ(QObject::tr("single device").toStdString(), "⟦single device⟧");
  const std::string runtime = "not in any source of the window";
  EXPECT_EQ(QObject::tr(runtime.c_str()).toStdString(), runtime);
}

TEST(PseudoLocale, FindsWhatIsOutside) {
  EXPECT_EQ(outside(QStringLiteral("⟦a ⟦b⟧ c⟧ d")).toStdString(), " d");
}

}  // namespace
}  // namespace stagelane::app
