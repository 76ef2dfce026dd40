# The front door. Everything is built by CMake and Ninja below build/.

SHELL := /bin/bash
DEPS := tools/install-dependencies
SOURCES = $(shell git ls-files --cached --others --exclude-standard '*.c' '*.h')

.PHONY: all run test bench asan fuzz format check-format install clean

all: build/build.ninja
	@ninja -C build kairos-cli

build/build.ninja: CMakeLists.txt
	@$(DEPS) build
	@cmake -S . -B build -G Ninja > build.log || (cat build.log; exit 1)
	@mv build.log build/cmake.log

# What Kairos is about: a model with impacts, from text to result and plot.
run: all
	@mkdir -p build/run
	@build/kairos simulate examples/BouncingBall.mo --output build/run/BouncingBall.csv --plot build/run/BouncingBall.svg
	@echo "result: build/run/BouncingBall.csv"
	@echo "plot:   build/run/BouncingBall.svg"

test:
	@$(DEPS) build test
	@tests/run

bench: all
	@ninja -C build hand
	@bench/run

asan:
	@$(DEPS) build test
	@tests/run --only sanitize

# Each fuzzer for SECONDS seconds (600 unless told).
fuzz:
	@$(DEPS) build test
	@tests/run --only fuzz --fuzz-seconds $(or $(SECONDS_EACH),600)

format:
	@clang-format -i $(SOURCES)

install: all
	@cmake --install build --prefix $(or $(PREFIX),/usr/local)

clean:
	@rm -rf build build-*
