import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openPool } from '#apps/bff/src/ground/db/pool.ts'
import { runSql, startDatabaseServer } from '#bench/harness/database.ts'
import { packSite, siteAdmin } from '#bench/harness/hosted-site.ts'
import { docketProgram, plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import { startDocket, temporaryFolder, type RunningDocket } from '#proofs/harness/docket.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'

const run = promisify(execFile)

/** What an operator keeps of a Docket, each in a place of its own. */
export type Installation = { databaseUrl: string; dataDir: string; store: string; secret: string }

export const toEnvironment = ({ databaseUrl, dataDir, store, secret }: Installation): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  ARTIFACT_STORE_DIR: store,
  AUTH_SECRET: secret,
})

/** Calls a command of Docket. Rejects with what it wrote. */
export const callDocket = async (env: Record<string, string>, faults: readonly Fault[], ...args: string[]) => {
  const program = [docketProgram, ...args]
  const { stdout } = await run(process.execPath, program, {
    env: { ...plainEnvironment(), ...env, ...plantedEnvironment(faults) },
    maxBuffer: 10_000_000,
  })
  return stdout
}

/** Runs the clean-up on what a Docket that has stopped left. */
export const sweep = (installation: Installation, faults: readonly Fault[]) =>
  run(process.execPath, [join(import.meta.dirname, 'sweep.ts')], {
    env: { ...plainEnvironment(), ...toEnvironment(installation), ...plantedEnvironment(faults) },
  })

/** Runs a statement on the database of an installation. */
export const query = async <T extends object>({ databaseUrl }: Pick<Installation, 'databaseUrl'>, text: string) => {
  const pool = openPool({ connectionString: databaseUrl, max: 1 }, { warn: () => {} })
  return pool
    .query<T>(text)
    .then(({ rows }) => rows)
    .finally(() => pool.end())
}

/** A PostgreSQL server whose databases can be copied. */
export const openDatabases = async () => {
  const server = await startDatabaseServer(temporaryFolder())
  const adminUrl = await server.database()
  let count = 0
  return {
    first: () => server.database(),
    /** A copy of a database that nobody uses, or an empty one. */
    create: async (templateUrl?: string): Promise<string> => {
      const name = `recovery_${(count += 1)}`
      const template = templateUrl === undefined ? 'template0' : new URL(templateUrl).pathname.slice(1)
      await runSql({ connectionString: adminUrl }, `create database ${name} template ${template}`)
      const url = new URL(adminUrl)
      url.pathname = `/${name}`
      return url.href
    },
  }
}

/** A copy of a folder. */
export const copyFolder = (folder: string): string => {
  const copy = join(temporaryFolder(), 'copy')
  cpSync(folder, copy, { recursive: true })
  return copy
}

export const emptyFolder = (): string => {
  const folder = join(temporaryFolder(), 'new')
  mkdirSync(folder)
  return folder
}

/** Status and body of a page of a hosted site. */
export const readPage = async ({ client }: RunningDocket, label: string): Promise<{ status: number; body: string }> => {
  const { port } = new URL(client.url)
  const headers = { host: `${label}.localhost:${port}`, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/', headers }, (response) => {
      buffer(response).then((body) => resolve({ status: response.statusCode!, body: body.toString() }), reject)
    })
      .on('error', reject)
      .end()
  })
}

/** Waits until a hosted site shows a page with these words. False if it doesn't within `limitMs`. */
export const waitForPage = async (docket: RunningDocket, label: string, words: string, limitMs = 120_000) => {
  const deadline = performance.now() + limitMs
  while (performance.now() < deadline) {
    const { status, body } = await readPage(docket, label)
    if (status === 200 && body.includes(words)) return true
    await delay(100)
  }
  return false
}

/** Label of the published site. */
export const siteLabel = 'docs-example-com'

const page = (words: string) => `<!doctype html><html lang="en"><title>${words}</title><main><h1>${words}</h1></main>`

/** Publishes a site to everybody. Returns what stores another bundle of it. */
export const publishSite = async ({ client }: RunningDocket) => {
  const admin = siteAdmin(client)
  const upload = async (words: string) =>
    admin.upload('docs.example.com', await packSite({ 'index.html': page(words) }))
  const { siteId, exportId } = await upload('published')
  await admin.publish(siteId, 'production', exportId)
  await admin.open(siteId, 'production', 'public')
  return { upload }
}

/** Builds a Docket with a published site, makes two backups, and stores another bundle after them. */
export const buildInstallation = async (databases: Awaited<ReturnType<typeof openDatabases>>, secret: string) => {
  const installation: Installation = {
    databaseUrl: await databases.first(),
    dataDir: join(temporaryFolder(), 'data'),
    store: join(temporaryFolder(), 'store'),
    secret,
  }
  const env = toEnvironment(installation)
  const docket = await startDocket(env)
  const { upload } = await publishSite(docket)
  const folder = temporaryFolder()
  const [plain, whole] = [join(folder, 'plain.tar'), join(folder, 'whole.tar')]
  await callDocket(env, [], 'backup', plain)
  await callDocket(env, [], 'backup', whole, '--artifacts')
  await upload('later')
  await docket.stop()
  return { installation, plain, whole }
}
