import { callbackify } from 'node:util'
import { Client } from 'pg'
import type { PostgresConfig, PostgresHost } from '#ground/db/address.ts'

const acceptsQuery = {
  'read-write': `select current_setting('transaction_read_only') = 'off' as fit`,
  primary: 'select not pg_is_in_recovery() as fit',
}

const judgeHost = async (config: PostgresConfig): Promise<void> => {
  const client = new Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    if (config.accepts === 'any' || config.accepts === undefined) return
    const { rows } = await client.query<{ fit: boolean }>(acceptsQuery[config.accepts])
    if (!rows[0]!.fit) throw new Error('The server accepts no writes')
  } finally {
    await client.end().catch(() => {})
  }
}

/** The host of the last connection. A silent host before it would cost each new one its share of the time. */
const lastHosts = new WeakMap<readonly PostgresHost[], PostgresHost>()

/** Goes to the last host, or the first other one that takes it. A connection of pg can't change its host, so another one tries each first. */
export class PostgresClient extends Client {
  readonly #config: PostgresConfig

  constructor(config: PostgresConfig = {}) {
    super(config)
    // The running statement reports the end of the connection too. Without a listener, it would end the process.
    this.on('error', () => {})
    this.#config = config
  }

  async #chooseHost(hosts: readonly PostgresHost[]): Promise<void> {
    const ms = Math.ceil((this.#config.connectionTimeoutMillis || 5_000) / hosts.length)
    const errors: Error[] = []
    const last = lastHosts.get(hosts)
    const inOrder = last === undefined ? hosts : [last, ...hosts.filter((host) => host !== last)]
    for (const host of inOrder) {
      try {
        // A pool hides the password from spreading.
        const { password } = this.#config
        await judgeHost({ ...this.#config, password, ...host, connectionTimeoutMillis: ms, query_timeout: ms })
        lastHosts.set(hosts, host)
        if (this.connection.stream.destroyed) throw new Error('timeout expired')
        return void Object.assign(this, host)
      } catch (error) {
        errors.push(error as Error)
      }
    }
    if (errors.length === 1) throw errors[0]
    const reasons = inOrder.map(({ host, port }, index) => `${host}:${port}: ${errors[index]!.message}`)
    throw new AggregateError(errors, reasons.join('; '))
  }

  override connect(): Promise<Client>
  override connect(callback: (error: Error | null) => void): void
  override connect(callback?: (error: Error | null) => void): Promise<Client> | void {
    const { hosts = [], accepts = 'any' } = this.#config
    if (hosts.length < 2 && accepts === 'any')
      return callback === undefined ? super.connect() : super.connect(callback as (error: Error) => void)
    const connectToHost = () => this.#chooseHost(hosts).then(() => super.connect())
    return callback === undefined ? connectToHost() : callbackify(connectToHost)((error) => callback(error))
  }
}
