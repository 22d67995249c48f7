#include "runtime/cpu/llvm_compiler.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <mutex>

#include "base/error.h"

namespace loom {
namespace {

/// What LLVM would end the process for, like an instruction that the target lacks. LLVM's frames
/// are left without cleaning up, so this may leak a little; no kernel that the renderer writes gets
/// here.
void throw_fatal_error(void*, const char* reason, bool) { fail<DeviceError>("LLVM: ", reason); }

/// Waking the back ends costs a tenth of a millisecond, and only the first compilation pays for it.
void wake_back_ends() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(throw_fatal_error);
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  });
}

/// Keeps errors that LLVM would print, as the exception's text.
void collect_errors(const llvm::DiagnosticInfo* info, void* errors) {
  if (info->getSeverity() != llvm::DS_Error) return;
  llvm::raw_string_ostream stream(*static_cast<std::string*>(errors));
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
}

std::unique_ptr<llvm::Module> parse(std::string_view text, llvm::LLVMContext& context) {
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString({text.data(), text.size()}, error, context);
  if (!module) {
    fail<DeviceError>("LLVM: line ", error.getLineNo(), ": ", error.getMessage().str(), ": ",
                      error.getLineContents().str());
  }
  return module;
}

std::unique_ptr<llvm::TargetMachine> make_machine(const std::string& triple) {
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) fail<DeviceError>("LLVM: ", error);
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, "", "", llvm::TargetOptions(), llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

/// Kernels come with their loops in order and their vectors formed. What is left for LLVM's own
/// passes: accumulators on the stack become registers, equal address computations are shared, and
/// empty blocks vanish. SROA keeps the control flow, for otherwise it makes branches of gated
/// loads. InstCombine is left out on purpose: it widens the offsets of gathers, which then take
/// twice the instructions.
void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager call_graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(call_graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, call_graphs, modules);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, functions);
}

std::vector<uint8_t> emit(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    fail<DeviceError>("LLVM: no object files for ", module.getTargetTriple());
  passes.run(module);
  return {object.begin(), object.end()};
}

}  // namespace

std::vector<uint8_t> compile_llvm(std::string_view text) {
  wake_back_ends();
  llvm::LLVMContext context;
  std::string errors;
  context.setDiagnosticHandlerCallBack(collect_errors, &errors);
  const auto module = parse(text, context);
  const auto machine = make_machine(module->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  optimise(*module, *machine);
  std::vector<uint8_t> object = emit(*module, *machine);
  if (!errors.empty()) fail<DeviceError>("LLVM: ", errors);
  return object;
}

std::string_view llvm_compiler_version() { return "llvm " LLVM_VERSION_STRING ", pipeline 1"; }

}  // namespace loom
