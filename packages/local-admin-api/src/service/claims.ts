import { randomUUID } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '@docket/artifact-store/local-disk/write-durably'
import { sql } from 'drizzle-orm'
import type { Log } from '#log.ts'
import type { Processes } from '#processes/processes.ts'
import type { Database } from '#database/database.ts'
import { service } from './service.table.ts'

/** The repositories of the embedded code host in one data folder. Only a process with that folder can work on its projects. */
export type OwnCodeHost = { marker: string; projectIds: readonly string[] }

/** Another process of the service has an embedded code host with other repositories. The message names the operator's next step. */
export class CodeHostNotShared extends Error {
  override readonly name = 'CodeHostNotShared'
}

/**
 * Claims the embedded code host of the service for the repositories in `folder`. Another live process may have claimed it for others: then
 * throws `CodeHostNotShared` when somebody chose `projectIds`, and else resolves to null, so that this process goes without them.
 */
export const claimOwnCodeHost = async (deps: {
  folder: string
  projectIds: readonly string[]
  isChosen: boolean
  claim: Processes['claimCodeHost']
  log: Log
}): Promise<OwnCodeHost | null> => {
  const { folder, projectIds, isChosen, claim, log } = deps
  const marker = await openMarker(folder)
  const other = await claim(marker)
  if (other === null) return { marker, projectIds }
  const names = projectIds.join(', ')
  if (isChosen)
    throw new CodeHostNotShared(
      `Use git repositories of a code host (GitHub, GitLab or Gitea) in LOCAL_PROJECTS, the same on all machines: the repositories of ${names} would be in the data folder of this machine, and the Docket on ${other.host} uses this database and has its own.`,
    )
  log.warn(
    { projectIds, host: other.host },
    'this Docket goes without its default project, because another one on this database has an embedded code host; with several machines, use git repositories in LOCAL_PROJECTS',
  )
  return null
}

/** Id of the repositories in a folder, made on first use. One process at a time uses the folder. */
const openMarker = async (folder: string): Promise<string> => {
  const file = join(folder, 'id')
  const known = (await readFile(file, 'utf8').catch(emptyIfMissing)).trim()
  if (/^[\da-f-]{36}$/.test(known)) return known
  const marker = randomUUID()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeDurably(file, `${marker}\n`, 0o600)
  return marker
}

const emptyIfMissing = (error: unknown): string => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
  throw error
}

/** Another process of the service uses a different storage. The message names the operator's next step. */
class StoreNotShared extends Error {
  override readonly name = 'StoreNotShared'
}

/** Throws `StoreNotShared` when running processes use another storage. `store` is null when it does not respond. */
export const claimStore = async (deps: {
  db: Database
  store: string | null
  listOthers: () => Promise<readonly { host: string; store: string | null }[]>
  log: Log
}): Promise<void> => {
  const { db, store, listOthers, log } = deps
  if (store === null) return
  const other = (await listOthers()).find((process) => process.store !== null && process.store !== store)
  if (other !== undefined)
    throw new StoreNotShared(
      `Set ARTIFACT_S3_BUCKET, or one ARTIFACT_STORE_DIR that all machines share: the Docket on ${other.host} uses this database and keeps the bundles of the embedded service elsewhere.`,
    )
  const [known] = await db.select({ store: service.store }).from(service)
  if (known?.store === store) return
  await db
    .insert(service)
    .values({ id: 1, store })
    .onConflictDoUpdate({ target: service.id, set: { store: sql`excluded.store` } })
  if (known !== undefined && known.store !== null)
    log.warn(
      {},
      'the embedded service has another store of bundles than before; bundles that are only in the old one are missing',
    )
}
