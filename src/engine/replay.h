// A captured program, flattened: launches with their arguments in one array. A replay writes the
// addresses of inputs and outputs into that array and launches; nothing is looked up or allocated.
#pragma once
#include <unordered_map>
#include <vector>

#include "engine/capture.h"

namespace loom {

/// A launch of a captured program on buffers that are numbered across all its runs.
struct CapturedLaunch {
  std::shared_ptr<const CompiledKernel> kernel;  // null: copy buffers[1] to buffers[0]
  std::vector<uint32_t> buffers;
  std::vector<int64_t> variables;

  bool reads(size_t argument) const { return kernel ? kernel->reads[argument] : argument == 1; }
  bool writes(size_t argument) const { return kernel ? kernel->writes[argument] : argument == 0; }
};

/// All launches of a capture. Its own memory is what no earlier tensor had; a temporary is a piece
/// of an arena that other temporaries may share.
class CapturedProgram {
 public:
  struct Memory {
    std::shared_ptr<Buffer> buffer;  // or the arena
    int64_t offset = 0, bytes = 0;
    bool is_temporary = false;
    bool is_written = false;
  };

  explicit CapturedProgram(const Capture& capture);
  /// The number of a buffer; UINT32_MAX when no launch touches it.
  uint32_t number_of(const Buffer* buffer) const;

  std::vector<CapturedLaunch> launches;
  std::vector<Memory> memory;

 private:
  uint32_t number(const RecordedRun& run, uint32_t buffer, std::vector<uint32_t>& numbers);
  std::unordered_map<const Buffer*, uint32_t> numbers_;
};

/// Takes out the launches whose results are the same in every replay: those that `changing` memory
/// does not flow into and that write to nothing that others write to. Their results move to memory
/// of their own, where they are computed once, now.
void prune(CapturedProgram& program, std::vector<bool> changing);

class Replay {
 public:
  /// `inputs` and `outputs` are the buffers that stood in their place during the capture.
  Replay(const CapturedProgram& program, std::span<const std::shared_ptr<Buffer>> inputs,
         std::span<const std::shared_ptr<Buffer>> outputs);

  void run(std::span<void* const> inputs, std::span<void* const> outputs);

  size_t launch_count() const { return launches_.size(); }

 private:
  struct Launch {
    std::shared_ptr<const CompiledKernel> kernel;
    size_t first_address = 0, address_count = 0;
    size_t first_variable = 0, variable_count = 0;
    int64_t copy_bytes = 0;
  };
  struct Patch {
    size_t address = 0, argument = 0;
  };

  std::vector<Launch> launches_;
  std::vector<void*> addresses_;
  std::vector<int64_t> variables_;
  std::vector<Patch> input_patches_, output_patches_;
  std::vector<std::shared_ptr<Buffer>> kept_;  // all other memory
};

}  // namespace loom
