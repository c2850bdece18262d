#!/bin/sh
# Runs once, when the database is created: a standby may copy it, and connections through PgBouncer have the settings that
# Limber otherwise sets itself.
set -e
echo 'host replication all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
for setting in "timezone = 'UTC'" "statement_timeout = '15s'" "lock_timeout = '5s'" "idle_in_transaction_session_timeout = '30s'" "jit = 'off'"; do
  psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -c "alter role $POSTGRES_USER in database $POSTGRES_DB set $setting"
done
