#include "profiler/capture/kernel_records.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace stagelane::capture::detail {

std::string demangled(const std::string& name) {
  // __cxa_demangle also accepts plain types: a kernel named "i" would become "int".
  if (name.compare(0, 2, "_Z") != 0) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

void KernelRecords::add(const DeviceWork& work) {
  if (m_deviceWork.size() < m_most) {
    m_deviceWork.push_back(work);
  } else {
    ++m_dropped;
  }
}

void KernelRecords::add(const HostWork& work) {
  if (m_hostWork.size() < m_most) {
    m_hostWork.push_back(work);
  } else {
    ++m_dropped;
  }
}

void KernelRecords::add(const ExternalId& id) {
  if (m_externalIds.size() < m_most) {
    m_externalIds.push_back(id);
  } else {
    ++m_droppedIds;
  }
}

std::uint32_t KernelRecords::nameNumber(std::string_view name) {
  const auto [place, isNew] =
      m_numbers.try_emplace(std::string(name), static_cast<std::uint32_t>(m_names.size()));
  if (isNew) m_names.push_back(demangled(place->first));
  return place->second;
}

}  // namespace stagelane::capture::detail
