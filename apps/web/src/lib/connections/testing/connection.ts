import type { Connection } from '@docket/api-types/connections'

/** An active connection without a mark and without trouble. */
export const testConnection = (change: Partial<Connection> = {}): Connection => ({
  connectionId: '00000000-0000-4000-8000-000000000001',
  name: 'Staging',
  kind: 'service',
  use: 'active',
  useReason: null,
  colour: null,
  production: false,
  deploymentKind: 'cloud',
  agentJobCreation: true,
  agentJobList: false,
  state: 'ok',
  message: null,
  since: null,
  keyWarning: null,
  mayOperate: true,
  ...change,
})
