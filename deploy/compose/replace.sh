#!/bin/sh
# Replaces the instances of each process by instances of the image and the settings that are there now, one process
# after the other, and no request is refused: the new ones are started beside the old ones, and when they are healthy,
# the old ones finish what they have and stop. As many run afterwards as before. Run it beside docker-compose.yml.
set -eu
PROCESSES=${*:-trust-worker evidence-store reconciliation-worker otlp-ingester ingest-api}

for process in $PROCESSES; do
  old=$(docker compose ps --quiet "$process")
  count=$(echo "$old" | grep -c . || true)
  [ "$count" -gt 0 ] || count=1
  echo "$process: starting $count beside $(echo "$old" | grep -c . || true)"
  docker compose up --detach --no-build --no-deps --no-recreate --wait --wait-timeout 600 \
    --scale "$process=$((count + $(echo "$old" | grep -c . || true)))" "$process"
  # The proxy looks the names up every two seconds.
  sleep 3
  for container in $old; do
    docker stop --time 60 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
done
