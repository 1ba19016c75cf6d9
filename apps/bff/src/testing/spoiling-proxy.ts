import { connect, createServer, type AddressInfo } from 'node:net'

/** Splits the bytes sent by a PostgreSQL client into messages. The first one has no type byte. */
const messages = () => {
  let rest = Buffer.alloc(0)
  let started = false
  return (chunk: Buffer): Buffer[] => {
    rest = Buffer.concat([rest, chunk])
    const found: Buffer[] = []
    for (;;) {
      const at = started ? 1 : 0
      if (rest.length < at + 4 || rest.length < at + rest.readUInt32BE(at)) return found
      const end = at + rest.readUInt32BE(at)
      found.push(rest.subarray(0, end))
      rest = rest.subarray(end)
      started = true
    }
  }
}

/** Position of a statement's text in a message; null in a message without one. */
const statementIn = (message: Buffer): { at: number; text: string } | null => {
  const type = String.fromCharCode(message[0]!)
  if (type !== 'P' && type !== 'Q') return null
  const at = type === 'Q' ? 5 : message.indexOf(0, 5) + 1
  return { at, text: message.toString('utf8', at, message.indexOf(0, at)) }
}

/**
 * A proxy in front of a test database that breaks the statements `spoils` picks, so that the database itself refuses
 * them. `seen` are the statements that came by. `url` is what `DATABASE_URL` would be, with a password that the
 * database does not ask for.
 */
export const spoilingProxy = async (
  databaseUrl: string,
  { spoils, password }: { spoils: (statement: string) => boolean; password: string },
) => {
  const target = new URL(databaseUrl)
  const socket = `${target.searchParams.get('host')}/.s.PGSQL.${target.port}`
  const paths: string[] = []
  const server = createServer((client) => {
    const database = connect(socket)
    const cut = messages()
    client.on('data', (chunk: Buffer) => {
      for (const message of cut(chunk)) {
        const statement = statementIn(message)
        if (statement !== null) {
          paths.push(statement.text)
          if (spoils(statement.text)) message[statement.at] = 'x'.charCodeAt(0)
        }
        database.write(message)
      }
    })
    database.pipe(client)
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `postgresql://${target.username}:${password}@127.0.0.1:${port}${target.pathname}`,
    paths,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
