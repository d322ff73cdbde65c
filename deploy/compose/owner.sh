#!/bin/sh
# Run once, by the entry point of PostgreSQL, when the volume is new: makes the database, and its owner, who may make the
# logins of the service and nothing else of a superuser.
set -eu
url=$(cat /run/secrets/database_url)
password=${url#*://answer_evidence:}
password=${password%%@*}
psql --set ON_ERROR_STOP=1 --set password="$password" --username postgres --dbname postgres <<'SQL'
create role answer_evidence login createrole password :'password';
create database answer_evidence owner answer_evidence;
SQL
