#include "codegen/heuristic.h"

#include <algorithm>
#include <utility>

#include "codegen/kernel_shape.h"
#include "codegen/opts.h"
#include "codegen/register_tile.h"
#include "codegen/vector_axis.h"

namespace loom {
namespace {

constexpr int64_t kEnoughAccumulators = 8;  // that do not wait for each other
constexpr int64_t kMaxWindow = 9;           // a reduced axis this short is unrolled whole
constexpr int64_t kMaxBody = 256;           // copies of a reduced value in one loop body
constexpr double kLightBody = 8;   // operations per element of a kernel that mostly moves memory
constexpr double kHeavyBody = 16;  // enough work for the units in one copy
constexpr double kWorkPerThread = 32 << 10;   // operations that pay for waking a thread
constexpr int64_t kEnoughTurns = 8;           // that read a panel again
constexpr int64_t kFarApart = 256;            // bytes
constexpr int64_t kLargestPanel = 256 << 10;  // bytes: it is on the stack of a thread
constexpr int64_t kChunksPerThread = 16;      // at most, where the axis does not divide evenly

/// The largest divisor of `n` up to `limit`.
int64_t largest_divisor(int64_t n, int64_t limit) {
  int64_t divisor = std::clamp<int64_t>(limit, 1, n);
  while (n % divisor != 0) divisor--;
  return divisor;
}

int64_t ceil_div(int64_t n, int64_t by) { return (n + by - 1) / by; }

class Optimiser {
 public:
  Optimiser(Graph& g, Id sink, const Target& target)
      : g_(g), target_(target), shape_(shape_of_kernel(g, sink)), result_{sink, {}} {
    for (const Axis& axis : shape_.axes) left_.push_back(axis.size);
  }

  OptimisedKernel run() {
    vectors_ = choose_vector_axes(shape_, target_);
    if (shape_.has_reduce()) tile_ = choose_register_tile(shape_, vectors_, target_);
    split_into_blocks();
    if (shape_.has_reduce()) {
      unroll_reduction();
    } else {
      copy_elements();
    }
    thread();
    order_loops();
    pack();
    return result_;
  }

 private:
  int axis_count() const { return static_cast<int>(shape_.axes.size()); }

  void apply(OptOp op, int axis, int64_t amount) {
    result_.opts.push_back({op, axis, amount});
    result_.sink = apply_opt(g_, result_.sink, result_.opts.back(), target_);
  }

  void split(OptOp op, int axis, int64_t amount) {
    if (amount <= 1) return;
    apply(op, axis, amount);
    left_[axis] /= amount;
  }

  void pad(int axis, int64_t block) {
    if (left_[axis] % block == 0) return;
    apply(OptOp::kPadTo, axis, block);
    left_[axis] = ceil_div(left_[axis], block) * block;
  }

  int64_t copies_of(int axis) const {
    const auto side = std::ranges::find(tile_, axis, &TileSide::axis);
    return side == tile_.end() ? 1 : side->copies;
  }

  /// Lanes, and the sides of the register tile. The longer side comes first, so that copies follow
  /// each other along the shorter one: its few operands stay in registers while the others pass.
  void split_into_blocks() {
    for (int axis = 0; axis < axis_count(); axis++) {
      pad(axis, vectors_.lanes(axis) * copies_of(axis));
      split(OptOp::kVector, axis, vectors_.lanes(axis));
    }
    if (tile_.size() == 2 && tile_[0].copies < tile_[1].copies) std::swap(tile_[0], tile_[1]);
    for (TileSide side : tile_) split(OptOp::kUpcast, side.axis, side.copies);
  }

  // --- Copies of loop bodies ---

  /// Short windows are unrolled whole; a reduction with few accumulators gets more of them.
  void unroll_reduction() {
    int64_t copies = 1;
    for (TileSide side : tile_) copies *= side.copies;
    const int64_t enough = operations(true) > kHeavyBody ? 2 : kEnoughAccumulators;
    for (int axis = axis_count() - 1; axis >= 0; axis--) {
      if (shape_.axes[axis].is_output || !shape_.axes[axis].is_fixed) continue;
      const bool is_window = left_[axis] <= kMaxWindow && copies * left_[axis] <= kMaxBody;
      const int64_t wanted = is_window ? left_[axis] : ceil_div(enough, copies);
      const int64_t amount = largest_divisor(left_[axis], wanted);
      split(OptOp::kUnroll, axis, amount);
      copies *= amount;
    }
  }

  /// Arithmetic operations for one element: inside of reductions, or outside.
  double operations(bool in_reduce) const {
    double count = 0;
    for (const Work& work : shape_.arithmetic)
      count += work.in_reduce == in_reduce ? work.count : 0;
    return count;
  }

  /// Element by element: a few vectors at a time where there is little to compute for each, and
  /// several lines of what is read across its rows.
  void copy_elements() {
    if (vectors_.list.empty() || operations(false) > kLightBody) return;
    const int across = axis_read_across();
    const int axis = across >= 0 ? across : vectors_.list[0].axis;
    split(OptOp::kUpcast, axis, largest_divisor(left_[axis], across >= 0 ? 8 : 4));
  }

  /// An axis along which something is contiguous that is gathered along the vector axis, or -1.
  int axis_read_across() const {
    for (const MemoryWork& work : shape_.memory) {
      const std::vector<int64_t>& strides = work.access.strides;
      const int64_t stride = strides[vectors_.list[0].axis];
      if (stride == 0 || stride == 1) continue;
      const auto found = std::ranges::find(strides, 1);
      if (found == strides.end() || !shape_.axes[found - strides.begin()].is_fixed) continue;
      return static_cast<int>(found - strides.begin());
    }
    return -1;
  }

  // --- Threads ---

  struct Chunks {
    int axis = -1;
    int64_t count = 1;
    double time = 1;  // of the slowest thread, as a part of all
  };

  void thread() {
    const int64_t threads =
        std::min<int64_t>(target_.threads, static_cast<int64_t>(work() / kWorkPerThread));
    if (threads < 2) return;
    Chunks best = even_chunks(threads);
    if (best.time * static_cast<double>(threads) > 1.3) best = better_of(best, padded(threads));
    if (best.axis < 0) return;
    pad(best.axis, ceil_div(left_[best.axis], best.count));
    split(OptOp::kThread, best.axis, best.count);
  }

  double work() const {
    double total = 0;
    for (const Work& work : shape_.arithmetic) total += work.count * shape_.trips(work.runs_over);
    for (const MemoryWork& work : shape_.memory) total += shape_.trips(work.axes);
    return total;
  }

  bool can_thread(int axis) const {
    return shape_.axes[axis].is_fixed && shape_.axes[axis].is_output &&
           std::ranges::all_of(shape_.memory, [&](const MemoryWork& work) {
             return !work.access.is_store || (work.axes & axis_bit(axis)) != 0;
           });
  }

  /// The faster one; of equally fast ones that with fewer chunks.
  static Chunks better_of(Chunks a, Chunks b) {
    const bool is_as_fast = b.time <= a.time && b.count < a.count;
    return is_as_fast || b.time < 0.95 * a.time ? b : a;
  }

  /// The axis and the number of equal chunks that finish first.
  Chunks even_chunks(int64_t threads) const {
    Chunks best;
    for (int axis = 0; axis < axis_count(); axis++) {
      const int64_t most = can_thread(axis) ? std::min(left_[axis], threads * kChunksPerThread) : 1;
      for (int64_t count = 2; count <= most; count++) {
        const double time =
            static_cast<double>(ceil_div(count, threads)) / static_cast<double>(count);
        if (left_[axis] % count == 0) best = better_of(best, {axis, count, time});
      }
    }
    return best;
  }

  /// The longest axis, cut so that each thread gets one chunk, which may overlap with the next.
  Chunks padded(int64_t threads) const {
    Chunks best;
    for (int axis = 0; axis < axis_count(); axis++) {
      if (!can_thread(axis) || shape_.is_in_place || left_[axis] < 2 * threads) continue;
      const int64_t size = ceil_div(left_[axis], threads);
      const double time = static_cast<double>(size) / static_cast<double>(left_[axis]);
      best = better_of(best, {axis, ceil_div(left_[axis], size), time});
    }
    return best;
  }

  // --- Order ---

  /// The loop whose operands are smallest goes innermost: larger panels stay in the cache while
  /// small ones pass by.
  void order_loops() {
    if (tile_.empty()) return;
    int innermost = -1, smallest = -1;
    for (int axis = 0; axis < axis_count(); axis++) {
      if (!shape_.axes[axis].is_output || !shape_.axes[axis].is_fixed || left_[axis] == 1) continue;
      innermost = axis;
      if (panel(axis) == 0) continue;
      if (smallest < 0 || panel(axis) <= panel(smallest)) smallest = axis;
    }
    innermost_ = {innermost, innermost};
    if (smallest >= 0 && panel(smallest) < panel(innermost)) {
      apply(OptOp::kSwap, smallest, innermost);
      innermost_.axis = smallest;
    }
  }

  // --- Panels ---

  /// What the innermost loop reads in each turn, and a reduction from far apart, is packed.
  void pack() {
    if (innermost_.axis < 0 || left_[innermost_.axis] < kEnoughTurns || shape_.is_in_place) return;
    for (const MemoryWork& load : shape_.memory) {
      if (is_worth_packing(load)) apply(OptOp::kPack, innermost_.position, param_of(load));
    }
  }

  bool is_worth_packing(const MemoryWork& load) const {
    if (!load.in_reduce || load.access.is_gated) return false;
    if ((load.axes & axis_bit(innermost_.axis)) != 0) return false;
    bool is_scattered = false, is_contiguous = false;
    int64_t bytes = load.access.element_bytes;
    for (int axis = 0; axis < axis_count(); axis++) {
      if ((load.axes & axis_bit(axis)) == 0) continue;
      const Axis& a = shape_.axes[axis];
      const int64_t stride = load.access.strides[axis];
      if (!a.is_fixed || stride == kIrregular) return false;
      is_contiguous |= stride == 1 && vectors_.lanes(axis) > 1;
      is_scattered |= !a.is_output && std::abs(stride) * load.access.element_bytes >= kFarApart;
      bytes *= a.is_output ? vectors_.lanes(axis) * copies_of(axis) : a.size;
    }
    return is_scattered && is_contiguous && bytes >= target_.l1_bytes / 2 &&
           bytes <= std::min(target_.l2_bytes / 2, kLargestPanel);
  }

  int64_t param_of(const MemoryWork& load) const {
    return g_.arg(g_.src(g_.src(load.access.id, 0), 0));
  }

  /// Elements that a tile reads, for each step of the reduction, of what moves along `axis`.
  int64_t panel(int axis) const {
    int64_t elements = 0;
    for (const MemoryWork& load : shape_.memory) {
      if (!load.in_reduce || (load.axes & axis_bit(axis)) == 0) continue;
      int64_t copies = vectors_.among(load.axes).lanes;
      for (TileSide side : tile_) {
        copies *= (load.axes & axis_bit(side.axis)) != 0 ? side.copies : 1;
      }
      elements += copies;
    }
    return elements;
  }

  Graph& g_;
  const Target& target_;
  KernelShape shape_;
  OptimisedKernel result_;
  VectorAxes vectors_;
  std::vector<TileSide> tile_;
  std::vector<int64_t> left_;  // size of each axis that is still a loop
  struct {
    int axis = -1, position = -1;
  } innermost_;  // loop, and where it is among the kernel's ranges
};

}  // namespace

OptimisedKernel optimise(Graph& g, Id sink, const Target& target) {
  return Optimiser(g, sink, target).run();
}

}  // namespace loom
