#!/bin/sh
# Does what the entry point of the image of PostgreSQL does for compose.yaml: creates the database, and starts the server.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\n' "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username=postgres --pwfile=/tmp/password --encoding=UTF8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --wait --options="-c listen_addresses=''" start
  for file in /docker-entrypoint-initdb.d/*.sql; do
    psql --username=postgres --no-psqlrc --set=ON_ERROR_STOP=1 --file="$file"
  done
  pg_ctl --wait --mode=fast stop
fi
exec postgres -c listen_addresses='*'
