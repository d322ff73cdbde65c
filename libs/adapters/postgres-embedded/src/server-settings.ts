/** Settings of PostgreSQL by name, as in postgresql.conf. */
export type ServerSettings = Readonly<Record<string, string>>;

// For a machine of a few gigabytes that the service shares. Durability keeps PostgreSQL's defaults: fsync and
// synchronous_commit are on.
const defaults: ServerSettings = {
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '2GB',
  // A new WAL file is not filled with zeros first: that held up every commit for tens of milliseconds each 16 MB of
  // log.
  wal_init_zero: 'off',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  wal_level: 'replica',
  random_page_cost: '1.1',
  jit: 'off',
};

/**
 * The command line's settings, which win over the files of the data directory: a server behaves the same whichever
 * version made its directory. What gives it its place and name cannot be overridden.
 */
export function planSettings(serverName: string, port: number, overrides: ServerSettings): readonly string[] {
  const settings = {
    ...defaults,
    ...overrides,
    listen_addresses: '127.0.0.1',
    port: String(port),
    // The path of a socket is limited to about 100 bytes, and that of a data directory is not.
    unix_socket_directories: '',
    cluster_name: serverName,
    update_process_title: 'on',
    logging_collector: 'off',
    log_destination: 'stderr',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
