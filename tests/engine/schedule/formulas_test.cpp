// Every method against its published bubble and memory, over a grid of sizes, and against
// torch.distributed.pipelining for the same sizes.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/base/files.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/text_forms.h"
#include "engine/schedule/unit_play.h"
#include "tests/support/paths.h"

namespace stagelane::schedule {
namespace {

/// Played with F = I = W = 1, B = 2 for a device's whole part.
struct Figures {
  double idle = 0;
  double peak = 0;
  double makespan = 0;
};

constexpr double kForward = 1;
constexpr double kBackward = 2;
constexpr double kInput = 1;
constexpr double kWeight = 1;

Figures figuresOf(const Schedule& schedule) {
  const UnitPlay play = playUnits(schedule);
  EXPECT_TRUE(play.complete);
  const double v = chunksOf(schedule);
  return {static_cast<double>(play.idle) / v, play.peak / v,
          static_cast<double>(play.makespan) / v};
}

/// Calls `check(p, m, figures)` for p 1…8 and m 1…32, where the method allows them.
void overSizes(const char* name, int chunks,
               const std::function<void(int, int, const Figures&)>& check) {
  for (int p = 1; p <= 8; ++p) {
    for (int m = 1; m <= 32; ++m) {
      const auto schedule = generate(name, {p, m, chunks});
      if (!schedule) continue;
      SCOPED_TRACE(std::string(name) + " p " + std::to_string(p) + " m " + std::to_string(m) +
                   " v " + std::to_string(chunks));
      check(p, m, figuresOf(*schedule));
    }
  }
}

TEST(Formulas, OfGpipeAndTutorial) {
  for (const char* name : {"gpipe", "tutorial"}) {
    overSizes(name, 1, [](int p, int m, const Figures& figures) {
      EXPECT_EQ(figures.idle, (p - 1) * (kForward + kBackward));
      EXPECT_EQ(figures.makespan, (m + p - 1) * (kForward + kBackward));
      EXPECT_EQ(figures.peak, m);
    });
  }
}

TEST(Formulas, OfOneForwardOneBackward) {
  overSizes("1f1b", 1, [](int p, int m, const Figures& figures) {
    EXPECT_EQ(figures.idle, (p - 1) * (kForward + kBackward));
    EXPECT_EQ(figures.makespan, (m + p - 1) * (kForward + kBackward));
    EXPECT_EQ(figures.peak, std::min(m, p));
  });
}

TEST(Formulas, OfInterleaved) {
  for (int v = 1; v <= 3; ++v) {
    overSizes("interleaved-1f1b", v, [v](int p, int m, const Figures& figures) {
      EXPECT_DOUBLE_EQ(figures.idle, (p - 1) * (kForward + kBackward) / v);
      EXPECT_LE(figures.peak, v == 1 ? p : p + (p - 1.0) / v + 1e-9);
      EXPECT_LE(figures.peak, m);
    });
  }
}

TEST(Formulas, OfLoopedBreadthFirst) {
  for (int v = 1; v <= 3; ++v) {
    overSizes("looped-bfs", v, [v](int p, int m, const Figures& figures) {
      EXPECT_DOUBLE_EQ(figures.peak, m);
      // With fewer micro-batches than devices a chunk waits for its own first micro-batch.
      if (m >= p) {
        EXPECT_DOUBLE_EQ(figures.idle, (p - 1) * (kForward + kBackward) / v);
      }
    });
  }
}

TEST(Formulas, OfZeroBubbleH1) {
  overSizes("zb-h1", 1, [](int p, int m, const Figures& figures) {
    EXPECT_EQ(figures.peak, std::min(p, m));
    if (m >= p) {
      EXPECT_EQ(figures.idle, (p - 1) * (kForward + kInput - kWeight));
    }
    // Never slower than 1F1B, however few the micro-batches.
    EXPECT_LE(figures.makespan, (m + p - 1) * (kForward + kBackward));
  });
}

TEST(Formulas, OfZeroBubbleH2) {
  overSizes("zb-h2", 1, [](int p, int m, const Figures& figures) {
    EXPECT_LE(figures.peak, std::min(2 * p - 1, m));
    if (m >= 2 * p - 1) {
      EXPECT_EQ(figures.idle, (p - 1) * (kForward + kInput - 2 * kWeight));
    }
    EXPECT_LE(figures.makespan, figuresOf(*generate("zb-h1", {p, m, 1})).makespan);
  });
}

TEST(Formulas, OfInterleavedZeroBubble) {
  for (int v = 1; v <= 3; ++v) {
    overSizes("interleaved-zero-bubble", v, [v](int p, int m, const Figures& figures) {
      EXPECT_LE(figures.peak, std::min(p, m) + 1e-9);
      if (m >= p) {
        EXPECT_DOUBLE_EQ(figures.idle, (p - 1) * (kForward + kInput - kWeight) / v);
      }
    });
  }
}

TEST(Formulas, OfZeroBubbleV) {
  overSizes("zbv", 2, [](int p, int m, const Figures& figures) {
    EXPECT_LE(figures.peak, std::min(p, m));
    if (m >= 2 * p - 1) {
      EXPECT_EQ(figures.idle, 0);
      EXPECT_EQ(figures.makespan, 3 * m + (p - 1) / 2.0);
    }
    EXPECT_LE(figures.makespan, (m + p - 1) * (kForward + kBackward));
  });
}

TEST(Formulas, OfVHalf) {
  overSizes("v-half", 2, [](int p, int m, const Figures& figures) {
    EXPECT_LE(figures.peak, std::min((p + 2) / 2, m)) << "1F1B keeps p";
    if (2 * m >= p + 1) {
      EXPECT_LE(figures.idle, (p - 1) * (kForward + kBackward) / 2);
    }
    EXPECT_LE(figures.makespan, (m + p - 1) * (kForward + kBackward));
  });
}

TEST(Formulas, OfVMin) {
  overSizes("v-min", 2, [](int p, int m, const Figures& figures) {
    EXPECT_LE(figures.peak, p == 2 ? 1.5 : std::min((p + 4) / 3, m)) << "1F1B keeps p";
    EXPECT_LE(figures.idle, (p - 1) * (kForward + kBackward) * 2 / 3);
    EXPECT_LE(figures.makespan, (m + p - 1) * (kForward + kBackward));
  });
}

TEST(Formulas, OfDualPipeV) {
  overSizes("dualpipev", 2, [](int p, int m, const Figures& figures) {
    EXPECT_GE(m, 2 * p);
    EXPECT_LE(figures.peak, p + 0.5);
    EXPECT_EQ(figures.idle, (p - 1) * kForward / 2);
    EXPECT_EQ(figures.makespan, 3 * m + (p - 1) / 2.0);
  });
}

TEST(Generators, AreAsGoodAsTorchDistributedPipelining) {
  const std::string folder = checkout::testData() + "/schedules/";
  const auto index = readJsonFile(folder + "index.json");
  ASSERT_TRUE(index);
  for (const Json& entry : *index) {
    const auto file = entry["file"].get<std::string>();
    const auto ours = generate(entry["schedule"].get<std::string>(),
                               {entry["devices"].get<int>(), entry["microbatches"].get<int>(),
                                entry["chunks"].get<int>()});
    ASSERT_TRUE(ours) << file << describe(ours.error());
    const auto theirs = fromCsv(*readFile(folder + file), file);
    ASSERT_TRUE(theirs) << file;
    EXPECT_EQ(ours->rows, theirs->rows) << file;
    const Json played = toJson(*ours);
    EXPECT_EQ(played["layout"], entry["layout"]) << file;
    EXPECT_EQ(played["work"], entry["work"]) << file;
    for (const char* figure : {"makespan", "idle", "peak"}) {
      EXPECT_LE(played[figure].get<double>(), entry[figure].get<double>() + 1e-6)
          << file << ' ' << figure;
    }
  }
}

}  // namespace
}  // namespace stagelane::schedule
