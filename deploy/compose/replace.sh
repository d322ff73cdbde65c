#!/bin/sh
# Replaces the instances of each process by instances of the image and the settings that are there now, one process
# after the other, and no request is refused: the new ones are started beside the old ones, and when they are healthy,
# the old ones finish what they have and stop. As many run afterwards as before. If new ones are not healthy within ten
# minutes, they are removed, and the old ones go on. Run it beside docker-compose.yml; processes may be named.
set -eu

health() { docker inspect --format '{{.State.Health.Status}}' "$1"; }

for process in ${*:-trust-worker evidence-store reconciliation-worker otlp-ingester ingest-api}; do
  old=$(docker compose ps --all --quiet "$process")
  count=$(echo "$old" | grep -c . || true)
  if [ "$count" = 0 ]; then
    echo "$process does not run: docker compose up --detach"
    exit 1
  fi
  echo "$process: starting $count beside $count"
  docker compose up --detach --no-build --no-deps --no-recreate --scale "$process=$((count * 2))" "$process"
  new=$(docker compose ps --all --quiet "$process" | grep -v --line-regexp --fixed-strings "$old")
  waited=0
  for container in $new; do
    until [ "$(health "$container")" = healthy ]; do
      if [ "$waited" -ge 600 ]; then
        docker logs --tail 20 "$container"
        docker rm --force $new >/dev/null
        echo "$process: the new instances are not healthy and were removed; the old ones go on"
        exit 1
      fi
      sleep 1
      waited=$((waited + 1))
    done
  done
  # The proxy looks the names up every two seconds.
  sleep 3
  for container in $old; do
    docker stop --time 60 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
done
