# The command line with all it needs to work without a network:
#   docker build --tag hybridrag .
#   docker run --rm --volume "$PWD/filings:/documents:ro" --volume hybridrag:/srv/index hybridrag index /documents
FROM python:3.11-slim-bookworm AS build

WORKDIR /source
COPY . .
RUN python -m venv /opt/hybridrag \
    && /opt/hybridrag/bin/pip install --no-cache-dir --constraint constraints.txt .

FROM python:3.11-slim-bookworm

RUN useradd --create-home --uid 10001 analyst \
    && install --directory --owner analyst --mode 0700 /srv/index
COPY --from=build /opt/hybridrag /opt/hybridrag
ENV PATH="/opt/hybridrag/bin:$PATH" \
    HYBRIDRAG_HOME=/srv/index \
    PYTHONDONTWRITEBYTECODE=1
USER 10001
WORKDIR /srv
ENTRYPOINT ["hybridrag"]
CMD ["--help"]
