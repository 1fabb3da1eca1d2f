#include <fmt/format.h>

#include <algorithm>

#include "engine/base/json.h"
#include "profiler/formats/action_tag.h"
#include "profiler/formats/category_words.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/json_members.h"
#include "profiler/formats/json_text.h"
#include "profiler/formats/output_file.h"
#include "profiler/formats/perfetto_fields.h"
#include "profiler/formats/perfetto_lanes.h"

namespace stagelane::formats {
namespace {

using namespace detail;
using trace::EventView;
using trace::Trace;

class ChromeEncoder {
 public:
  ChromeEncoder(const Trace& trace, const EventDetails* details, OutputFile& file)
      : m_trace(trace),
        m_details(details),
        m_file(file),
        m_lanes(lanesOf(trace, details == nullptr || !details->stepsAreTold)),
        m_correlated(trace::correlatedFlows(trace)) {}

  void run() {
    m_file.write("{\"displayTimeUnit\":\"ns\",");
    writeMembers();
    m_file.write("\"traceEvents\":[\n");
    writeMarks();
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) writeLaneName(lane);
    for (MergedLanes merged(m_trace, m_lanes); merged.next();) {
      writeMark(merged.lane(), merged.mark());
    }
    m_file.write("\n]}\n");
  }

 private:
  void writeMembers() {
    if (m_details != nullptr) {
      for (const auto& [key, value] : m_details->members) {
        m_file.write('"' + key + "\":" + value + ",\n");
      }
    }
  }

  void writeLine(const std::string& line) {
    m_file.write(m_first ? "" : ",\n");
    m_first = false;
    m_file.write(line);
  }

  /// Devices start at 0; lanes without a device come after them.
  [[nodiscard]] int pidOf(const Lane& lane) const {
    const std::int32_t device =
        lane.track < 0 ? -1 : m_trace.tracks()[static_cast<std::size_t>(lane.track)].device;
    return device < 0 ? static_cast<int>(m_trace.devices().size()) : device;
  }

  void writeMarks() {
    Json meta = Json::object();
    for (const auto& [key, value] : m_trace.metadata()) meta[key] = value;
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
    if (track.kind == trace::TrackKind::Device && lane.number == 0) {
      writeName("process_name", pidOf(lane), 0, track.name, "device");
    }
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

  void writeSlice(const Lane& lane, std::size_t tid, std::size_t index) {
    const EventView view = m_trace.event(index);
    const EventDetails::Event said =
        m_details != nullptr ? m_details->at(index) : EventDetails::Event();
    const bool instant = said.isInstant && view.durationNs == 0;
    const std::string category =
        said.hasCategory ? fmt::format("\"cat\":{},", jsonText(view.categoryWord)) : "";
    const std::string length =
        instant ? scopeOf(said) : fmt::format(",\"dur\":{}", micros(view.durationNs));
    writeLine(fmt::format(R"({{"ph":"{}",{}"name":{},"pid":{},"tid":{},"ts":{}{}{}}})",
                          instant ? 'i' : 'X', category, jsonText(view.name), pidOf(lane), tid,
                          micros(view.startNs), length, argumentsOf(view, said, index)));
  }

  void writeEvent(const Lane& lane, std::size_t tid, std::size_t index) {
    const EventView view = m_trace.event(index);
    writeSlice(lane, tid, index);
    const auto arrow = [&](std::size_t flow, char phase, std::string_view more) {
      const std::string_view category = categoryOf(m_trace.flows()[flow]);
      writeLine(fmt::format(
          R"({{"ph":"{}",{}"cat":"{}","name":"{}","id":{},"pid":{},"tid":{},"ts":{}}})", phase,
          more, category, category, flow + 1, pidOf(lane), tid, micros(view.startNs)));
    };
    for (const trace::Flow& flow : m_trace.flowsFrom(index)) arrow(numberOf(flow), 's', "");
    for (const std::uint32_t flow : m_trace.flowsInto(index)) arrow(flow, 'f', R"("bp":"e",)");
  }

  [[nodiscard]] std::size_t numberOf(const trace::Flow& flow) const {
    return static_cast<std::size_t>(&flow - m_trace.flows().data());
  }

  [[nodiscard]] bool isCorrelated(const trace::Flow& flow) const {
    return std::binary_search(m_correlated.begin(), m_correlated.end(), flow);
  }

  /// Kineto's word if it applies. Stagelane ignores arrows of all three categories, because
  /// correlations or `flows_out` and `flows_in` have them.
  [[nodiscard]] std::string_view categoryOf(const trace::Flow& flow) const {
    if (!isCorrelated(flow)) return "stagelane";
    const auto kind = trace::actionKindOf(m_trace.categories()[flow.from]);
    return kind && isTransfer(*kind) ? "transfer" : "ac2g";
  }

  static std::string scopeOf(const EventDetails::Event& said) {
    const bool known = said.scope == 'g' || said.scope == 'p' || said.scope == 't';
    return known ? fmt::format(R"(,"s":"{}")", said.scope) : "";
  }

  /// The member `args`, if any, including the numbers of arrows.
  [[nodiscard]] std::string argumentsOf(const EventView& view, const EventDetails::Event& said,
                                        std::size_t index) const {
    JsonMembers members;
    JsonMembers flows;
    putFlows(said.isChromes ? flows : members, index);
    if (said.isChromes) {
      putWhatIsUnsaid(members, view, said, index);
    } else {
      putPlace(members, view);
      putTransfer(members, index);
    }
    members.putAll(said.arguments);
    const bool any = !said.isChromes || said.hasArguments || !members.empty();
    return (any ? ",\"args\":" + members.object() : "") +
           (flows.empty() ? "" : ',' + flows.members());
  }

  /// For an event with its own arguments, adds what these and the name do not contain.
  void putWhatIsUnsaid(JsonMembers& members, const EventView& view, const EventDetails::Event& said,
                       std::size_t index) const {
    const std::vector<JsonMember> given = splitMembers(said.arguments);
    const auto has = [&given](std::string_view key) {
      return std::any_of(given.begin(), given.end(),
                         [key](const JsonMember& member) { return member.key == key; });
    };
    JsonMembers own;
    if (!parseActionTag(view.name)) {
      putWork(own, view, detail::categoryOfWord(view.categoryWord) != view.category);
    }
    if (view.correlation != 0) own.put("correlation", std::to_string(view.correlation));
    const trace::Transfer* const transfer = m_trace.transferOf(index);
    if (transfer != nullptr && !has("toDevice") && !(has("peer") && transfer->bytes == 0)) {
      putTransfer(own, index);
    }
    for (const JsonMember& member : splitMembers(own.members())) {
      if (!has(member.key)) members.put(member.key, member.value);
    }
  }

  static void putWork(JsonMembers& members, const EventView& view, bool withAction) {
    if (view.stage.valid()) members.put("stage", std::to_string(view.stage.value));
    if (view.microBatch.valid()) members.put("micro_batch", std::to_string(view.microBatch.value));
    if (withAction) members.put("action", jsonText(word(view.category)));
  }

  void putPlace(JsonMembers& members, const EventView& view) const {
    const trace::Track& track = m_trace.tracks()[view.track];
    if (track.device >= 0) {
      members.put("device", jsonText(m_trace.devices()[static_cast<std::size_t>(track.device)]));
    }
    putWork(members, view,
            trace::actionKindOf(view.category).has_value() ||
                detail::categoryOfWord(view.categoryWord) != view.category);
    if (track.kind == trace::TrackKind::Kernels) {
      members.put("stream", std::to_string(streamOf(track, view.track)));
    }
    if (view.correlation != 0) members.put("correlation", std::to_string(view.correlation));
    const auto variant = m_trace.metadata().find("variant");
    if (variant != m_trace.metadata().end()) members.put("variant", jsonText(variant->second));
    if (const trace::Step* const step = stepAt(m_trace, view.startNs)) {
      members.put("repeat", std::to_string(step->repeat));
      members.put("step", std::to_string(step->step));
    }
  }

  void putTransfer(JsonMembers& members, std::size_t index) const {
    if (const trace::Transfer* const transfer = m_trace.transferOf(index)) {
      members.put("bytes", std::to_string(transfer->bytes));
      if (transfer->peer >= 0) {
        members.put("peer", jsonText(m_trace.devices()[static_cast<std::size_t>(transfer->peer)]));
      }
    }
  }

  /// Arrows without a correlation.
  void putFlows(JsonMembers& members, std::size_t index) const {
    std::string out;
    std::string in;
    const auto append = [](std::string& list, std::size_t flow) {
      list += (list.empty() ? "" : ",") + std::to_string(flow + 1);
    };
    for (const trace::Flow& flow : m_trace.flowsFrom(index)) {
      if (!isCorrelated(flow)) append(out, numberOf(flow));
    }
    for (const std::uint32_t flow : m_trace.flowsInto(index)) {
      if (!isCorrelated(m_trace.flows()[flow])) append(in, flow);
    }
    if (!out.empty()) members.put("flows_out", '[' + out + ']');
    if (!in.empty()) members.put("flows_in", '[' + in + ']');
  }

  const Trace& m_trace;
  const EventDetails* m_details;  ///< may be null
  OutputFile& m_file;
  std::vector<Lane> m_lanes;
  std::vector<trace::Flow> m_correlated;
  bool m_first = true;
};

}  // namespace

Status writeChrome(const trace::Trace& trace, const std::filesystem::path& path,
                   const EventDetails* details) {
  Result<OutputFile> file = OutputFile::create(path);
  STAGELANE_CHECK(file);
  ChromeEncoder(trace, details, *file).run();
  return file->commit();
}

}  // namespace stagelane::formats
