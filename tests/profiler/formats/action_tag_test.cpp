#include "profiler/formats/action_tag.h"

#include <gtest/gtest.h>

#include "profiler/formats/chrome.h"

namespace stagelane::formats {
namespace {

using detail::parseActionTag;

TEST(ActionTag, ReadsTheActionAndItsMembers) {
  const auto tag = parseActionTag("stagelane F stage=1 micro_batch=3 device=cpu:1 colour=red");
  ASSERT_TRUE(tag);
  EXPECT_EQ(tag->action, "F");
  EXPECT_EQ(tag->stage, 1);
  EXPECT_EQ(tag->microBatch, 3);
  EXPECT_EQ(tag->device, "cpu:1");
  EXPECT_EQ(parseActionTag("stagelane  OPT ")->action, "OPT");
}

TEST(ActionTag, IsNothingForOtherNamesAndUnknownForBrokenNumbers) {
  for (const char* const name : {"", "F", "stagelane", "stagelane ", "stagelane Q stage=1",
                                 "stagelane op", "xstagelane F"}) {
    EXPECT_FALSE(parseActionTag(name)) << name;
  }
  EXPECT_EQ(parseActionTag("stagelane F stage=x")->stage, -1);
  EXPECT_EQ(parseActionTag("stagelane F stage")->stage, -1);
  EXPECT_EQ(parseActionTag("stagelane F stage=99999999999999999999")->stage, -1);
}

TEST(ActionTag, MakesActionsOfAnnotationsAndOnAGpuOnlyOfItsOwnRow) {
  const auto read = parseChrome(
      R"({"traceEvents": [
        {"ph":"X","cat":"user_annotation","name":"stagelane B stage=2 micro_batch=1 device=cpu:0",
         "pid":7,"tid":1,"ts":1,"dur":2,"args":{}},
        {"ph":"X","cat":"user_annotation","name":"stagelane F stage=0 micro_batch=0 device=cuda:1",
         "pid":7,"tid":2,"ts":3,"dur":1,"args":{}},
        {"ph":"X","cat":"gpu_user_annotation",
         "name":"stagelane F stage=0 micro_batch=0 device=cuda:1","pid":1,"tid":7,"ts":5,"dur":4,
         "args":{}}]})",
      "test");
  ASSERT_TRUE(read);
  const trace::Trace& trace = *read->trace;
  int actions = 0;
  for (std::size_t index = 0; index < trace.size(); ++index) {
    const trace::EventView view = trace.event(index);
    const std::string& device =
        trace.devices().at(static_cast<std::size_t>(trace.tracks()[view.track].device));
    if (view.category == trace::Category::Backward) {
      EXPECT_EQ(view.stage, StageId{2});
      EXPECT_EQ(view.microBatch, MicroBatchId{1});
      EXPECT_EQ(device, "cpu:0");
      ++actions;
    } else if (view.category == trace::Category::Forward) {
      EXPECT_EQ(view.startNs, 5000);
      EXPECT_EQ(device, "cuda:1");
      ++actions;
    }
  }
  EXPECT_EQ(actions, 2);
}

TEST(KinetoCopies, NameTheGpuThatTheyReach) {
  const auto read = parseChrome(
      R"json({"traceEvents": [
        {"ph":"X","cat":"kernel","name":"gemm","pid":1,"tid":7,"ts":1,"dur":2,
         "args":{"device":1,"stream":7}},
        {"ph":"X","cat":"gpu_memcpy","name":"Memcpy PtoP (Device -> Device)","pid":0,"tid":7,"ts":3,
         "dur":4,"args":{
  "device" : 0, "stream" : 7, "fromDevice" : 0, "inDevice" : 0, "toDevice" : 1, "bytes" : 64}}]})json",
      "test");
  ASSERT_TRUE(read);
  const trace::Trace& trace = *read->trace;
  for (std::size_t index = 0; index < trace.size(); ++index) {
    if (trace.event(index).category == trace::Category::Copy) {
      const trace::Transfer* const transfer = trace.transferOf(index);
      ASSERT_NE(transfer, nullptr);
      EXPECT_EQ(trace.devices().at(static_cast<std::size_t>(transfer->peer)), "cuda:1");
      EXPECT_EQ(transfer->bytes, 64);
    }
  }
}

}  // namespace
}  // namespace stagelane::formats
