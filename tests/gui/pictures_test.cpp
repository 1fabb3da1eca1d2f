// Pictures of every page after a real run, light and dark, as the X server shows them. They are in
// build/shots; with STAGELANE_UPDATE_PICTURES=1 also in docs/images, then of the preset that
// STAGELANE_PICTURES_OF names (the quick tutorial's ResNet-50 unless given), which takes minutes.

#include <QDir>
#include <QFile>
#include <QSet>

#include "tests/gui/window_test.h"
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

constexpr QSize kSize(1440, 900);

bool updatesDocumentation() {
  return qEnvironmentVariableIntValue("STAGELANE_UPDATE_PICTURES") == 1;
}

class Pictures : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    const QString preset = updatesDocumentation()
                               ? qEnvironmentVariable("STAGELANE_PICTURES_OF",
                                                      QStringLiteral("tutorial-resnet50-quick"))
                               : QStringLiteral("toy");
    QProcess run;
    run.setProcessEnvironment(m_window.environment());
    run.start(QString::fromStdString(checkout::programs() + "/stagelane"),
              {QStringLiteral("run"), preset, QStringLiteral("--out"), runFolder()});
    ASSERT_TRUE(run.waitForFinished(1800 * 1000));
    ASSERT_EQ(run.exitCode(), 0) << run.readAllStandardError().toStdString();
  }

  [[nodiscard]] QString runFolder() const { return path(QStringLiteral("run")); }

  /// The variant of all pictures: the one with the most to show.
  [[nodiscard]] bool showPipeline() {
    for (const QString& name :
         {QStringLiteral("variant.better-cut"), QStringLiteral("variant.pipeline")}) {
      if (m_window.map().find(name) != nullptr) {
        return m_window.click(name) && m_window.waitFor(name, [&](const UiMapFile& map) {
          return map.valueOf(name) == QStringLiteral("current");
        });
      }
    }
    return true;
  }

  /// While suggestions for another variant are computed, the old ones stay and cannot be applied.
  [[nodiscard]] static bool stillSuggests(const UiMapFile& map) {
    const QString apply = QStringLiteral("applyEverything");
    return map.find(apply) != nullptr && !map.isEnabled(apply);
  }

  [[nodiscard]] static int coloursOf(const QImage& picture) {
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 2) {
      for (int x = 0; x < picture.width() && colours.size() < 64; x += 2) {
        colours.insert(picture.pixel(x, y));
      }
    }
    return static_cast<int>(colours.size());
  }

  /// Of the rail on the left: a page may show paper, which is white in the dark theme, too.
  [[nodiscard]] static bool isLight(const QImage& picture) {
    return picture.pixelColor(20, picture.height() - 100).lightnessF() > 0.5;
  }

  void keep(const QImage& picture, const QString& name) {
    keepPicture(picture, name);
    if (updatesDocumentation()) {
      const QString folder = QString::fromStdString(checkout::root() + "/docs/images");
      QDir().mkpath(folder);
      EXPECT_TRUE(picture.save(folder + QChar(u'/') + name + QStringLiteral(".png")));
    }
  }
};

TEST_F(Pictures, ShowEveryPageLightAndDark) {
  for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
    ASSERT_TRUE(m_window.open({.file = runFolder(), .size = kSize, .theme = theme}));
    ASSERT_TRUE(showPipeline());
    for (const QString& rail : m_window.map().namesThatBegin(QStringLiteral("rail."))) {
      const QString page = rail.section(QChar(u'.'), 1);
      ASSERT_TRUE(m_window.click(rail));
      ASSERT_TRUE(m_window.waitFor(page, [&](const UiMapFile& map) { return map.page == page; }));
      m_window.moveTo({2, 2});
      QImage picture = m_window.picture();
      // Background results arrive a moment later; two equal pictures mean that all have arrived.
      ASSERT_TRUE(m_window.waitFor(QStringLiteral("a page at rest"), [&](const UiMapFile& map) {
        const QImage next = m_window.picture();
        const bool same = next == picture;
        picture = next;
        return same && coloursOf(next) > 12 && !stillSuggests(map);
      }));
      EXPECT_EQ(picture.size(), kSize);
      EXPECT_EQ(isLight(picture), theme == QStringLiteral("light")) << page.toStdString();
      keep(picture, page + QChar(u'-') + theme);
    }
  }
}

}  // namespace
}  // namespace stagelane::gui
