# The API and the worker are the same image with different commands.

FROM rust:1.95-bookworm AS accel
WORKDIR /accel
COPY crates/accel ./
RUN cargo build --release --locked \
  && cp target/release/libaccel.so "accel.linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')-gnu.node"

FROM node:24-bookworm-slim AS manifests
WORKDIR /app
# Only what decides the dependencies, so that a change of code does not install them again.
COPY package.json package-lock.json .npmrc ./
COPY packages/engine/package.json packages/engine/
COPY packages/shared/package.json packages/shared/
COPY packages/memory/package.json packages/memory/
COPY packages/identity/package.json packages/identity/
COPY packages/sdk/package.json packages/sdk/
COPY packages/router/package.json packages/router/
COPY packages/mcp/package.json packages/mcp/
COPY apps/api/package.json apps/api/
COPY apps/worker/package.json apps/worker/
COPY apps/cli/package.json apps/cli/
COPY apps/console/package.json apps/console/
COPY crates/accel/package.json crates/accel/

FROM manifests AS console
RUN npm ci --workspace @memory/console --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY packages/sdk packages/sdk
COPY packages/shared packages/shared
COPY apps/console apps/console
RUN node apps/console/scripts/build.mjs

FROM manifests AS dependencies
# No dependency needs its install script here: native packages carry prebuilt binaries, and the one that would
# fetch Node.js is for machines with an older one. The last lines drop that package's empty shell and other
# systems' copies of the encoder's library.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm cache clean --force \
  && rm -rf node_modules/node node_modules/.bin/node \
    node_modules/onnxruntime-node/bin/napi-*/darwin node_modules/onnxruntime-node/bin/napi-*/win32

FROM node:24-bookworm-slim
# What npm run backup and npm run restore call: of the version of the database in docker-compose.yml, which Debian's own
# is too old for, from PostgreSQL's packages for Debian.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates postgresql-common \
  && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
  && apt-get install --yes --no-install-recommends postgresql-client-18 \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  MEMORY_DATA_DIR=/app/data \
  MEMORY_BACKUP_DIR=/app/data/backups \
  NPM_CONFIG_CACHE=/tmp/npm \
  NPM_CONFIG_UPDATE_NOTIFIER=false \
  ORT_DISABLE_TELEMETRY=1
WORKDIR /app
# Workspace packages are links from node_modules into this tree. They stay links: Node.js runs TypeScript only
# outside node_modules.
COPY --from=dependencies /app ./
COPY migrations ./migrations
COPY models ./models
COPY packages ./packages
COPY apps ./apps
COPY --from=console /app/apps/console/dist ./apps/console/dist
COPY crates/accel/index.js crates/accel/binding.cjs crates/accel/
# What every npm script begins with, so that an operator's commands are the same here.
COPY scripts/load-env.mjs scripts/
COPY --from=accel /accel/*.node ./crates/accel/
# Metrics say which commit runs.
ARG COMMIT=unknown
RUN echo "$COMMIT" > commit
# The code belongs to root and can't be changed by the service; only its data folder can.
RUN install --directory --owner=node --group=node --mode=700 data
USER node
VOLUME /app/data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/api/src/main.ts"]
