#!/bin/sh
# PgBouncer in transaction mode in front of one server of the database.
set -e
cat > /tmp/pgbouncer.ini <<END
[databases]
* = host=$SERVER port=5432
[pgbouncer]
listen_addr = ${LISTEN:-0.0.0.0}
listen_port = 6432
unix_socket_dir =
auth_type = scram-sha-256
auth_file = /tmp/users.txt
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
END
umask 077
echo "\"limber\" \"$DATABASE_PASSWORD\"" > /tmp/users.txt
exec pgbouncer -q /tmp/pgbouncer.ini
