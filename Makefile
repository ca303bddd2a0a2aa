# The front door. `make demo` and `make test` do all set-up themselves.
SWIFT ?= swift
BUILD_FLAGS ?=
# Clients have the build plugin; nothing here needs its tool.
export ODATA_NO_PLUGIN := 1
ROUNDS ?= 1000
SEED ?= 1
SEEDS ?= 100
SCHEDULES ?= 20000
# With Swift's library in the program a schedule takes a tenth less.
SIMULATE_FLAGS = --scratch-path .build-simulate -Xswiftc -assert-config -Xswiftc Debug \
	$(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
QUERIES ?= 1000000
MUTANTS ?= 400
FUZZ_SECONDS ?= 15
CAMPAIGN_ROUNDS ?= 4
JUDGE_SEEDS ?= 1 2 3 4 5
DRAWN ?= 20
REF ?= HEAD
PROFILES ?= ../shared/profiles

.PHONY: simulate compat compat-record newcomer demo test lint layers style bench bench-compare costs soak campaign judge fuzz mutate docs build build-tests build-times format setup help

help: ## Lists the targets.
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/'

setup:
	@Scripts/setup base

build: setup ## Builds the command and the library.
	$(SWIFT) build $(BUILD_FLAGS)

demo: setup ## Runs the whole story on one screen, on an embedded service.
	$(SWIFT) run $(BUILD_FLAGS) odata demo

build-tests: setup
	@Scripts/setup test
	$(SWIFT) build --build-tests $(BUILD_FLAGS)

newcomer: build ## Does what the README says of an empty package, from nothing: counts lines, minutes and packages.
	Scripts/newcomer --plugin

test: build-tests ## Builds and runs every test.
	Scripts/run-tests

# What takes a moment comes before the build, which `make lint test` then does once.
lint: setup layers style build-tests ## Checks format, layers, lengths, comments, feature ids, hot places, what the documents show, queries, the trait, generated code, the archive of documentation, and what is public.
	Scripts/check-docs
	Scripts/check-queries
	Scripts/check-trait
	Scripts/check-generated
	Scripts/docs
	Scripts/compat

style:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Plugins Tests Examples Benchmarks Fuzz Mutation
	Scripts/lint lengths documentation features hot

layers: setup ## Checks that imports point down only.
	Scripts/lint layers

compat: build-tests ## Compiles the names that apps use, and compares what is public with docs/api: what has gone fails.
	Scripts/compat

compat-record: build-tests ## Writes what is public into docs/api.
	Scripts/compat --record

build-times: setup ## Builds anew and prints the ten slowest files to compile.
	Scripts/build-times

format: ## Formats everything in place.
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Plugins Tests Examples Benchmarks Fuzz Mutation

bench: setup ## Runs the benchmarks against floors built in the same run; writes bench.json.
	@Scripts/setup bench
	Benchmarks/run

bench-compare: setup ## Pairs REF with the files as they are, round by round, and prints what moved beyond the noise.
	@Scripts/setup bench
	Benchmarks/compare $(REF)

costs: setup ## Measures how each cost grows with rows, sets and the queue; writes docs/costs.md.
	@Scripts/setup bench
	Benchmarks/curves

soak: build-tests ## Runs what is too long for each change: ROUNDS kills, SEEDS simulations and QUERIES random queries from SEED on.
	ODATA_SOAK=1 ODATA_ROUNDS=$(ROUNDS) ODATA_SEED=$(SEED) ODATA_SEEDS=$(SEEDS) \
		$(SWIFT) test --skip-build $(BUILD_FLAGS) --filter "Kill|Fault|Simulation|FailingDisk|PowerLoss|Damage"
	ODATA_ORACLE=$(QUERIES) ODATA_POSTGRESQL=20000 ODATA_SEED=$(SEED) \
		$(SWIFT) test --skip-build $(BUILD_FLAGS) --filter OracleTests
	ODATA_DELTAS=$(ROUNDS) ODATA_SEED=$(SEED) $(SWIFT) test --skip-build $(BUILD_FLAGS) --filter DeltaTruthTests
	$(MAKE) --no-print-directory simulate campaign judge

simulate: ## Runs SCHEDULES of the field simulation from SEED on, in a release build with assertions, on each core a part.
	@Scripts/setup simulate
	$(SWIFT) build -c release $(SIMULATE_FLAGS) --product Simulate
	Scripts/simulate .build-simulate/release/Simulate $(SEED) $(SCHEDULES)

campaign: build ## Kills clients and services and forges what passes between them: CAMPAIGN_ROUNDS for each service, from SEED on.
	cp "$$($(SWIFT) build $(BUILD_FLAGS) --show-bin-path)/odata" .build/odata-campaign
	Scripts/campaign --odata .build/odata-campaign --profiles $(PROFILES) --rounds $(CAMPAIGN_ROUNDS) --seed $(SEED)

judge: build ## The judge of the shared profiles, whole, for each of JUDGE_SEEDS, and of DRAWN ones; nothing where PROFILES are not there.
	cp "$$($(SWIFT) build $(BUILD_FLAGS) --show-bin-path)/odata" .build/odata-judged
	@if [ -x $(PROFILES)/judge ]; then for seed in $(JUDGE_SEEDS); do \
		$(PROFILES)/judge --odata .build/odata-judged --seed $$seed || exit 1; \
		$(PROFILES)/judge --odata .build/odata-judged --seed $$seed --quick $$(Scripts/draw-profiles $$seed $(DRAWN) \
			.build/drawn | sed 's/^/--profile /') || exit 1; done; \
	else echo "judge: skipped, $(PROFILES) is not there"; fi

fuzz: setup ## Runs each fuzz target for FUZZ_SECONDS from the seeds in Fuzz/Corpus, two at a time.
	FUZZ_SECONDS=$(FUZZ_SECONDS) Fuzz/run

mutate: setup ## Changes MUTANTS places of the product, drawn with SEED, one at a time in a copy, and says which of them no test notices.
	@Scripts/setup test
	Mutation/run --mutants $(MUTANTS) --seed $(SEED)

docs: build ## Builds one documentation archive of the public modules: .build/docs.
	Scripts/docs
