#include "tests/structure/size_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

namespace stagelane::structure {
namespace {

std::string folderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string stemOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

// `engine/plan` of `engine/plan/device.h`: file names are unique within such a folder.
std::string roomOf(const std::string& path) {
  const std::size_t second = path.find('/', path.find('/') + 1);
  return path.substr(0, second);
}

bool isHeader(const std::string& path) { return path.size() > 2 && path.ends_with(".h"); }

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool opensFunction(const std::string& declaration) {
  static const std::regex kOther(R"(^\s*(namespace|class|struct|enum|union|extern|using|Q_)\b)");
  // The brace of an initializer follows a name or a bracket, without a space.
  return declaration.ends_with(" {") && declaration.find('(') != std::string::npos &&
         !std::regex_search(declaration, kOther);
}

// True at the brace of a function, of a class or of a value, or at a semicolon. The initializer
// lists of constructors have braces of their own, also at the ends of lines.
bool endsDeclaration(const std::string& declaration) {
  static const std::regex kInitializers(R"(\)\s+: \w)");
  if (declaration.empty()) return false;
  if (declaration.back() == '{' && !declaration.ends_with(" {")) {
    return !std::regex_search(declaration, kInitializers);
  }
  return std::string_view("{};").find(declaration.back()) != std::string_view::npos;
}

std::string nameOf(const std::string& declaration) {
  static const std::regex kName(R"(([~\w:]+)\()");
  std::smatch found;
  return std::regex_search(declaration, found, kName) ? found[1].str() : declaration;
}

// Functions whose first line has this indentation. clang-format closes them with a brace at the
// same indentation. Lines of a found function are in `taken`, so that its own blocks do not count
// as functions.
void addFunctions(const SourceText& file, const std::vector<std::string>& lines,
                  std::size_t indentation, std::set<std::size_t>& taken,
                  std::vector<Extent>& functions) {
  const std::string margin(indentation, ' ');
  const auto beginsHere = [&](const std::string& line) {
    return line.size() > indentation && line.compare(0, indentation, margin) == 0 &&
           std::string_view(" }#/").find(line[indentation]) == std::string_view::npos;
  };
  for (std::size_t first = 0; first < lines.size(); ++first) {
    if (taken.count(first) != 0 || !beginsHere(lines[first])) continue;
    std::string declaration;
    std::size_t open = first;
    for (; open < lines.size(); ++open) {
      declaration += lines[open];
      if (endsDeclaration(declaration)) break;
    }
    if (!opensFunction(declaration)) continue;
    std::size_t close = open + 1;
    while (close < lines.size() && lines[close].compare(0, indentation + 1, margin + "}") != 0) {
      ++close;
    }
    functions.push_back(
        {file.path + ": " + nameOf(declaration), static_cast<int>(close - first) + 1});
    for (std::size_t line = first; line <= close; ++line) taken.insert(line);
    first = close;
  }
}

// The lines of each class's member functions in a source. A line that begins at the margin starts a
// definition; the lines up to the next are its own.
std::map<std::string, int> memberLinesOf(const SourceText& file,
                                         const std::set<std::string>& classes) {
  static const std::regex kMember(R"(\b((\w+::)+)(operator[^(]*|~?\w+)\(.*[^;]$)");
  static const std::regex kScope(R"(\w+)");
  std::map<std::string, int> counts;
  std::string owner;
  for (const std::string& line : linesOf(file.text)) {
    if (!line.empty() && std::string_view(" }/#").find(line[0]) == std::string_view::npos) {
      std::smatch found;
      const std::string scopes = std::regex_search(line, found, kMember) ? found[1].str() : "";
      // Members of a class within a class count for the outer one.
      const auto scope = std::find_if(
          std::sregex_iterator(scopes.begin(), scopes.end(), kScope), std::sregex_iterator(),
          [&](const std::smatch& word) { return classes.count(word.str()) != 0; });
      owner = scope == std::sregex_iterator() ? "" : scope->str();
    }
    if (!owner.empty()) ++counts[owner];
  }
  return counts;
}

std::set<std::string> classesDeclaredIn(const SourceText& file) {
  static const std::regex kClass(R"(^(?:class|struct) (\w+)\b(?!::)[^;]*$)");
  std::set<std::string> names;
  for (const std::string& line : linesOf(file.text)) {
    std::smatch found;
    if (std::regex_search(line, found, kClass)) names.insert(found[1].str());
  }
  return names;
}

}  // namespace

std::vector<std::string> findMisplaced(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  std::map<std::string, std::set<std::string>> units;
  std::set<std::string> all(paths.begin(), paths.end());
  std::map<std::string, std::string> headers;
  for (const std::string& path : paths) {
    units[folderOf(path)].insert(stemOf(path));
    if (isHeader(path)) headers.emplace(roomOf(path) + "/" + stemOf(path), path);
    if (("/" + path).find("/detail/") != std::string::npos) {
      found.push_back(path + ": a folder 'detail' hides what belongs beside its source");
    }
  }
  for (const std::string& path : paths) {
    const auto header = headers.find(roomOf(path) + "/" + stemOf(path));
    if (isHeader(path) || header == headers.end() ||
        all.count(folderOf(path) + "/" + stemOf(path) + ".h") != 0) {
      continue;
    }
    found.push_back(path + ": its header lies apart from it, in " + header->second);
  }
  for (const auto& [folder, names] : units) {
    if (names.size() > static_cast<std::size_t>(kMostUnitsOfFolder)) {
      found.push_back(folder + ": has " + std::to_string(names.size()) + " units, more than " +
                      std::to_string(kMostUnitsOfFolder));
    }
  }
  return found;
}

std::vector<std::string> findTestDoubles(const SourceText& file) {
  static const std::regex kFile(R"((^|_)(fake|mock|stub|dummy)(_|$))");
  static constexpr std::array<std::string_view, 4> kNames{"Fake", "Mock", "Stub", "Dummy"};
  std::vector<std::string> found;
  if (std::regex_search(stemOf(file.path), kFile)) found.push_back(file.path + ":1");
  int number = 0;
  for (const std::string& line : linesOf(file.text)) {
    ++number;
    if (std::any_of(kNames.begin(), kNames.end(),
                    [&](std::string_view name) { return line.find(name) != std::string::npos; })) {
      found.push_back(file.path + ":" + std::to_string(number));
    }
  }
  return found;
}

std::vector<Extent> functionsOf(const SourceText& file) {
  const std::vector<std::string> lines = linesOf(file.text);
  std::vector<Extent> functions;
  std::set<std::size_t> taken;
  // At namespace level, in a class, in a class within a class.
  for (const std::size_t indentation : {0U, 2U, 4U}) {
    addFunctions(file, lines, indentation, taken, functions);
  }
  return functions;
}

std::vector<Extent> classesOf(const std::vector<SourceText>& files) {
  // Only what a header declares: a source also begins lines with std:: and QString::.
  std::set<std::string> declared;
  for (const SourceText& file : files) {
    if (isHeader(file.path)) declared.merge(classesDeclaredIn(file));
  }
  std::map<std::string, int> lines;
  for (const SourceText& file : files) {
    const int count = static_cast<int>(linesOf(file.text).size());
    if (isHeader(file.path)) {
      // A header of several small classes is counted for each: none of them is near the limit.
      for (const std::string& name : classesDeclaredIn(file)) lines[name] += count;
      continue;
    }
    // The rest of a source, such as its free functions, is there for its largest class.
    const std::map<std::string, int> members = memberLinesOf(file, declared);
    const auto largest =
        std::max_element(members.begin(), members.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    for (auto member = members.begin(); member != members.end(); ++member) {
      lines[member->first] += member == largest ? count : member->second;
    }
  }
  std::vector<Extent> classes;
  for (const auto& [name, count] : lines) classes.push_back({name, count});
  return classes;
}

}  // namespace stagelane::structure
