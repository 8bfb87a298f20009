# The service. It runs as a user of its own, writes nothing but /data and /tmp, and needs no network while it runs.
# docker-compose.yml runs it beside a Neo4j server; alone: docker run -e CAUSETRAIL_API_KEY=... -v trail:/data IMAGE

FROM python:3.11-slim-bookworm AS build
WORKDIR /source
# .dockerignore lets through what the program is built from, and nothing else.
COPY . .
ENV PATH=/opt/causetrail/bin:$PATH
RUN python -m venv /opt/causetrail \
    && pip install --no-cache-dir --constraint constraints.txt '.[llm]'

FROM python:3.11-slim-bookworm
# llama.cpp, which runs a GGUF file as the language model, is linked against libgomp. Debian keeps one version of it.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --no-install-recommends --yes libgomp1 \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin causetrail \
    && install --directory --owner causetrail --group causetrail /data
COPY --from=build /opt/causetrail /opt/causetrail
# A server on the container's own loopback is reached by nobody. Without CAUSETRAIL_API_KEY it refuses to listen here.
ENV PATH=/opt/causetrail/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    CAUSETRAIL_HOST=0.0.0.0 \
    CAUSETRAIL_PORT=8017
USER 10001:10001
WORKDIR /data
EXPOSE 8017
# Not /readyz, which tells of the store too: a database that is away is not mended by a new start of this container.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=6 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ['CAUSETRAIL_PORT'] + '/healthz', timeout=9)"]
ENTRYPOINT ["causetrail"]
CMD ["serve"]
