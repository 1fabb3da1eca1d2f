// Pictures of the timeline: against golden ones (tests/data/timeline; STAGELANE_UPDATE_GOLDEN=1
// rewrites them), and that nothing is painted outside, since QSvgGenerator does not clip.

#include <gtest/gtest.h>

#include <QBuffer>
#include <QDir>
#include <QImage>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QTransform>
#include <QXmlStreamReader>
#include <cmath>

#include "engine/trace/trace_builder.h"
#include "tests/support/paths.h"
#include "ui/kit/pictures/picture.h"
#include "ui/tracks/timeline_frame.h"

namespace stagelane::ui {
namespace {

using trace::Category;
using trace::TrackKind;

/// Two workers with everything that a timeline can show: actions, copies, nested operators,
/// overlapping kernels, a dense stream, memory.
class Sample {
 public:
  Sample() {
    for (int device = 0; device < 2; ++device) {
      const std::int32_t owner = m_builder.device("cpu:" + std::to_string(device));
      m_compute[device] = m_builder.track(owner, TrackKind::Compute, "compute");
      m_copy[device] = m_builder.track(owner, TrackKind::Copy, "copies");
      m_ops[device] = m_builder.track(owner, TrackKind::Operators, "operators");
      m_kernels[device] = m_builder.track(owner, TrackKind::Kernels, "stream 7");
      m_memory[device] = m_builder.track(owner, TrackKind::Counter, "memory");
    }
    for (int i = 0; i < 4; ++i) addMicroBatch(i);
    add(m_compute[0], 95'000, 5'000, "OPT", Category::Optimizer, -1, -1);
    addDetails();
    m_builder.addStep({.repeat = 0, .step = 0, .startNs = 0, .endNs = 100'000});
    m_builder.addDropped(12);
  }
  [[nodiscard]] trace::TracePtr take() { return std::move(m_builder).build(); }

 private:
  void add(std::uint16_t track, TimeNs start, TimeNs duration, const std::string& name,
           Category category, int stage, int microBatch) {
    trace::TraceBuilder::NewEvent event;
    event.startNs = start;
    event.durationNs = duration;
    event.name = name;
    event.category = category;
    event.track = track;
    event.stage = StageId{stage};
    event.microBatch = MicroBatchId{microBatch};
    m_builder.add(event);
  }

  void addMicroBatch(int i) {
    const std::string number = std::to_string(i);
    const TimeNs ahead = i * 5'000;
    add(m_compute[0], ahead, 5'000, "F" + number, Category::Forward, 0, i);
    add(m_copy[0], ahead + 5'000, 1'000, "SEND_F" + number, Category::SendForward, 0, i);
    add(m_copy[1], ahead + 5'500, 1'000, "RECV_F" + number, Category::RecvForward, 1, i);
    const TimeNs second = 7'000 + i * 16'000;
    add(m_compute[1], second, 5'000, "F" + number, Category::Forward, 1, i);
    add(m_compute[1], second + 5'000, 10'000, "B" + number, Category::Backward, 1, i);
    add(m_copy[1], second + 15'000, 1'000, "SEND_B" + number, Category::SendBackward, 1, i);
    add(m_copy[0], second + 15'500, 1'000, "RECV_B" + number, Category::RecvBackward, 0, i);
    add(m_compute[0], second + 16'600, 9'000, "B" + number, Category::Backward, 0, i);
  }

  void addDetails() {
    for (int device = 0; device < 2; ++device) {
      for (TimeNs at = 0; at < 90'000; at += 9'000) {
        add(m_ops[device], at, 8'000, "aten::conv2d", Category::Operator, -1, -1);
        add(m_ops[device], at + 500, 6'000, "aten::convolution", Category::Operator, -1, -1);
        add(m_ops[device], at + 700, 2'000, "aten::mkldnn", Category::Operator, -1, -1);
      }
      // Three at once, one of them for the whole time; then a dense stretch of two kinds.
      add(m_kernels[device], 0, 40'000, "long", Category::Kernel, -1, -1);
      add(m_kernels[device], 10'000, 20'000, "second", Category::Kernel, -1, -1);
      add(m_kernels[device], 15'000, 5'000, "third", Category::Copy, -1, -1);
      for (TimeNs at = 45'000; at < 90'000; at += 20) {
        const bool copy = at % 6'000 < 1'500;
        add(m_kernels[device], at, at < 60'000 ? 4 : 16, "tiny",
            copy ? Category::Copy : Category::Kernel, -1, -1);
      }
      for (TimeNs at = 0; at < 100'000; at += 2'500) {
        const double wave = 1.0 + std::sin(static_cast<double>(at) / 15'000.0);
        m_builder.addCounter(m_memory[device], at, wave * 1e9, "bytes");
      }
    }
  }

  trace::TraceBuilder m_builder;
  std::uint16_t m_compute[2], m_copy[2], m_ops[2], m_kernels[2], m_memory[2];
};

TimelineDataPtr sampleData() {
  return std::make_shared<const TimelineData>(Sample().take(), 0, Sample().take());
}

constexpr double kWidth = 900.0;

struct Case {
  const char* name;
  ThemeKind theme;
  double fromNs, toNs;
  ColorBy colorBy = ColorBy::Kind;
};
constexpr Case kCases[] = {
    {"whole-light", ThemeKind::Light, 0.0, 100'000.0},
    {"whole-dark", ThemeKind::Dark, 0.0, 100'000.0},
    {"zoomed-light", ThemeKind::Light, 20'300.0, 31'700.0},
    {"dense-dark", ThemeKind::Dark, 59'000.0, 61'000.0},
    {"by-micro-batch-light", ThemeKind::Light, 0.0, 100'000.0, ColorBy::MicroBatch},
};

TimelinePicture pictureOf(const TimelineData& data, const Case& each) {
  TimeAxis axis(data.rangeNs(), kWidth);
  axis.show(each.fromNs, each.toNs);
  TimelinePicture picture{data, axis};
  picture.rows.everything = true;
  picture.colorBy = each.colorBy;
  // B0 of the second worker: its arrows lead out of the zoomed views.
  for (std::size_t i = 0; i < data.trace().size(); ++i) {
    const trace::EventView event = data.trace().event(i);
    if (event.name == "B0" && event.stage.value == 1) {
      picture.selection = {.kind = TimelineTarget::Kind::Event, .event = i, .device = 1};
    }
  }
  return picture;
}

QImage paint(const TimelineData& data, const Case& each) {
  const TimelinePicture picture = pictureOf(data, each);
  const Theme& theme = themeOf(each.theme);
  const double height = paintTimelinePicture(nullptr, picture, kWidth, theme, PaintMode::Screen);
  QImage image(static_cast<int>(kWidth), static_cast<int>(std::ceil(height)), QImage::Format_RGB32);
  image.setDotsPerMeterX(3780);
  image.setDotsPerMeterY(3780);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  paintTimelinePicture(&painter, picture, kWidth, theme, PaintMode::Screen);
  return image;
}

/// Share of pixels that differ clearly. Letters may differ a little between versions of FreeType.
double differenceOf(const QImage& left, const QImage& right) {
  constexpr int kClearly = 24;
  if (left.size() != right.size()) return 1.0;
  int different = 0;
  for (int y = 0; y < left.height(); ++y) {
    for (int x = 0; x < left.width(); ++x) {
      const QRgb a = left.pixel(x, y), b = right.pixel(x, y);
      const int most = std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                                 std::abs(qBlue(a) - qBlue(b))});
      if (most > kClearly) ++different;
    }
  }
  return static_cast<double>(different) / (static_cast<double>(left.width()) * left.height());
}

class GoldenTimeline : public testing::TestWithParam<Case> {};

TEST_P(GoldenTimeline, LooksAsItDid) {
  const QString folder = QString::fromStdString(checkout::testData() + "/timeline");
  const QString path =
      folder + QChar(u'/') + QString::fromUtf8(GetParam().name) + QStringLiteral(".png");
  const QImage painted = paint(*sampleData(), GetParam());
  if (qEnvironmentVariableIntValue("STAGELANE_UPDATE_GOLDEN") == 1) {
    QDir().mkpath(folder);
    ASSERT_TRUE(painted.save(path, "PNG", 0));
    return;
  }
  const QImage golden(path);
  ASSERT_FALSE(golden.isNull()) << path.toStdString()
                                << ": write it with STAGELANE_UPDATE_GOLDEN=1";
  const double difference = differenceOf(painted, golden.convertToFormat(QImage::Format_RGB32));
  if (difference >= 0.001) {
    const QString seen = QDir::temp().filePath(
        QStringLiteral("timeline-") + QString::fromUtf8(GetParam().name) + QStringLiteral(".png"));
    painted.save(seen);
    ADD_FAILURE() << difference * 100.0 << " % of the pixels differ; seen: " << seen.toStdString();
  }
}

INSTANTIATE_TEST_SUITE_P(All, GoldenTimeline, testing::ValuesIn(kCases), [](const auto& entry) {
  std::string name = entry.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Every coordinate of an SVG, with the transforms of its groups.
class SvgCoordinates {
 public:
  explicit SvgCoordinates(const QByteArray& svg) {
    QXmlStreamReader reader(svg);
    std::vector<QTransform> groups{QTransform()};
    while (!reader.atEnd()) {
      const auto token = reader.readNext();
      if (token == QXmlStreamReader::StartElement) {
        const auto attributes = reader.attributes();
        groups.push_back(transformOf(attributes.value(QLatin1String("transform")).toString()) *
                         groups.back());
        read(reader.name().toString(), attributes, groups.back());
      } else if (token == QXmlStreamReader::EndElement) {
        groups.pop_back();
      }
    }
    error = reader.errorString();
  }
  QString error;
  std::vector<QPointF> points;
  std::vector<QString> elements;

 private:
  static std::vector<double> numbersIn(const QString& text) {
    static const QRegularExpression number(QStringLiteral("-?\\d+(\\.\\d+)?(e-?\\d+)?"));
    std::vector<double> numbers;
    auto match = number.globalMatch(text);
    while (match.hasNext()) numbers.push_back(match.next().captured().toDouble());
    return numbers;
  }
  static QTransform transformOf(const QString& text) {
    const std::vector<double> n = numbersIn(text);
    return n.size() == 6 ? QTransform(n[0], n[1], n[2], n[3], n[4], n[5]) : QTransform();
  }
  void add(const QString& element, const QTransform& group, double x, double y) {
    points.push_back(group.map(QPointF(x, y)));
    elements.push_back(element);
  }
  void read(const QString& name, const QXmlStreamAttributes& attributes, const QTransform& group) {
    const auto value = [&](const char* key) {
      return attributes.value(QLatin1String(key)).toDouble();
    };
    if (name == QLatin1String("rect")) {
      add(name, group, value("x"), value("y"));
      add(name, group, value("x") + value("width"), value("y") + value("height"));
    } else if (name == QLatin1String("line")) {
      add(name, group, value("x1"), value("y1"));
      add(name, group, value("x2"), value("y2"));
    } else if (name == QLatin1String("text")) {
      add(name, group, value("x"), value("y"));
    } else {
      const QString data = attributes.value(QLatin1String("d")).toString() + QChar(u' ') +
                           attributes.value(QLatin1String("points")).toString();
      const std::vector<double> n = numbersIn(data);
      for (std::size_t i = 0; i + 1 < n.size(); i += 2) add(name, group, n[i], n[i + 1]);
    }
  }
};

template <class Paint>
QByteArray svgOf(QSizeF size, Paint paint) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(96);
  generator.setSize(size.toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), size));
  QPainter painter(&generator);
  paint(painter);
  painter.end();
  return buffer.data();
}

void expectInside(const SvgCoordinates& found, const QRectF& room) {
  ASSERT_EQ(found.error.toStdString(), "");
  ASSERT_GT(found.points.size(), 100U);
  const QRectF wide = room.adjusted(-0.02, -0.02, 0.02, 0.02);
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    ASSERT_TRUE(wide.contains(found.points[i]))
        << found.elements[i].toStdString() << " at " << found.points[i].x() << ", "
        << found.points[i].y();
  }
}

TEST_P(GoldenTimeline, ReachesNowhereOutsideAsSvg) {
  const TimelineDataPtr data = sampleData();
  const TimelinePicture picture = pictureOf(*data, GetParam());
  const double height =
      paintTimelinePicture(nullptr, picture, kWidth, lightTheme(), PaintMode::Vector);
  const QSizeF size(kWidth, std::ceil(height));
  expectInside(SvgCoordinates(svgOf(size,
                                    [&](QPainter& painter) {
                                      paintTimelinePicture(&painter, picture, kWidth, lightTheme(),
                                                           PaintMode::Vector);
                                    })),
               QRectF(QPointF(0, 0), size));
}

TEST_P(GoldenTimeline, KeepsTheLanesOfAnSvgOffTheTreeAndTheRuler) {
  const TimelineDataPtr data = sampleData();
  const TimelinePicture picture = pictureOf(*data, GetParam());
  const TimelineLayout layout = layoutRows(*data, picture.rows);
  const EventFlows flows = flowsOf(*data, picture.selection);
  TimeAxis axis = picture.axis;
  axis.setWidth(600.0);
  // Scrolled, so that rows are cut at the top and at the bottom.
  for (const double top : {0.0, 31.0, 96.0}) {
    const TimelineScene scene = buildScene({.data = *data,
                                            .layout = layout,
                                            .axis = axis,
                                            .top = top,
                                            .height = 150.0,
                                            .selection = picture.selection,
                                            .flows = &flows});
    expectInside(SvgCoordinates(svgOf(QSizeF(900, 300),
                                      [&](QPainter& painter) {
                                        painter.translate(200, 50);
                                        paintScene(painter, scene, lightTheme(), PaintMode::Vector);
                                      })),
                 QRectF(200, 50, 600, 150));
  }
}

TEST_P(GoldenTimeline, PaintsNothingOutsideInVectorMode) {
  // As for PDF and SVG, drawn with room around it: letters and strokes count, too.
  const TimelineDataPtr data = sampleData();
  const TimelinePicture picture = pictureOf(*data, GetParam());
  const TimelineLayout layout = layoutRows(*data, picture.rows);
  TimeAxis axis = picture.axis;
  axis.setWidth(600.0);
  const EventFlows flows = flowsOf(*data, picture.selection);
  TimelineScene scene = buildScene({.data = *data,
                                    .layout = layout,
                                    .axis = axis,
                                    .top = 40.0,
                                    .height = 200.0,
                                    .selection = picture.selection,
                                    .flows = &flows});
  // Heads at the very corners: one points up at the left edge, the other down at the right one.
  scene.arrows.push_back({.points = {{0.0, 40.0}, {0.0, 0.0}}, .head = true});
  scene.arrows.push_back({.points = {{600.0, 160.0}, {600.0, 200.0}}, .head = true});
  QImage image(800, 300, QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  painter.translate(100, 50);
  paintScene(painter, scene, lightTheme(), PaintMode::Vector);
  painter.end();
  // Lines on the very edge are half a pixel wide to either side.
  const QRect room = QRect(100, 50, 600, 200).adjusted(-1, -1, 1, 1);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (room.contains(x, y)) continue;
      ASSERT_EQ(image.pixel(x, y), QColor(Qt::magenta).rgb()) << x << ", " << y;
    }
  }
}

TEST(TimelinePicture, HasARectangleForStretchesOfOneColourInVectorFiles) {
  const TimelineDataPtr data = sampleData();
  const QByteArray svg = svgOf(QSizeF(900, 900), [&](QPainter& painter) {
    paintTimelinePicture(&painter, pictureOf(*data, kCases[0]), kWidth, lightTheme(),
                         PaintMode::Vector);
  });
  EXPECT_FALSE(svg.contains("<image"));
  EXPECT_LT(svg.size(), 1'500'000) << "4500 tiny kernels are not written one by one";
}

TEST(TimelinePicture, HasALegendOfWhatIsShownOnly) {
  const TimelineDataPtr data = sampleData();
  TimelinePicture picture = pictureOf(*data, kCases[0]);
  const auto texts = [&] {
    return svgOf(QSizeF(kWidth, 1200.0), [&](QPainter& painter) {
      paintTimelinePicture(&painter, picture, kWidth, lightTheme(), PaintMode::Vector);
    });
  };
  const QByteArray all = texts();
  EXPECT_TRUE(all.contains(">backward<"));
  EXPECT_TRUE(all.contains(">starved<"));
  picture.filter = {{Category::Backward}, {analysis::Cause::Starved}};
  const QByteArray some = texts();
  EXPECT_FALSE(some.contains(">backward<"));
  EXPECT_FALSE(some.contains(">starved<"));
  EXPECT_TRUE(some.contains(">forward<"));
}

TEST(Picture, SaysWhichSizesThereAre) {
  const auto check = [](const char* path, double width, double height, int dpi) {
    const Status good = checkPicture(
        {.path = QString::fromLatin1(path), .widthMm = width, .heightMm = height, .dpi = dpi});
    return good ? std::string() : good.error().message + ". " + good.error().hint;
  };
  EXPECT_EQ(check("a.png", 240, 120, 1200), "");
  EXPECT_NE(check("a.png", 240, 120, 1201).find("1200 dots per inch"), std::string::npos);
  EXPECT_NE(check("a.png", 240, 120, 0).find("20 to 1200"), std::string::npos);
  EXPECT_NE(check("a.png", 1000, 120, 1200).find("32 000 pixels"), std::string::npos);
  // Lines have no dots.
  EXPECT_EQ(check("a.svg", 240, 120, 0), "");
  EXPECT_NE(check("a.pdf", 2001, 120, 300).find("2000 mm"), std::string::npos);
  EXPECT_NE(check("a.bmp", 240, 120, 300).find("unknown picture format"), std::string::npos);
}

TEST(TimelinePicture, ShortensNamesThatDoNotFitTheirBars) {
  trace::TraceBuilder builder;
  const auto track = builder.track(builder.device("cuda:0"), trace::TrackKind::Kernels, "stream 7");
  trace::TraceBuilder::NewEvent event;
  event.durationNs = 1'000;
  event.name = "ampere_sgemm_128x64_tn";
  event.category = trace::Category::Kernel;
  event.track = track;
  builder.add(event);
  const TimelineData data(std::move(builder).build(), TimelineData::kWholeTrace, nullptr);
  const TimelineLayout layout = layoutRows(data, {});
  const auto written = [&](double width) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(QSize(400, 200));
    QPainter painter(&generator);
    const TimeAxis axis(data.rangeNs(), width);
    paintScene(painter,
               buildScene({.data = data, .layout = layout, .axis = axis, .height = layout.height}),
               lightTheme(), PaintMode::Vector);
    painter.end();
    return QString::fromUtf8(buffer.data());
  };
  EXPECT_TRUE(written(300.0).contains(QStringLiteral("ampere_sgemm_128x64_tn")));
  const QString narrow = written(70.0);
  EXPECT_FALSE(narrow.contains(QStringLiteral("ampere_sgemm_128x64_tn")));
  EXPECT_TRUE(narrow.contains(QStringLiteral("ampere")) && narrow.contains(QChar(u'\u2026')));
  EXPECT_FALSE(written(24.0).contains(QStringLiteral("amp")));
}

}  // namespace
}  // namespace stagelane::ui
