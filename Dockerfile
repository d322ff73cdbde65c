# Every program of the service in one image: docker build --tag answer-evidence .
# The base images are pinned by version. Pin them by digest where you build: --build-arg NODE_IMAGE=node@sha256:...
ARG NODE_IMAGE=node:24.21.0-bookworm
ARG BASE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && npm run docs:site \
    && npm run image -- root /out

FROM ${BASE_IMAGE}
# The commit: --build-arg REVISION="$(git rev-parse HEAD)".
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Answer Evidence Service" \
      org.opencontainers.image.description="Append-only, multi-tenant ledger of answer evidence" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /out/ /
# initdb of the embedded PostgreSQL wants its user to have a name.
RUN echo 'answer-evidence:x:10001:10001::/var/lib/answer-evidence:/usr/sbin/nologin' >>/etc/passwd \
    && echo 'answer-evidence:x:10001:' >>/etc/group \
    && install -d -o 10001 -g 10001 -m 0700 /var/lib/answer-evidence
ENV NODE_ENV=production \
    HOME=/var/lib/answer-evidence \
    MALLOC_MMAP_THRESHOLD_=131072 \
    SERVICE_HTTP_HOST=0.0.0.0 \
    SERVICE_CONFIG=/var/lib/answer-evidence/config.yaml \
    SERVICE_CONSOLE_DIR=/opt/answer-evidence/console \
    SERVICE_DOCS_DIR=/opt/answer-evidence/docs \
    SERVICE_DATA_DIR=/var/lib/answer-evidence
USER 10001:10001
WORKDIR /var/lib/answer-evidence
EXPOSE 4317 8080 9464
HEALTHCHECK --interval=5s --timeout=15s --retries=6 --start-period=300s CMD ["answer-evidence-health"]
ENTRYPOINT ["answer-evidence-server"]
