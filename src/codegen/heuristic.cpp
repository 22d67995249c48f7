#include "codegen/heuristic.h"

#include <algorithm>
#include <bit>

#include "codegen/kernel_shape.h"
#include "codegen/opts.h"
#include "codegen/register_tile.h"
#include "codegen/vector_axis.h"

namespace loom {
namespace {

constexpr int64_t kEnoughAccumulators = 8;  // that do not wait for each other
constexpr int64_t kMaxWindow = 9;           // a reduced axis this short is unrolled whole
constexpr int64_t kMaxBody = 192;           // copies of a reduced value in one loop body
constexpr double kLightBody = 8;  // operations per element of a kernel that mostly moves memory
constexpr double kWorkPerThread = 32 << 10;  // operations that pay for waking a thread
constexpr int64_t kChunksPerThread = 16;     // at most, where the axis does not divide evenly

/// The largest divisor of `n` up to `limit`.
int64_t largest_divisor(int64_t n, int64_t limit) {
  int64_t divisor = std::clamp<int64_t>(limit, 1, n);
  while (n % divisor != 0) divisor--;
  return divisor;
}

int64_t round_up(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

class Optimiser {
 public:
  Optimiser(Graph& g, Id sink, const Target& target)
      : g_(g), target_(target), shape_(shape_of_kernel(g, sink)), result_{sink, {}} {
    for (const Axis& axis : shape_.axes) left_.push_back(axis.size);
  }

  OptimisedKernel run() {
    if (shape_.axes.empty()) return result_;
    vector_ = choose_vector_axis(shape_, target_);
    const bool has_reduce = shape_.outputs != axis_bit(shape_.axes.size()) - 1;
    if (has_reduce) tile_ = choose_register_tile(shape_, vector_, target_);
    vectorise();
    for (TileSide side : tile_) apply(OptOp::kUpcast, side.axis, side.copies);
    if (has_reduce) {
      unroll_reduction();
    } else {
      copy_elements();
    }
    thread();
    order_loops();
    return result_;
  }

 private:
  void apply(OptOp op, int axis, int64_t amount) {
    if (amount <= 1) return;
    result_.opts.push_back({op, axis, amount});
    result_.sink = apply_opt(g_, result_.sink, result_.opts.back(), target_);
    left_[axis] /= amount;
  }

  int last_axis() const { return static_cast<int>(shape_.axes.size()) - 1; }

  void vectorise() {
    if (vector_.axis < 0) return;
    int64_t block = vector_.lanes;
    for (TileSide side : tile_) block *= side.axis == vector_.axis ? side.copies : 1;
    if (left_[vector_.axis] % block != 0) {
      result_.opts.push_back({OptOp::kPadTo, vector_.axis, block});
      result_.sink = apply_opt(g_, result_.sink, result_.opts.back(), target_);
      left_[vector_.axis] = round_up(left_[vector_.axis], block);
    }
    apply(OptOp::kVector, vector_.axis, vector_.lanes);
  }

  /// Short windows are unrolled whole; a reduction with few accumulators gets more of them.
  void unroll_reduction() {
    int64_t copies = 1;
    for (TileSide side : tile_) copies *= side.copies;
    for (int axis = last_axis(); axis >= 0; axis--) {
      if (!can_unroll(axis)) continue;
      const bool is_window = left_[axis] <= kMaxWindow && copies * left_[axis] <= kMaxBody;
      const int64_t wanted = is_window ? left_[axis] : (kEnoughAccumulators + copies - 1) / copies;
      const int64_t amount = largest_divisor(left_[axis], wanted);
      apply(OptOp::kUnroll, axis, amount);
      copies *= amount;
    }
  }

  bool can_unroll(int axis) const {
    return !shape_.axes[axis].is_output && shape_.axes[axis].is_fixed;
  }

  /// Element by element: a few vectors at a time where there is little to compute for each, and
  /// several lines of what is read across its rows.
  void copy_elements() {
    double operations = 0;
    for (const Work& work : shape_.arithmetic) operations += work.count;
    if (vector_.axis < 0 || operations > kLightBody) return;
    const int across = axis_read_across();
    const int axis = across >= 0 ? across : vector_.axis;
    apply(OptOp::kUpcast, axis, largest_divisor(left_[axis], across >= 0 ? 8 : 4));
  }

  /// An axis along which something is contiguous that is gathered along the vector axis, or -1.
  int axis_read_across() const {
    for (const MemoryWork& work : shape_.memory) {
      const std::vector<int64_t>& strides = work.access.strides;
      if (strides[vector_.axis] == 0 || strides[vector_.axis] == 1) continue;
      const auto found = std::ranges::find(strides, 1);
      if (found != strides.end() && shape_.axes[found - strides.begin()].is_fixed) {
        return static_cast<int>(found - strides.begin());
      }
    }
    return -1;
  }

  // --- Threads ---

  double work() const {
    double total = 0;
    for (const Work& work : shape_.arithmetic) total += work.count * shape_.trips(work.runs_over);
    for (const MemoryWork& work : shape_.memory) total += shape_.trips(work.axes);
    return total;
  }

  void thread() {
    const int64_t threads =
        std::min<int64_t>(target_.threads, static_cast<int64_t>(work() / kWorkPerThread));
    if (threads < 2) return;
    int best_axis = -1;
    int64_t best_chunks = 1;
    double best_time = 1;  // of the slowest thread, as a part of all
    for (int axis = 0; axis <= last_axis(); axis++) {
      if (!shape_.axes[axis].is_fixed || !shape_.axes[axis].is_output || !is_in_every_store(axis))
        continue;
      for (int64_t chunks = 2; chunks <= std::min(left_[axis], threads * kChunksPerThread);
           chunks++) {
        const double time =
            static_cast<double>((chunks + threads - 1) / threads) / static_cast<double>(chunks);
        if (left_[axis] % chunks != 0 || time > best_time * 0.95) continue;
        best_axis = axis;
        best_chunks = chunks;
        best_time = time;
      }
    }
    if (best_axis >= 0) apply(OptOp::kThread, best_axis, best_chunks);
  }

  bool is_in_every_store(int axis) const {
    return std::ranges::all_of(shape_.memory, [&](const MemoryWork& work) {
      return !work.access.is_store || (work.axes & axis_bit(axis)) != 0;
    });
  }

  // --- Order ---

  /// Of the two sides of a register tile, the one whose operands are smaller goes innermost: the
  /// larger panel stays in the cache while the small ones pass by.
  void order_loops() {
    if (tile_.size() != 2) return;
    const int a = tile_[0].axis, b = tile_[1].axis;
    const int inner = std::max(a, b), outer = std::min(a, b);
    if (panel(inner) > panel(outer)) {
      result_.opts.push_back({OptOp::kSwap, outer, inner});
      result_.sink = apply_opt(g_, result_.sink, result_.opts.back(), target_);
    }
  }

  /// Elements that a tile reads, for each step of the reduction, of what moves along `axis`.
  int64_t panel(int axis) const {
    int64_t elements = 0;
    for (const MemoryWork& load : shape_.memory) {
      if (!load.in_reduce || (load.axes & axis_bit(axis)) == 0) continue;
      int64_t copies = (load.axes & axis_bit(vector_.axis)) != 0 ? vector_.lanes : 1;
      for (TileSide side : tile_)
        copies *= (load.axes & axis_bit(side.axis)) != 0 ? side.copies : 1;
      elements += copies;
    }
    return elements;
  }

  Graph& g_;
  const Target& target_;
  KernelShape shape_;
  OptimisedKernel result_;
  VectorAxis vector_;
  std::vector<TileSide> tile_;
  std::vector<int64_t> left_;  // size of each axis that is still a loop
};

}  // namespace

OptimisedKernel optimise(Graph& g, Id sink, const Target& target) {
  return Optimiser(g, sink, target).run();
}

}  // namespace loom
