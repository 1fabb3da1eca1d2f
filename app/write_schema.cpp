// Build step: writes the installed JSON schema of experiment files, which is
// resources/experiment.schema.json with the names of all strategies and schedules.

#include <cstdio>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/plan/experiment_schema.h"

namespace {

stagelane::Status writeSchema(const char* from, const char* to) {
  const auto source = stagelane::readJsonFile(from);
  if (!source) return tl::make_unexpected(source.error());
  const auto schema = stagelane::plan::withNames(*source);
  if (!schema) return tl::make_unexpected(schema.error());
  return stagelane::writeFileAtomically(to, schema->dump(2) + "\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: stagelane-write-schema SOURCE TARGET\n", stderr);
    return 2;
  }
  const stagelane::Status written = writeSchema(argv[1], argv[2]);
  if (written) return 0;
  std::fprintf(stderr, "%s\n", stagelane::describe(written.error()).c_str());
  return 1;
}
