# The main commands. CMake and Ninja build everything below build/.

SHELL := /bin/bash
DEPS := tools/install-dependencies
BUILD ?= build
PREFIX ?= /usr/local
PAGE := cmake -DSOURCE=$(CURDIR) -DPLACE=$(CURDIR)/build-web -P studio/build/web.cmake
SOURCES = $(shell packaging/files '*.c' '*.h')

.PHONY: all page vscode run test fresh fresh-full bench asan coverage fuzz campaign format
.PHONY: install deb dist clean

# Without npm or its registry, everything except the studio's page is built; one line reports this.
all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) kairos-cli kairos-pages
	@cat $(BUILD)/studio-page-missing 2> /dev/null || true

$(BUILD)/build.ninja: CMakeLists.txt
	@$(DEPS) build
	@[ -e studio/page/index.html ] || $(DEPS) page || true
	@mkdir -p $(BUILD)
	@cmake -S . -B $(BUILD) -G Ninja > $(BUILD)/cmake.log || (cat $(BUILD)/cmake.log; exit 1)

# The studio's page, or the reason why it cannot be built.
page: build/build.ninja
	@$(DEPS) page
	@$(PAGE)
	@rm -f build/studio_pages.c build/studio-page-missing
	@ninja -C build kairos-cli

# The extension of VS Code as build/kairos.vsix.
VSCODE := build-web/editors/vscode
vscode:
	@$(DEPS) page
	@mkdir -p build $(VSCODE)
	@cp -r editors/vscode/. $(VSCODE)
	@cd $(VSCODE) && npm ci --no-audit --no-fund --silent && node build.mjs
	@python3 editors/vscode/package-vsix $(VSCODE) build/kairos.vsix
	@echo "build/kairos.vsix: install it with 'code --install-extension build/kairos.vsix'"

# A first model: impacts, from text to result and plot.
run: all
	@mkdir -p build/run
	@build/kairos simulate examples/BouncingBall.mo \
		--output build/run/BouncingBall.csv --plot build/run/BouncingBall.svg
	@echo "result: build/run/BouncingBall.csv"
	@echo "plot:   build/run/BouncingBall.svg"

test:
	@$(DEPS) build page test
	@tests/run

# A new Debian 12 in its own folder: make run there, the packages, a try of each. Needs root.
fresh:
	@$(DEPS) fresh
	@tools/fresh

# The same, and all of make test inside.
fresh-full:
	@$(DEPS) fresh
	@tools/fresh --full

bench: all
	@ninja -C build hand instances fits kairos_shared fmi_importer
	@bench/run

asan:
	@$(DEPS) build page test
	@tests/run --only sanitize

# Which branches of each phase the tests take: a table, and build-coverage/uncovered.txt.
coverage:
	@$(DEPS) build page test
	@rm -f $$(find build-coverage -name '*.gcda' 2> /dev/null)
	@tests/run --only coverage; tools/coverage build-coverage

# Random models, faults, signals, load and fuzzers for MINUTES (10 by default); goes on each time.
campaign:
	@$(DEPS) build page test
	@tests/run --only build > /dev/null
	@cmake -S . -B build-fuzz -G Ninja -DKAIROS_CHECK=ON -DKAIROS_SANITIZE=ON -DKAIROS_FUZZ=ON \
		-DCMAKE_C_COMPILER=clang > /dev/null
	@ninja -C build-fuzz $(notdir $(basename $(wildcard tests/fuzz/*.c)))
	@tests/campaign/run --minutes $(or $(MINUTES),10)

# Each fuzzer for SECONDS seconds (600 by default).
fuzz:
	@$(DEPS) build page test
	@tests/run --only fuzz --fuzz-seconds $(or $(SECONDS_EACH),600)

format:
	@clang-format -i $(SOURCES)

# The program and the library below PREFIX; for packages, DESTDIR comes before it.
install: $(BUILD)/build.ninja
	@tools/install $(BUILD) "$(PREFIX)" "$(DESTDIR)"
	@cat $(BUILD)/studio-page-missing 2> /dev/null || true

# Debian packages: build-deb/*.deb
deb:
	@$(DEPS) build package
	@[ -e studio/page/index.html ] || $(DEPS) page
	@packaging/deb build-deb

# The source archive, with the studio's page in it: build-dist/kairos-VERSION.tar.gz
dist:
	@[ -e studio/page/index.html ] || { $(DEPS) page && $(PAGE); }
	@packaging/dist build-dist

clean:
	@rm -rf build build-*
