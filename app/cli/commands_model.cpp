// summary and models: what a model consists of.

#include <charconv>
#include <memory>
#include <string_view>

#include "app/cli/commands.h"
#include "app/terminal/console.h"
#include "engine/model/model.h"
#include "engine/model/summary.h"

namespace stagelane::app {
namespace {

struct SummaryOptions {
  std::string model;
  std::string input;
  std::int64_t batch = 2;
  std::string format = "torchsummary";
  bool json = false;
};

Error badInput(const std::string& text) {
  return {ErrorCode::Invalid, "'" + text + "' is not an input shape", "--input",
          "write the sizes of one sample without the batch, for example --input 3,128,128"};
}

Result<model::Shape> parseShape(const std::string& text) {
  model::Shape shape;
  std::string_view rest = text;
  while (true) {
    const std::string_view word = rest.substr(0, rest.find(','));
    std::int64_t size = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), size);
    if (read.ec != std::errc{} || read.ptr != word.data() + word.size() || size <= 0) {
      return tl::make_unexpected(badInput(text));
    }
    shape.push_back(size);
    if (word.size() == rest.size()) return shape;
    rest.remove_prefix(word.size() + 1);
  }
}

// A zoo model's usual input shape, if none is given.
Result<model::Shape> inputShape(const SummaryOptions& options) {
  if (!options.input.empty()) return parseShape(options.input);
  for (const model::ZooEntry& entry : model::zoo()) {
    if (entry.name == options.model && !entry.defaultInput.empty()) return entry.defaultInput;
  }
  return fail(ErrorCode::Usage, "--input is missing", "",
              "add the shape of one sample, for example --input 3,128,128");
}

Result<int> printOrFail(const Result<std::string>& text) {
  STAGELANE_CHECK(text);
  return printText(text->empty() || text->back() != '\n' ? *text + "\n" : *text);
}

Result<int> summarize(const SummaryOptions& options) {
  const std::string format = options.json ? "json" : options.format;
  STAGELANE_TRY(model, model::modelFromArgument(options.model));
  if (format == "repr") return printOrFail(model::reprText(**model));
  STAGELANE_TRY(input, inputShape(options));
  // A number that exceeds 64 bits is parsed as the largest one, which is also too large.
  constexpr std::int64_t kMostSamples = 1'000'000'000;
  if (options.batch < 1 || options.batch > kMostSamples) {
    return fail(ErrorCode::Invalid,
                "the batch must be a whole number from 1 to " + std::to_string(kMostSamples),
                "--batch", "for example --batch 2");
  }
  if (format == "torchsummary") return printOrFail(model::torchsummaryTable(**model, *input));
  if (format == "table") return printOrFail(model::richTable(**model, *input, options.batch));
  if (format == "json") {
    STAGELANE_TRY(json, model::summaryJson(**model, *input, options.batch));
    return printJson(*json);
  }
  return fail(ErrorCode::Invalid, "'" + format + "' is not a summary format", "--format",
              "write torchsummary, repr, table or json");
}

std::string shapeText(const model::Shape& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}

int listModels(bool json) {
  Json document{{"models", Json::array()}};
  std::vector<std::vector<std::string>> rows{{"model", "input", "description"}};
  for (const model::ZooEntry& entry : model::zoo()) {
    document["models"].push_back(
        {{"name", entry.name}, {"description", entry.description}, {"input", entry.defaultInput}});
    rows.push_back({entry.name, shapeText(entry.defaultInput), entry.description});
  }
  return json ? printJson(document) : printText(formatTable(rows));
}

}  // namespace

void addSummaryCommand(const CommandLine& line) {
  auto options = std::make_shared<SummaryOptions>();
  CLI::App* command =
      line.parser.add_subcommand("summary", "Show the layers, shapes and parameters of a model");
  command->add_option("MODEL", options->model, "Zoo model, or JSON file of layers")->required();
  command->add_option("--input", options->input, "Shape of one sample, for example 3,128,128");
  command->add_option("--batch", options->batch, "Batch size for table and json (default 2)");
  command->add_option("--format", options->format, "torchsummary (default), repr, table or json");
  command->add_flag("--json", options->json, "Same as --format json");
  command->footer(
      "Examples:\n"
      "  stagelane summary resnet50 --input 3,128,128           as torchsummary prints it\n"
      "  stagelane summary resnet18 --format repr               as print(model) prints it\n"
      "  stagelane summary resnet50 --input 3,128,128 --batch 32 --format table\n"
      "`stagelane models` lists the zoo; docs/reference/models.md describes JSON files.");
  line.use(command, [options] { return summarize(*options); });
}

void addModelsCommand(const CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      line.parser.add_subcommand("models", "List the models available to experiments");
  command->add_flag("--json", *json, "Print one JSON document");
  command->footer(
      "Example:\n  stagelane models\nIn an experiment: \"model\": {\"zoo\": \"resnet50\"}");
  line.use(command, [json] { return listModels(*json); });
}

}  // namespace stagelane::app
