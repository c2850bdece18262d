#!/bin/sh
# Copies the primary at the first start and follows it. Commits then wait for this standby.
set -e
export PGPASSWORD="$POSTGRES_PASSWORD"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup -h "$PRIMARY" -U "$POSTGRES_USER" -D "$PGDATA" -R -X stream -c fast
  chmod 700 "$PGDATA"
fi
if [ -f "$PGDATA/standby.signal" ]; then
  psql -h "$PRIMARY" -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
    -c "alter system set synchronous_standby_names = '*'" -c 'select pg_reload_conf()'
fi
exec postgres
