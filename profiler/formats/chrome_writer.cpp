#include <fmt/format.h>

#include "engine/base/json.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/detail/output_file.h"
#include "profiler/formats/detail/perfetto_fields.h"
#include "profiler/formats/detail/perfetto_lanes.h"

namespace stagelane::formats {
namespace {

using namespace detail;
using trace::Category;
using trace::EventView;
using trace::Trace;

constexpr TimeNs kNsPerUs = 1000;

/// Nanoseconds as microseconds with three decimals, exactly.
std::string micros(TimeNs timeNs) {
  const TimeNs whole = timeNs / kNsPerUs;
  const TimeNs rest = timeNs % kNsPerUs;
  const char* const sign = timeNs < 0 ? "-" : "";
  return fmt::format("{}{}.{:03}", sign, whole < 0 ? -whole : whole, rest < 0 ? -rest : rest);
}

/// A JSON text; bytes that are no UTF-8 become replacement characters.
std::string jsonText(std::string_view text) {
  return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

class ChromeEncoder {
 public:
  ChromeEncoder(const Trace& trace, OutputFile& file)
      : m_trace(trace), m_file(file), m_lanes(lanesOf(trace)) {}

  void run() {
    m_file.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    writeMarks();
    for (std::size_t device = 0; device < m_trace.devices().size(); ++device) {
      writeName("process_name", static_cast<int>(device), 0, m_trace.devices()[device], "device");
    }
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
      writeLaneName(lane);
    }
    for (MergedLanes merged(m_trace, m_lanes); merged.next();) {
      writeMark(merged.lane(), merged.mark());
    }
    m_file.write("\n]}\n");
  }

 private:
  void writeLine(const std::string& line) {
    m_file.write(m_first ? "" : ",\n");
    m_first = false;
    m_file.write(line);
  }

  /// Devices count from 0; what belongs to none comes after them.
  [[nodiscard]] int pidOf(const Lane& lane) const {
    const std::int32_t device =
        lane.track < 0 ? -1 : m_trace.tracks()[static_cast<std::size_t>(lane.track)].device;
    return device < 0 ? static_cast<int>(m_trace.devices().size()) : device;
  }

  void writeMarks() {
    Json meta = Json::object();
    for (const auto& [key, value] : m_trace.metadata()) {
      meta[key] = value;
    }
    writeLine(fmt::format(
        R"({{"ph":"M","name":"stagelane","pid":0,"args":{{"predicted":{},"dropped":{},"meta":{}}}}})",
        m_trace.predicted() ? 1 : 0, m_trace.droppedEvents(),
        meta.dump(-1, ' ', false, Json::error_handler_t::replace)));
  }

  void writeName(std::string_view what, int pid, std::size_t tid, std::string_view name,
                 std::string_view kind) {
    writeLine(fmt::format(
        R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{},"stagelane_kind":"{}"}}}})",
        what, pid, tid, jsonText(name), kind));
  }

  void writeLaneName(std::size_t index) {
    const Lane& lane = m_lanes[index];
    if (lane.track < 0) {
      writeName("thread_name", pidOf(lane), index + 1, kStepsWord, kStepsWord);
      return;
    }
    const trace::Track& track = m_trace.tracks()[static_cast<std::size_t>(lane.track)];
    if (track.kind != trace::TrackKind::Counter) {
      writeName("thread_name", pidOf(lane), index + 1, track.name, kindWord(track.kind));
    } else {
      writeLine(fmt::format(
          R"({{"ph":"M","name":"counter_name","pid":{},"args":{{"name":{},"unit":{},"device":{}}}}})",
          pidOf(lane), jsonText(track.name), jsonText(unitOf(lane)), track.device));
    }
  }

  [[nodiscard]] std::string unitOf(const Lane& lane) const {
    const std::string unit = lane.marks.empty() ? "" : m_trace.counters()[lane.series].unit;
    return unit.empty() ? "value" : unit;
  }

  void writeMark(std::size_t index, const Mark& mark) {
    const Lane& lane = m_lanes[index];
    if (mark.kind == MarkKind::Begin) {
      writeEvent(lane, index + 1, mark.index);
    } else if (mark.kind == MarkKind::StepBegin) {
      const trace::Step& step = m_trace.steps()[mark.index];
      writeLine(fmt::format(
          R"({{"ph":"X","cat":"step","name":"step {}.{}","pid":{},"tid":{},"ts":{},"dur":{},)"
          R"("args":{{"repeat":{},"step":{},"extra":{}}}}})",
          step.repeat, step.step, pidOf(lane), index + 1, micros(step.startNs),
          micros(step.endNs - step.startNs), step.repeat, step.step, step.extra ? 1 : 0));
    } else if (mark.kind == MarkKind::Counter) {
      const trace::CounterSeries& series = m_trace.counters()[lane.series];
      const trace::Track& track = m_trace.tracks()[series.track];
      writeLine(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{{}:{}}}}})",
                            jsonText(track.name), pidOf(lane), micros(mark.timeNs),
                            jsonText(unitOf(lane)), series.values[mark.index]));
    }
  }

  void writeEvent(const Lane& lane, std::size_t tid, std::size_t index) {
    const EventView view = m_trace.event(index);
    writeLine(fmt::format(
        R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})",
        word(view.category), jsonText(view.name), pidOf(lane), tid, micros(view.startNs),
        micros(view.durationNs), arguments(view, index)));
    if (view.correlation != 0 && isTransferEnd(view.category)) {
      const bool send =
          view.category == Category::SendForward || view.category == Category::SendBackward;
      writeLine(fmt::format(
          R"({{"ph":"{}",{}"cat":"transfer","name":"transfer","id":{},"pid":{},"tid":{},"ts":{}}})",
          send ? 's' : 'f', send ? "" : R"("bp":"e",)", view.correlation, pidOf(lane), tid,
          micros(view.startNs)));
    }
  }

  static bool isTransferEnd(Category category) {
    const std::optional<ActionKind> kind = trace::actionKindOf(category);
    return kind && isTransfer(*kind);
  }

  [[nodiscard]] std::string arguments(const EventView& view, std::size_t index) const {
    std::string text = "{";
    const auto put = [&text](std::string_view key, const std::string& value) {
      text += fmt::format("{}\"{}\":{}", text.size() > 1 ? "," : "", key, value);
    };
    const std::int32_t device = m_trace.tracks()[view.track].device;
    if (device >= 0) {
      put("device", jsonText(m_trace.devices()[static_cast<std::size_t>(device)]));
    }
    if (view.stage.valid()) {
      put("stage", std::to_string(view.stage.value));
    }
    if (view.microBatch.valid()) {
      put("micro_batch", std::to_string(view.microBatch.value));
    }
    if (trace::actionKindOf(view.category)) {
      put("action", jsonText(word(view.category)));
    }
    if (view.correlation != 0) {
      put("correlation", std::to_string(view.correlation));
    }
    const auto variant = m_trace.metadata().find("variant");
    if (variant != m_trace.metadata().end()) {
      put("variant", jsonText(variant->second));
    }
    if (const trace::Step* const step = stepAt(m_trace, view.startNs)) {
      put("repeat", std::to_string(step->repeat));
      put("step", std::to_string(step->step));
    }
    if (const trace::Transfer* const transfer = m_trace.transferOf(index)) {
      put("bytes", std::to_string(transfer->bytes));
      if (transfer->peer >= 0) {
        put("peer", jsonText(m_trace.devices()[static_cast<std::size_t>(transfer->peer)]));
      }
    }
    return text + '}';
  }

  const Trace& m_trace;
  OutputFile& m_file;
  std::vector<Lane> m_lanes;
  bool m_first = true;
};

}  // namespace

Status writeChrome(const trace::Trace& trace, const std::filesystem::path& path) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  ChromeEncoder(trace, *file).run();
  return file->commit();
}

}  // namespace stagelane::formats
