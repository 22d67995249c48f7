# The few commands one needs. Each builds first what it needs; what a bare Debian 12 lacks is installed with apt.
.PHONY: build test demo bench format tidy debug asan tsan clang setup setup-dev

build: setup
	@test -f build/build.ninja || cmake --preset release
	@cmake --build --preset release

test: build
	@ctest --test-dir build -j2 --output-on-failure

demo: build
	build/loom warp examples/frame.png -o build/warped.png --repeat 5

bench: build
	build/loom bench

# The same tests under other compilers and checkers, each in its own build folder.
debug asan tsan: setup
	@test -f build-$@/build.ninja || cmake --preset $@
	@cmake --build --preset $@
	@ctest --test-dir build-$@ -j2 --output-on-failure

clang: setup-dev
	@test -f build-clang/build.ninja || cmake --preset clang
	@cmake --build --preset clang

tidy: clang
	@run-clang-tidy-19 -quiet -p build-clang '/(src|tools|bench|examples)/'

format: setup-dev
	@git ls-files '*.cpp' '*.h' | xargs clang-format-19 -i

setup:
	@scripts/setup.sh

setup-dev:
	@scripts/setup.sh dev
