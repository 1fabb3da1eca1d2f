#include "engine/run/device/kernel_architectures.h"

#include <algorithm>
#include <regex>

namespace stagelane::run {
namespace {

bool runs(const std::string& architecture, int major, int minor) {
  static const std::regex kForm("(sm|compute)_([0-9]+)([0-9])([a-z]?)");
  std::smatch parts;
  if (!std::regex_match(architecture, parts, kForm)) return false;
  const int itsMajor = std::stoi(parts[2]);
  const int itsMinor = std::stoi(parts[3]);
  if (parts[4] == "a") return itsMajor == major && itsMinor == minor;
  const bool sameFamily = itsMajor == major && itsMinor <= minor;
  if (parts[1] == "sm" || parts[4] == "f") return sameFamily;
  return sameFamily || itsMajor < major;
}

}  // namespace

std::vector<std::string> kernelArchitectures(const std::string& nvccOptions) {
  // What stands after "code=", alone or in a list: arch=compute_90,code=[sm_90,compute_90]
  static const std::regex kCode("code=\\[?([a-z0-9_,]+)");
  static const std::regex kName("(sm|compute)_[0-9]{2,3}[a-z]?");
  const std::sregex_iterator end;
  std::vector<std::string> found;
  for (std::sregex_iterator code(nvccOptions.begin(), nvccOptions.end(), kCode); code != end;
       ++code) {
    const std::string names = (*code)[1];
    for (std::sregex_iterator name(names.begin(), names.end(), kName); name != end; ++name) {
      if (std::find(found.begin(), found.end(), name->str()) == found.end()) {
        found.push_back(name->str());
      }
    }
  }
  return found;
}

bool runsOneOf(const std::vector<std::string>& architectures, int major, int minor) {
  return architectures.empty() ||
         std::any_of(architectures.begin(), architectures.end(),
                     [=](const std::string& each) { return runs(each, major, minor); });
}

}  // namespace stagelane::run
