/**
 * Settings for one small application on the same machine. Durability is untouched: `fsync`, `full_page_writes` and `synchronous_commit`
 * keep their default, on.
 */
export const smallServer: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '40',
  shared_buffers: '24MB',
  work_mem: '4MB',
  maintenance_work_mem: '16MB',
  wal_buffers: '1MB',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  // One server without replicas needs the shortest log, and no replication processes.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  autovacuum_max_workers: '1',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  // Failed statements reach Docket as errors; here they would be noise, and their values would reach the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}
