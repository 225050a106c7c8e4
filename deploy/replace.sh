#!/bin/sh
# Builds the image anew and replaces the replicas of compose.yaml, one by one, without a failed request. If a new replica
# does not become healthy, this ends with an error, and the other one goes on alone.
set -eu
cd "$(dirname "$0")"

docker compose build gateway-1
for replica in gateway-1 gateway-2; do
  # From here on nginx sends it nothing new; what it has in hand is answered meanwhile.
  touch "out/$replica"
  sleep 2
  docker compose up --detach --no-deps --no-build --force-recreate --wait "$replica"
  rm "out/$replica"
done
