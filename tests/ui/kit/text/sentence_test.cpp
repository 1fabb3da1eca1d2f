#include "ui/kit/text/sentence.h"

#include <gtest/gtest.h>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

TEST(AsSentence, BeginsWithACapitalUnlessThatIsAName) {
  const auto said = [](const char* text) {
    return asSentence(QString::fromUtf8(text)).toStdString();
  };
  EXPECT_EQ(said("the engine was killed"), "The engine was killed");
  EXPECT_EQ(said("micro-batch 3 is empty"), "Micro-batch 3 is empty");
  EXPECT_EQ(said("canceled, but kept"), "Canceled, but kept");
  for (const char* name : {"cuda:0: out of memory", "layer1.0 is there twice", "zb-h1 takes 4",
                           "split_size is 0", "/tmp/a is no folder", "12 of 3", ""}) {
    EXPECT_EQ(said(name), name);
  }
}

TEST(ErrorText, IsMadeOfSentencesForPeople) {
  const Error error{ErrorCode::CannotWrite, "another run is using this workspace", "/w/run.lock",
                    "wait for it"};
  EXPECT_EQ(errorText(error).toStdString(),
            "Another run is using this workspace (at /w/run.lock). Wait for it");
  EXPECT_EQ(sentenceText(error).toStdString(), "Another run is using this workspace. Wait for it");
}

}  // namespace
}  // namespace stagelane::ui
