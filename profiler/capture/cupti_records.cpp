#include "profiler/capture/cupti_records.h"

#include <array>
#include <cstring>

namespace stagelane::capture::detail {
namespace {

template <std::size_t N>
const char* pick(const std::array<const char*, N>& words, std::size_t index) {
  return index < N ? words[index] : words[0];
}

std::string memoryWord(std::size_t kind) {
  static constexpr std::array<const char*, 8> kWords{"Unknown",       "Pageable",      "Pinned",
                                                     "Device",        "Array",         "Managed",
                                                     "Device Static", "Managed Static"};
  return pick(kWords, kind);
}

std::string copyName(std::size_t copyKind, std::size_t from, std::size_t to) {
  static constexpr std::array<const char*, 11> kWords{
      "Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
  return std::string("Memcpy ") + pick(kWords, copyKind) + " (" + memoryWord(from) + " -> " +
         memoryWord(to) + ")";
}

const char* synchronizationName(CUpti_ActivitySynchronizationType type) {
  switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE: return "Event Sync";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT: return "Stream Wait Event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE: return "Stream Sync";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE: return "Context Sync";
    default: return "Sync";
  }
}

const char* overheadName(CUpti_ActivityOverheadKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER: return "Driver Compiler";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH: return "Buffer Flush";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION: return "Instrumentation";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE: return "Resource";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
      return "Runtime Triggered Module Loading";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING: return "Lazy Function Loading";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL: return "Command Buffer Full";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST: return "Activity Buffer Request";
    default: return "Overhead";
  }
}

/// The fields that all records of GPU work have under the same names.
template <class Record>
DeviceWork workOf(const Record& record, DeviceWork::Kind kind, std::uint32_t name) {
  DeviceWork work;
  work.kind = kind;
  work.startNs = record.start;
  work.endNs = record.end;
  work.gpu = record.deviceId;
  work.context = record.contextId;
  work.stream = record.streamId;
  work.correlation = record.correlationId;
  work.name = name;
  return work;
}

void addKernel(const CUpti_ActivityKernel10& record, KernelRecords& into) {
  const std::uint32_t name = into.nameNumber(record.name == nullptr ? "" : record.name);
  into.add(workOf(record, DeviceWork::Kind::Kernel, name));
}

void addCopy(const CUpti_ActivityMemcpy6& record, KernelRecords& into) {
  const std::uint32_t name =
      into.nameNumber(copyName(record.copyKind, record.srcKind, record.dstKind));
  DeviceWork work = workOf(record, DeviceWork::Kind::Copy, name);
  work.bytes = record.bytes;
  into.add(work);
}

void addPeerCopy(const CUpti_ActivityMemcpyPtoP4& record, KernelRecords& into) {
  const std::uint32_t name =
      into.nameNumber(copyName(record.copyKind, record.srcKind, record.dstKind));
  DeviceWork work = workOf(record, DeviceWork::Kind::PeerCopy, name);
  work.bytes = record.bytes;
  work.from = record.srcDeviceId;
  work.to = record.dstDeviceId;
  into.add(work);
}

void addSet(const CUpti_ActivityMemset4& record, KernelRecords& into) {
  const std::uint32_t name = into.nameNumber("Memset (" + memoryWord(record.memoryKind) + ")");
  DeviceWork work = workOf(record, DeviceWork::Kind::Set, name);
  work.bytes = record.bytes;
  into.add(work);
}

HostWork hostWork(HostWork::Kind kind, std::uint64_t startNs, std::uint64_t endNs,
                  std::uint32_t correlation, std::uint32_t name) {
  HostWork work;
  work.kind = kind;
  work.startNs = startNs;
  work.endNs = endNs;
  work.correlation = correlation;
  work.name = name;
  return work;
}

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
std::string callName(CUpti_CallbackDomain domain, CUpti_CallbackId call) {
  const char* text = nullptr;
  if (cuptiGetCallbackName(domain, call, &text) != CUPTI_SUCCESS || text == nullptr) {
    return "CUDA call " + std::to_string(call);
  }
  const std::string name = text;
  const std::size_t version = name.rfind("_v");
  const bool numbered = version != std::string::npos && version + 2 < name.size() &&
                        name.find_first_not_of("0123456789", version + 2) == std::string::npos;
  return numbered ? name.substr(0, version) : name;
}

void addCall(const CUpti_ActivityAPI& record, KernelRecords& into) {
  const bool runtime = record.kind == CUPTI_ACTIVITY_KIND_RUNTIME;
  const CUpti_CallbackDomain domain =
      runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
  HostWork work =
      hostWork(runtime ? HostWork::Kind::RuntimeCall : HostWork::Kind::DriverCall, record.start,
               record.end, record.correlationId, into.nameNumber(callName(domain, record.cbid)));
  work.thread = record.threadId;
  into.add(work);
}

template <class Record>
const Record& as(const CUpti_Activity& record) {
  return reinterpret_cast<const Record&>(record);
}

/// Size of a record of an enabled kind, 0 for others.
std::size_t sizeOf(const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMCPY2: return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_OVERHEAD: return sizeof(CUpti_ActivityOverhead3);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: return sizeof(CUpti_ActivityExternalCorrelation);
    case CUPTI_ACTIVITY_KIND_CONTEXT: return sizeof(CUpti_ActivityContext3);
    default: return 0;
  }
}

/// Whether another record follows the last one that CUPTI returned: CUPTI silently stops at one
/// that does not fit. Zeros are padding.
bool isCutOff(const std::uint8_t* buffer, std::size_t validSize, const CUpti_Activity* last) {
  const std::size_t size = last == nullptr ? 0 : sizeOf(*last);
  if (last != nullptr && size == 0) return false;
  const std::size_t begin =
      last == nullptr
          ? 0
          : static_cast<std::size_t>(reinterpret_cast<const std::uint8_t*>(last) - buffer) + size;
  CUpti_ActivityKind next = CUPTI_ACTIVITY_KIND_INVALID;
  if (begin + sizeof(next) > validSize) return false;
  std::memcpy(&next, buffer + begin, sizeof(next));
  return next != CUPTI_ACTIVITY_KIND_INVALID;
}

}  // namespace

void addRecord(const CUpti_Activity& record, KernelRecords& into) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return addKernel(as<CUpti_ActivityKernel10>(record), into);
    case CUPTI_ACTIVITY_KIND_MEMCPY: return addCopy(as<CUpti_ActivityMemcpy6>(record), into);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return addPeerCopy(as<CUpti_ActivityMemcpyPtoP4>(record), into);
    case CUPTI_ACTIVITY_KIND_MEMSET: return addSet(as<CUpti_ActivityMemset4>(record), into);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: return addCall(as<CUpti_ActivityAPI>(record), into);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: {
      const auto& wait = as<CUpti_ActivitySynchronization2>(record);
      return into.add(hostWork(HostWork::Kind::Synchronization, wait.start, wait.end,
                               wait.correlationId,
                               into.nameNumber(synchronizationName(wait.type))));
    }
    case CUPTI_ACTIVITY_KIND_OVERHEAD: {
      const auto& overhead = as<CUpti_ActivityOverhead3>(record);
      return into.add(hostWork(HostWork::Kind::Overhead, overhead.start, overhead.end,
                               overhead.correlationId,
                               into.nameNumber(overheadName(overhead.overheadKind))));
    }
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
      const auto& id = as<CUpti_ActivityExternalCorrelation>(record);
      if (id.externalKind == kOurIds) into.add(ExternalId{id.correlationId, id.externalId});
      return;
    }
    case CUPTI_ACTIVITY_KIND_CONTEXT: {
      const auto& context = as<CUpti_ActivityContext3>(record);
      return into.add(GpuContext{context.contextId, context.deviceId, context.numMultiprocessors,
                                 context.parentContextId, context.isGreenContext != 0});
    }
    default: return;
  }
}

void addBuffer(CuptiCalls& calls, std::uint8_t* buffer, std::size_t validSize,
               KernelRecords& into) {
  if (buffer == nullptr || validSize == 0) return;
  CUpti_Activity* record = nullptr;
  const CUpti_Activity* last = nullptr;
  CUptiResult result = calls.nextRecord(buffer, validSize, record);
  for (; result == CUPTI_SUCCESS; result = calls.nextRecord(buffer, validSize, record)) {
    addRecord(*record, into);
    last = record;
  }
  const bool atEnd = result == CUPTI_ERROR_MAX_LIMIT_REACHED || result == CUPTI_ERROR_INVALID_KIND;
  if (!atEnd || isCutOff(buffer, validSize, last)) into.addDropped(1);
}

}  // namespace stagelane::capture::detail
