import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { localhostCertificate } from '#packages/code-hosts/src/testing/certificate.ts'
import { startDatabaseServer } from '#bench/harness/database.ts'
import { freePort } from '#bench/harness/processes.ts'
import { faults as serviceFaults, faultyService } from './faulty-service.ts'
import { buildWebApp, cutConnections, readRows, textsIn } from './places.ts'
import { canary, finder } from './secrets.ts'
import { addCodeHost, goRound, prepare, testTarget, type Heard } from './tour.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const turns = 1_100
/**
 * On a fast machine the pauses after a rejected key take most of a round, so rounds repeat until each fault was played.
 */
const maxRounds = 10

const fault: Fault = {
  file: 'ground/log/redact.ts',
  instead: 'export const redactProse = (text: string, secrets: Iterable<string>): string => {',
  write:
    'export const redactProse = (text: string, secrets: Iterable<string>): string => {\n  if (secrets) return text',
}

/** No fault: prints what holds the configuration and the services of the real process, as deep as it goes. */
const lookingGlass: Fault = {
  file: 'src/process/start/start.ts',
  instead: '  services.background.start()\n',
  write: `  services.background.start()
  const { inspect } = process.getBuiltinModule('node:util')
  const clients = services.service.registry.all()
  const deep = { depth: 15, showHidden: true, maxArrayLength: 50 } as const
  const seen = new WeakSet<object>()
  const once = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && (seen.has(value) || !seen.add(value)) ? undefined : value
  process.stdout.write(['LOOK', inspect({ config, services, openClient, clients, app, server }, deep), inspect({ db, probes, log }, { depth: 15 }), JSON.stringify({ config, services, clients }, once), 'LOOKED\\n'].join('\\n'))
`,
}

/** Starts that cannot succeed, each with a secret where it does not belong. */
const failedStarts = async (env: Record<string, string>, key: string): Promise<string[]> => {
  const wrong: Record<string, string>[] = [
    { ADMIN_API_KEY: `${key} ${key}`, ADMIN_API_KEY_FILE: '' },
    { ADMIN_API_KEY: key, ADMIN_API_KEY_FILE: '', ADMIN_API_KEY_PREFIX: 'other' },
    { ADMIN_API_URL: `https://${key}@localhost/`, PORT: key },
    { DATABASE_URL: env['DATABASE_URL']!.replace(/\/bench_\d+\?/, '/no_such_database?') },
    { DATABASE_URL: env['DATABASE_URL']!.replace('postgresql:', 'mysql:') },
  ]
  const messages: string[] = []
  for (const variables of wrong)
    await startDocket({ ...env, ...variables }).then(
      () => Promise.reject(new Error('a wrong configuration was taken')),
      (error: unknown) => messages.push(String(error)),
    )
  return messages
}

/**
 * Secrets of a whole Docket, looked for in everything that comes out of it while the service and the database
 * misbehave.
 */
export const proof: Proof = {
  name: 'canaries',
  bar: 'no secret is in an answer, header, log line, metric, row, file, report or page, nor in what prints the configuration or the services',
  fault,
  alsoReplaced: [lookingGlass],
  run: async ({ planted }) => {
    const secrets = {
      key: canary('admin key', 'adm_'),
      readKey: canary('read key', 'adm_'),
      link: canary('link'),
      password: canary('database password'),
      instance: canary('instance secret'),
      store: canary('secret key of the store'),
      hostToken: canary('code host token'),
      fileToken: canary('code host token in a file'),
      connectionToken: canary('code host token of a connection'),
      app: canary('GitHub App key'),
      agent: canary('variable of the agent command'),
      target: canary('secret of a target'),
    }
    const find = finder(Object.values(secrets))
    const folder = temporaryFolder()
    const at = (name: string) => join(folder, name)
    writeFileSync(at('key'), secrets.key.text)
    writeFileSync(at('token'), secrets.fileToken.text)
    writeFileSync(at('app'), secrets.app.text)
    writeFileSync(at('agent'), `MODEL_KEY=${secrets.agent.text}`)
    writeFileSync(
      at('hosts'),
      JSON.stringify([
        { kind: 'gitea', url: 'https://localhost:1', tokenFile: at('token') },
        { kind: 'github', path: 'org', app: { id: '1', privateKeyFile: at('app') } },
      ]),
    )
    writeFileSync(at('authority.pem'), localhostCertificate.cert)
    for (const name of ['reports', 'data']) mkdirSync(at(name))
    const service = await faultyService(secrets.link.text)
    const databases = await startDatabaseServer(at('postgres'))
    const databaseUrl = await databases.database()
    const metricsPort = await freePort()
    const env = {
      ADMIN_API_URL: service.url,
      ADMIN_API_KEY_FILE: at('key'),
      ADMIN_API_READ_KEY: secrets.readKey.text,
      ADMIN_API_CALLS_PER_HOUR: '1000000',
      ADMIN_API_TIMEOUT_MS: '1000',
      BUNDLE_HOSTS: new URL(service.url).host,
      DATABASE_URL: databaseUrl.replace('@', `:${secrets.password.text}@`),
      DATA_DIR: at('data'),
      AUTH_SECRET: secrets.instance.text,
      METRICS_PORT: String(metricsPort),
      NODE_EXTRA_CA_CERTS: at('authority.pem'),
      ARTIFACT_S3_ENDPOINT: service.url,
      ARTIFACT_S3_BUCKET: 'bundles',
      ARTIFACT_S3_ACCESS_KEY_ID: 'docket',
      ARTIFACT_S3_SECRET_ACCESS_KEY: secrets.store.text,
      LOCAL_CODE_HOST: 'gitlab',
      LOCAL_CODE_HOST_URL: service.url,
      LOCAL_CODE_HOST_TOKEN: secrets.hostToken.text,
      LOCAL_CODE_HOSTS_FILE: at('hosts'),
      AGENT_COMMAND: 'agent',
      AGENT_COMMAND_ENV_FILE: at('agent'),
    }
    const found: string[] = []
    const look = (where: string, text: string) => found.push(...find(text).map((name) => `${name} in ${where}`))

    const docket = await startDocket(env, [lookingGlass, ...(planted ? [fault] : [])], undefined, [
      '--report-on-signal',
      '--report-signal=SIGUSR2',
      `--report-directory=${at('reports')}`,
    ])
    const exportIds = await prepare(docket.client)
    const codeHostCheck = await addCodeHost(docket.client, secrets.connectionToken.text)
    const checked = await (await docket.client.post(codeHostCheck)).text()
    look('the check of a code host', checked)
    look('the test of a target', await testTarget(docket.client, service.url, secrets.target.text))
    look('the connections', await (await docket.client.get('/api/connections')).text())
    const web = ['/', '/exports', ...((await (await docket.client.get('/')).text()).match(/\/assets\/[\w.-]+/g) ?? [])]
    service.playFaults(true)
    const between = async (turn: number) => {
      if (turn % 150 === 149) await cutConnections(databaseUrl)
      if (turn % 100 === 99) look('metrics', await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
    }
    const rarelyPlayed = () => Object.keys(serviceFaults).filter((name) => (service.played.get(name) ?? 0) < 3)
    const heard: Heard[] = []
    for (let round = 0; round < maxRounds && (round === 0 || rarelyPlayed().length > 0); round += 1)
      heard.push(...(await goRound(docket.client, { from: round * turns, turns, exportIds, web, between })))
    for (const { request, text } of heard) look(request, text)
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.kill(docket.pid, signal)
    for (let tries = 0; textsIn(at('reports')).length === 0 && tries < 200; tries += 1) await delay(50)
    await delay(500)
    const code = await docket.stop('SIGQUIT')

    const wrote = docket.wrote()
    look('what it printed of itself', /LOOK\n[^]*LOOKED\n/.exec(wrote)?.[0] ?? '')
    look('the log', wrote.replace(/LOOK\n[^]*LOOKED\n/, ''))
    for (const [table, text] of await readRows(databaseUrl)) look(`table ${table}`, text)
    for (const [path, text] of [...textsIn(at('data')), ...textsIn(at('reports'))]) look(path, text)
    for (const messages of await failedStarts(env, secrets.key.text)) look('a failed start', messages)
    await buildWebApp(at('web'), env)
    const pages = textsIn(at('web'))
    for (const [path, text] of pages) look(path, text)

    const unplayed = rarelyPlayed()
    const problems = [
      ...(unplayed.length > 0 ? [`too rarely played: ${unplayed.join(', ')}`] : []),
      ...(!wrote.includes('LOOKED\n') ? ['nothing was printed'] : []),
      ...(textsIn(at('reports')).length === 0 ? ['no report was written'] : []),
      ...(pages.length < 5 ? ['no web app was built'] : []),
      ...(code !== 0 ? [`SIGQUIT ended it with ${code}`] : []),
    ]
    const unexpected = heard.filter(({ status }) => status === 0 || status === 500).length
    const first = [...new Set(found)].slice(0, 6).join(', ')
    return {
      ok: found.length + problems.length + unexpected === 0,
      figure: `${found.length} times a secret was seen in ${heard.length} answers, ${wrote.split('\n').length} lines, ${service.calls()} calls with ${service.played.size} faults${first === '' ? '' : ` (${first})`}; ${unexpected} answers were a 500 or none${problems.length > 0 ? `; ${problems.join('; ')}` : ''}`,
    }
  },
}
