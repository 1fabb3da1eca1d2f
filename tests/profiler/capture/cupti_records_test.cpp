// CUPTI's records, made by hand: the meaning of their fields.

#include "profiler/capture/cupti_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace stagelane::capture::detail {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <class Record>
void add(const Record& record, KernelRecords& into) {
  addRecord(reinterpret_cast<const CUpti_Activity&>(record), into);
}

/// Sets the fields that all records of GPU work have.
template <class Record>
Record work(CUpti_ActivityKind kind) {
  Record record{};
  record.kind = kind;
  record.start = 1000;
  record.end = 1500;
  record.deviceId = 2;
  record.contextId = 3;
  record.streamId = 14;
  record.correlationId = 77;
  return record;
}

void expectWork(const KernelRecords& records, DeviceWork::Kind kind, const std::string& name) {
  ASSERT_EQ(records.deviceWork().size(), 1U);
  const DeviceWork& found = records.deviceWork().front();
  EXPECT_EQ(found.kind, kind);
  EXPECT_EQ(found.startNs, 1000U);
  EXPECT_EQ(found.endNs, 1500U);
  EXPECT_EQ(found.gpu, 2U);
  EXPECT_EQ(found.context, 3U);
  EXPECT_EQ(found.stream, 14U);
  EXPECT_EQ(found.correlation, 77U);
  EXPECT_EQ(records.names().at(found.name), name);
}

TEST(CuptiRecords, AKernelHasItsNameDemangled) {
  KernelRecords records(10);
  auto kernel = work<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  kernel.name = "_Z3addPf";
  add(kernel, records);
  expectWork(records, DeviceWork::Kind::Kernel, "add(float*)");
}

TEST(CuptiRecords, AKernelWithoutANameIsKept) {
  KernelRecords records(10);
  add(work<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), records);
  expectWork(records, DeviceWork::Kind::Kernel, "");
}

TEST(CuptiRecords, ACopyIsNamedByItsEndsAndKnowsItsBytes) {
  KernelRecords records(10);
  auto copy = work<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  copy.bytes = 123456789012;
  add(copy, records);
  expectWork(records, DeviceWork::Kind::Copy, "Memcpy HtoD (Pinned -> Device)");
  EXPECT_EQ(records.deviceWork().front().bytes, 123456789012U);
}

TEST(CuptiRecords, APeerCopyKnowsBothGpus) {
  KernelRecords records(10);
  auto copy = work<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  copy.srcKind = copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  copy.srcDeviceId = 2;
  copy.dstDeviceId = 5;
  copy.bytes = 64;
  add(copy, records);
  expectWork(records, DeviceWork::Kind::PeerCopy, "Memcpy PtoP (Device -> Device)");
  EXPECT_EQ(records.deviceWork().front().from, 2U);
  EXPECT_EQ(records.deviceWork().front().to, 5U);
  EXPECT_EQ(records.deviceWork().front().bytes, 64U);
}

TEST(CuptiRecords, ASetIsNamedByItsMemory) {
  KernelRecords records(10);
  auto set = work<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
  set.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  set.bytes = 32;
  add(set, records);
  expectWork(records, DeviceWork::Kind::Set, "Memset (Device)");
  EXPECT_EQ(records.deviceWork().front().bytes, 32U);
}

TEST(CuptiRecords, UnknownKindsOfCopiesAreUnknown) {
  KernelRecords records(10);
  auto copy = work<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
  copy.copyKind = 200;
  copy.srcKind = 255;
  copy.dstKind = 8;
  add(copy, records);
  expectWork(records, DeviceWork::Kind::Copy, "Memcpy Unknown (Unknown -> Unknown)");
}

TEST(CuptiRecords, ACallKnowsItsThreadAndItsNameWithoutAVersion) {
  KernelRecords records(10);
  CUpti_ActivityAPI call{};
  call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
  call.start = 10;
  call.end = 20;
  call.threadId = 4711;
  call.correlationId = 77;
  add(call, records);
  call.kind = CUPTI_ACTIVITY_KIND_DRIVER;
  call.cbid = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
  add(call, records);
  call.cbid = 0x7ffffff0;
  add(call, records);
  ASSERT_EQ(records.hostWork().size(), 3U);
  const HostWork& first = records.hostWork().front();
  EXPECT_EQ(first.kind, HostWork::Kind::RuntimeCall);
  EXPECT_EQ(first.startNs, 10U);
  EXPECT_EQ(first.endNs, 20U);
  EXPECT_EQ(first.thread, 4711U);
  EXPECT_EQ(first.correlation, 77U);
  EXPECT_EQ(records.hostWork()[1].kind, HostWork::Kind::DriverCall);
  EXPECT_THAT(records.names(),
              ElementsAre("cudaLaunchKernel", "cuLaunchKernel", "CUDA call 2147483632"));
}

TEST(CuptiRecords, WaitsAndOverheadsAreTheProcessors) {
  KernelRecords records(10);
  CUpti_ActivitySynchronization2 wait{};
  wait.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
  wait.start = 10;
  wait.end = 20;
  wait.correlationId = 5;
  add(wait, records);
  CUpti_ActivityOverhead3 overhead{};
  overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING;
  overhead.start = 30;
  overhead.end = 40;
  overhead.correlationId = 6;
  add(overhead, records);
  ASSERT_EQ(records.hostWork().size(), 2U);
  EXPECT_EQ(records.hostWork()[0].kind, HostWork::Kind::Synchronization);
  EXPECT_EQ(records.hostWork()[0].correlation, 5U);
  EXPECT_EQ(records.hostWork()[0].thread, 0U);
  EXPECT_EQ(records.hostWork()[1].kind, HostWork::Kind::Overhead);
  EXPECT_EQ(records.hostWork()[1].startNs, 30U);
  EXPECT_EQ(records.hostWork()[1].endNs, 40U);
  EXPECT_THAT(records.names(), ElementsAre("Stream Sync", "Lazy Function Loading"));
}

TEST(CuptiRecords, OnlyOurExternalIdsAreTaken) {
  KernelRecords records(10);
  CUpti_ActivityExternalCorrelation id{};
  id.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
  id.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC;
  id.externalId = 1;
  id.correlationId = 8;
  add(id, records);
  EXPECT_THAT(records.externalIds(), IsEmpty());
  id.externalKind = kOurIds;
  id.externalId = 0x0001000200000003;
  add(id, records);
  ASSERT_EQ(records.externalIds().size(), 1U);
  EXPECT_EQ(records.externalIds().front().correlation, 8U);
  EXPECT_EQ(records.externalIds().front().action, 0x0001000200000003U);
}

TEST(CuptiRecords, AGreenContextKnowsItsSmsAndItsParent) {
  KernelRecords records(10);
  CUpti_ActivityContext3 context{};
  context.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
  context.contextId = 4;
  context.deviceId = 1;
  context.parentContextId = 2;
  context.isGreenContext = 1;
  context.numMultiprocessors = 64;
  add(context, records);
  ASSERT_EQ(records.contexts().size(), 1U);
  EXPECT_EQ(records.contexts().front().context, 4U);
  EXPECT_EQ(records.contexts().front().gpu, 1U);
  EXPECT_EQ(records.contexts().front().parent, 2U);
  EXPECT_EQ(records.contexts().front().sms, 64U);
  EXPECT_TRUE(records.contexts().front().green);
}

TEST(CuptiRecords, KindsThatWereNotAskedForSayNothing) {
  KernelRecords records(10);
  CUpti_Activity other{};
  other.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  addRecord(other, records);
  EXPECT_THAT(records.deviceWork(), IsEmpty());
  EXPECT_THAT(records.hostWork(), IsEmpty());
  EXPECT_EQ(records.dropped(), 0U);
}

/// CUPTI's own walk over a buffer, which needs no driver.
class CuptiBuffers : public ::testing::Test {
 protected:
  template <class Record>
  void append(const Record& record) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&record);
    m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof(Record));
  }
  void read(std::size_t validSize) {
    // Aligned to 8 bytes, as CUPTI requires.
    std::vector<std::uint64_t> aligned(m_bytes.size() / 8 + 1);
    auto* const buffer = reinterpret_cast<std::uint8_t*>(aligned.data());
    std::copy(m_bytes.begin(), m_bytes.end(), buffer);
    const auto calls = makeCuptiCalls();
    addBuffer(*calls, buffer, validSize, m_records);
  }
  std::vector<std::uint8_t> m_bytes;
  KernelRecords m_records{10};
};

TEST_F(CuptiBuffers, AreReadToTheirEnd) {
  append(work<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  append(work<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET));
  append(work<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2));
  read(m_bytes.size());
  EXPECT_EQ(m_records.deviceWork().size(), 3U);
  EXPECT_EQ(m_records.dropped(), 0U);
}

TEST_F(CuptiBuffers, ARecordCutOffAtTheEndIsCounted) {
  append(work<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  append(work<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  read(m_bytes.size() - 16);
  EXPECT_EQ(m_records.deviceWork().size(), 1U);
  EXPECT_EQ(m_records.dropped(), 1U);
}

TEST_F(CuptiBuffers, OneRecordThatIsCutOffIsCounted) {
  append(work<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  read(m_bytes.size() / 2);
  EXPECT_THAT(m_records.deviceWork(), IsEmpty());
  EXPECT_EQ(m_records.dropped(), 1U);
}

TEST_F(CuptiBuffers, ZerosBehindTheLastRecordArePadding) {
  append(work<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET));
  m_bytes.resize(m_bytes.size() + 16);
  read(m_bytes.size());
  EXPECT_EQ(m_records.deviceWork().size(), 1U);
  EXPECT_EQ(m_records.dropped(), 0U);
}

TEST_F(CuptiBuffers, NothingIsReadOfAnEmptyOne) {
  read(0);
  EXPECT_THAT(m_records.deviceWork(), IsEmpty());
  EXPECT_EQ(m_records.dropped(), 0U);
}

}  // namespace
}  // namespace stagelane::capture::detail
