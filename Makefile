# Settings, as variables of make or of the environment: PG_CONFIG (a Postgres of your
# own, 15 to 18, with pgvector), MUNINN_PG_DATA, MUNINN_PORT; see docker/README.md.

.DEFAULT_GOAL := help
.PHONY: help demo chat test lint install schema bench bench-small eval start stop status psql url clean clean-all

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

demo: ## the main job: fetch, build, start a Postgres of its own, remember and recall
	@docker/demo.sh

chat: ## the demo's bots in a browser: builds and starts the gateway, prints a link
	@docker/gateway.sh start

test: ## everything that is tested
	@docker/test.sh

lint: ## formatting, clippy, dependencies, scripts
	@docker/test.sh lint

install: ## build, and install into the Postgres of PG_CONFIG
	@docker/setup.sh && docker/build.sh && docker/install.sh

schema: ## write the install script anew, after the SQL has changed
	@docker/build.sh && docker/schema.sh

bench: ## measure recall and remember against plain SQL on the same rows, then analyser and embedder alone
	@docker/bench.sh $(ARGS)
	@cargo run --release -q -p muninn-core --example analyse_speed
	@cargo run --release -q -p muninn-embedder --example speed

bench-small: ## the same with 20,000 rows: fails if an index is not used or something is not found
	@docker/bench.sh --small $(ARGS)

eval: ## measure recall on the evaluation sets in MUNINN_EVAL_DATA
	@docker/eval.sh

start: ## start the project's own Postgres
	@docker/cluster.sh start

stop: ## stop it, and the gateway
	@docker/gateway.sh stop
	@docker/cluster.sh stop

status: ## is it running?
	@docker/cluster.sh status || true

psql: ## a prompt in its database muninn
	@docker/cluster.sh psql $(ARGS)

url: ## nothing but a connection string
	@docker/cluster.sh url

clean: ## remove the project's own Postgres with all that it remembers
	@docker/gateway.sh stop
	@docker/cluster.sh destroy

clean-all: ## remove also what was fetched and built
	@docker/clean.sh
