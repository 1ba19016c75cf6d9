import { startDatabaseServer } from '#bench/harness/database.ts'
import { docketClient } from '#proofs/harness/client.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const attempts = 50

/** Either alone is enough for one link. */
const faults: Fault[] = [
  {
    file: 'accounts/setup.ts',
    instead: 'keepPassword } = settings\n    await holdFirstAccount(tx)\n',
    write: 'keepPassword } = settings\n',
  },
  { file: 'accounts/one-time-links.ts', instead: "    .for('update')\n", write: '' },
]

/** Several people open the printed link at once, on two Dockets that share a database. */
export const proof: Proof = {
  name: 'setup-race',
  bar: `of ${attempts} attempts at once with one setup link on two replicas exactly one makes an admin`,
  faults,
  run: async ({ planted }) => {
    const server = await startDatabaseServer(temporaryFolder())
    const env = { DATABASE_URL: await server.database(), TRUSTED_PROXIES: '127.0.0.0/8', LOG_LEVEL: 'error' }
    const nobody = ''
    const dockets = await Promise.all([0, 1].map(() => startDocket(env, planted ? faults : [], nobody)))
    const token = /\/setup#(\S+)/.exec(dockets[0]!.wrote())?.[1]
    if (token === undefined) throw new Error('The first Docket printed no link.')
    const clients = dockets.map(({ client }) => docketClient(client.url))
    const answers = await Promise.all(
      Array.from({ length: attempts }, (_, at) =>
        clients[at % clients.length]!.post(
          '/api/setup',
          { token, email: `admin${at}@example.com` },
          { 'x-forwarded-for': `203.0.113.${at + 1}` },
        ),
      ),
    )
    const admins = answers.filter(({ status }) => status === 204)
    const others = answers.filter(({ status }) => [409, 403, 503].includes(status))
    const cookie = admins[0]?.headers.getSetCookie()[0]?.split(';', 1)[0]
    const response = await docketClient(clients[0]!.url, cookie).get('/api/users')
    const { users } = (await response.json()) as { users?: { role: string }[] }
    return {
      ok: admins.length === 1 && others.length === attempts - 1 && users?.length === 1 && users[0]?.role === 'admin',
      figure: `${admins.length} of ${attempts} attempts made an admin, ${others.length} were refused; ${users?.length ?? 'unknown'} accounts exist`,
    }
  },
}
