#include "ui/kit/background.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

namespace stagelane::ui {
namespace {

int niceness() { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); }

TEST(Background, TakesSecondPlaceInItsOwnThreadAlone) {
  const int before = niceness();
  int inside = before;
  std::thread([&] {
    workBehindTheWindow();
    inside = niceness();
  }).join();
  EXPECT_GE(inside, 10);
  EXPECT_EQ(niceness(), before);
}

}  // namespace
}  // namespace stagelane::ui
