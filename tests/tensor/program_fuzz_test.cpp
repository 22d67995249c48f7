// Random programs give the same on CPU, on INTERP and in the evaluator of tensor form, which knows
// nothing of schedules, kernels or devices. Integers, and floats that hold integers, agree exactly;
// other floats to 1 in 10,000 of the tensor's bound. FUZZ_SEED and FUZZ_COUNT choose
// other programs.
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "engine/engine.h"
#include "tensor/data.h"
#include "tests/oracle/tensor_evaluator.h"
#include "tests/tensor/check.h"
#include "tests/tensor/random_program.h"

namespace loom::testing {
namespace {

using Values = std::vector<std::vector<double>>;

double number_of(DType dtype, Value value) {
  if (dtype.is_float()) return value.as_float();
  return dtype == kUInt64 ? static_cast<double>(static_cast<uint64_t>(value.as_int()))
                          : static_cast<double>(value.as_int());
}

Values read(const std::vector<Known>& pool) {
  std::vector<Tensor> tensors;
  for (const Known& known : pool) tensors.push_back(known.tensor);
  realize(tensors);
  Values values;
  for (const Tensor& tensor : tensors) values.push_back(tensor.to_vector<double>());
  return values;
}

oracle::Cells cells_of(const Graph& graph, Id buffer, const Buffer& memory, const void* data) {
  const DType dtype = graph.dtype(buffer);
  oracle::Cells cells;
  for (int64_t at = 0; at < memory.bytes(); at += dtype.bytes()) {
    uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const std::byte*>(data) + at,
                static_cast<size_t>(dtype.bytes()));
    cells.push_back(from_memory_bits(dtype, bits));
  }
  return cells;
}

// What the evaluator says; empty where a tensor is in memory already.
Values evaluate(const std::vector<Known>& pool) {
  Values values(pool.size());
  for (size_t i = 0; i < pool.size(); i++) {
    const Tensor own = pool[i].tensor.contiguous();
    if (own.numel() == 0) continue;
    const RealizeTarget target{own.data()->root.place(), own.data()->device};
    TensorProgram program = engine().export_program({&target, 1});
    oracle::Memory memory;
    for (Id id : reachable(program.graph, program.sink)) {
      if (program.graph.op(id) != Op::kBuffer) continue;
      Buffer& buffer = *program.buffers[program.graph.arg(id)];
      memory[program.graph.arg(id)] = cells_of(program.graph, id, buffer, buffer.data());
    }
    memory = oracle::TensorEvaluator(program.graph, memory).run(program.sink);
    for (const Value& cell : memory.at(static_cast<int64_t>(program.existing))) {
      values[i].push_back(number_of(own.dtype(), cell));
    }
  }
  return values;
}

// The first tensor that differs, or an empty text.
std::string difference(const std::vector<Known>& pool, const Values& actual,
                       const Values& expected) {
  for (size_t i = 0; i < pool.size(); i++) {
    const double tolerance = pool[i].is_exact ? 0 : 1e-4 * std::max(1.0, pool[i].bound);
    for (size_t k = 0; k < expected[i].size(); k++) {
      if (!(std::abs(actual[i][k] - expected[i][k]) <= tolerance)) {
        return str("t", i, " element ", k, ": ", actual[i][k], ", expected ", expected[i][k]);
      }
    }
  }
  return {};
}

std::string run(const RandomProgram& program) {
  try {
    const std::vector<Known> on_interp = build(program, "INTERP");
    const Values expected = evaluate(on_interp), interp = read(on_interp);
    if (std::string text = difference(on_interp, interp, expected); !text.empty())
      return "INTERP and the evaluator: " + text;
    const std::vector<Known> on_cpu = build(program, "CPU");
    const std::string text = difference(on_cpu, read(on_cpu), interp);
    return text.empty() ? text : "CPU and INTERP: " + text;
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Leaves out steps as long as something is wrong without them.
RandomProgram shrunk(RandomProgram program) {
  for (size_t i = program.steps.size(); i-- > 0;) {
    RandomProgram smaller = program;
    smaller.steps.erase(smaller.steps.begin() + static_cast<std::ptrdiff_t>(i));
    if (!run(smaller).empty()) program = smaller;
  }
  return program;
}

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(RandomProgramFuzz, AgreesOnAllDevicesAndWithTheEvaluator) {
  const uint64_t first = setting("FUZZ_SEED", 1), count = setting("FUZZ_COUNT", 0);
  const auto stop = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  uint64_t done = 0;
  while (count > 0 ? done < count : std::chrono::steady_clock::now() < stop) {
    const RandomProgram program = random_program(first + done++);
    if (run(program).empty()) continue;
    const RandomProgram small = shrunk(program);
    std::vector<std::string> names;
    const std::string wrong = run(small);
    try {
      build(small, "INTERP", &names);
    } catch (const std::exception&) {  // `wrong` says it
    }
    std::string text;
    for (const std::string& name : names) text += name + "\n";
    FAIL() << "seed " << program.seed << "\n" << text << wrong;
  }
  std::cout << "seeds " << first << " to " << first + done - 1 << "\n";
}

Values read(const std::vector<Tensor>& tensors) {
  Values values;
  for (const Tensor& tensor : tensors) values.push_back(tensor.to_vector<double>());
  return values;
}

// A captured program replays what building it again gives, pruned or not.
TEST(JitFuzz, ReplaysWhatTheProgramGives) {
  const uint64_t first = setting("FUZZ_SEED", 1), count = setting("FUZZ_COUNT", 60);
  for (uint64_t seed = first; seed < first + count; seed++) {
    const RandomProgram program = random_program(seed);
    std::vector<Known> known = random_inputs(program, "CPU");
    const auto body = [&](const std::vector<Tensor>& inputs) {
      known.resize(inputs.size());
      for (size_t i = 0; i < inputs.size(); i++) known[i].tensor = inputs[i];
      known = build_on(program, known, "CPU");
      std::vector<Tensor> tensors;
      for (const Known& each : known) tensors.push_back(each.tensor);
      return tensors;
    };
    Jit plain(body), pruned(body, {.prune = true});
    for (uint64_t variant = 0; variant < 4; variant++) {
      std::vector<Tensor> inputs;
      for (const Known& input : random_inputs(program, "CPU", variant))
        inputs.push_back(input.tensor);
      const Values replayed = read(plain(inputs)), replayed_pruned = read(pruned(inputs));
      const Values expected = read(body(inputs));
      ASSERT_EQ(difference(known, replayed, expected), "")
          << "seed " << seed << " input " << variant;
      ASSERT_EQ(difference(known, replayed_pruned, expected), "") << "seed " << seed << " pruned";
    }
  }
}

}  // namespace
}  // namespace loom::testing
