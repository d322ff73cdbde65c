export { openTestPostgres, type TestPostgres } from './postgres-server.ts';
