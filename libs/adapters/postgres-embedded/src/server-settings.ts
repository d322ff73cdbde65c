/** Settings of PostgreSQL by name, as in postgresql.conf. */
export type ServerSettings = Readonly<Record<string, string>>;

// For a machine of a few gigabytes that the service shares. fsync and synchronous_commit stay on, the defaults.
const defaults: ServerSettings = {
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '2GB',
  // A new WAL file is not filled with zeros: that held up every commit for tens of milliseconds per 16 MB.
  wal_init_zero: 'off',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  wal_level: 'replica',
  random_page_cost: '1.1',
  jit: 'off',
};

/** A setting of our own, by which a server is told from every other. */
export const START_ID = 'answer_evidence.start_id';

/** Settings of the command line, which win over the files of the directory; its place and name stay ours. */
export function planSettings(
  { serverName, port, startId }: { readonly serverName: string; readonly port: number; readonly startId: string },
  overrides: ServerSettings,
): readonly string[] {
  const settings = {
    ...defaults,
    ...overrides,
    listen_addresses: '127.0.0.1',
    port: String(port),
    // The path of a socket is limited to about 100 bytes, and that of a data directory is not.
    unix_socket_directories: '',
    cluster_name: serverName,
    [START_ID]: startId,
    update_process_title: 'on',
    logging_collector: 'off',
    log_destination: 'stderr',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
