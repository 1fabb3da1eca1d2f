#include "ui/kit/latest_job.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <stdexcept>

namespace stagelane::ui {
namespace {

void waitWhile(const std::function<bool()>& condition) {
  QElapsedTimer timer;
  timer.start();
  while (condition() && timer.elapsed() < 300000) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  }
}

TEST(LatestJob, AnswersTheLatestOnly) {
  LatestJob job;
  int answer = 0;
  const auto answering = [&answer](int number) {
    return [&answer, number](const std::atomic<bool>&) -> std::function<void()> {
      return [&answer, number] { answer += number; };
    };
  };
  job.start(answering(1));
  job.start(answering(10));
  waitWhile([&job] { return job.running(); });
  EXPECT_EQ(answer, 10);
}

TEST(LatestJob, WorkThatThrowsAnswersNothingAndEndsNothing) {
  LatestJob job;
  static QString said;
  const QtMessageHandler before = qInstallMessageHandler(
      [](QtMsgType, const QMessageLogContext&, const QString& text) { said = text; });
  job.start([](const std::atomic<bool>&) -> std::function<void()> {
    throw std::runtime_error("no such key");
  });
  waitWhile([&job] { return job.running(); });
  EXPECT_FALSE(job.running());
  qInstallMessageHandler(before);
  EXPECT_TRUE(said.contains(QStringLiteral("no such key"))) << said.toStdString();
}

}  // namespace
}  // namespace stagelane::ui
