import { recordAudit } from '#ground/audit/audit.ts'
import { attachmentHeaders } from '#bundles/download/attachment.ts'
import { findFormat } from '#bundles/download/bundle-format.ts'
import { recordsNothing } from '#bundles/download/bundles.service.ts'
import { downloadRights } from '#bundles/download/download-rights.ts'
import type { Download, DownloadRequest } from '#bundles/download/send-download.ts'
import type { StoredBundle } from '#bundles/download/stored-bundles.ts'
import { openStoredFile, type StoredFile } from '#bundles/download/stored-file.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { maySeeChannel } from '#ground/identity/site-rights.ts'
import { findChannel } from './address-rows.ts'

/** Endings of files at bundle addresses. */
export type Ending = '.tar.gz' | '.zip'

// One answer for what is unknown and for what somebody may not see.
const refuse = (identity: Identity): AppError =>
  identity === null
    ? new AppError('not_signed_in', 'This bundle isn’t public. Send an API token as Authorization: Bearer, or sign in.')
    : new AppError('not_found', 'There is no such bundle, or you may not see it.')

/** PostgreSQL refuses some texts, and an address may have any. */
const areNames = (names: { label: string; channel: string }) =>
  [names.label, names.channel].every((name) => /^[a-z0-9-]{1,63}$/.test(name))

const toDigest = (sha256: string) => `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`

/**
 * Addresses of bundles: a channel's, which stays while the channel moves, and a bundle's own, which never shows other bytes. Everything that
 * somebody may not see rejects like what does not exist: `not_signed_in` for nobody, `not_found` for others.
 */
export const bundleAddresses = (deps: {
  db: Database
  findBundle: (sha256: string) => Promise<StoredBundle | null>
  now: () => number
}) => {
  const { db, findBundle, now } = deps
  const findRight = downloadRights(deps)

  const findShown = async (identity: Identity, names: { label: string; channel: string }) => {
    const found = areNames(names) ? await findChannel(db, names) : undefined
    if (found === undefined || (found.access !== 'public' && !maySeeChannel(identity, found, found.channelId)))
      throw refuse(identity)
    const { sha256, number } = found
    if (number === null)
      throw new AppError('not_found', `${found.channel} of ${found.label} shows nothing yet. Promote a bundle to it.`)
    const stored = sha256 === null ? null : await findBundle(sha256)
    if (stored === null)
      throw new AppError('not_found', `Docket can’t read the bundle of ${found.channel}. Promote another one to it.`)
    return { holder: found, number, stored }
  }

  /** Throws `not_found` for a bundle that the service did not give as `.tar.gz`. */
  const requireArchive = ({ ending }: StoredBundle, file: string) => {
    if (ending === '.tar.gz') return
    const format = ending === '' ? 'in a format of its own' : `as ${ending}`
    throw new AppError('not_found', `The service made this bundle ${format}. Ask for ${file}.zip instead.`)
  }

  const describe = async (stored: StoredBundle, name: string, ending: Ending): Promise<StoredFile> => {
    const { sha256, sizeBytes } = stored
    const headers = attachmentHeaders(name + ending, findFormat(ending).mediaType)
    if (ending === stored.ending)
      return {
        headers: { ...headers, 'Repr-Digest': toDigest(sha256) },
        etag: `"${sha256}"`,
        sizeBytes,
        what: null,
        read: stored.read,
      }
    const zipBytes = await stored.zip.readSize()
    return { headers, etag: `"${sha256}.zip"`, sizeBytes: zipBytes, what: 'as ZIP', read: stored.zip.read }
  }

  return {
    /** The immutable address of what a channel shows now, as a path of this Docket. */
    resolve: async (identity: Identity, names: { label: string; channel: string; ending: Ending }): Promise<string> => {
      const { holder, number, stored } = await findShown(identity, names)
      if (names.ending === '.tar.gz') requireArchive(stored, 'bundle')
      return `/bundles/sha256/${stored.sha256}/${holder.label}-${holder.channel}-${number}${names.ending}`
    },
    /** The checksum of what a channel shows now, for `sha256sum -c` beside the file. */
    checksum: async (identity: Identity, names: { label: string; channel: string }): Promise<string> => {
      const { stored } = await findShown(identity, names)
      return `${stored.sha256}  bundle${stored.ending}\n`
    },
    /** The bundle with this SHA-256, for whom a channel gives the right to it. */
    open: async (
      file: { sha256: string; name: string; ending: Ending },
      request: DownloadRequest,
      { identity, by }: { identity: Identity; by: Actor },
    ): Promise<Download> => {
      const right = /^[0-9a-f]{64}$/.test(file.sha256) ? await findRight(identity, file.sha256) : null
      const stored = right === null ? null : await findBundle(file.sha256)
      if (right === null || stored === null) throw refuse(identity)
      const { isPublic, through: own } = right
      if (file.ending === '.tar.gz') requireArchive(stored, file.name)
      const described = await describe(stored, file.name, file.ending)
      const caching = `${isPublic ? 'public' : 'private'}, max-age=31536000, immutable`
      const record = async (how: string) => {
        if (own === undefined || identity === null) return
        const target = { type: 'channel', id: own.channelId, name: `${own.label}/${own.channel}` }
        const details = { how, sha256: file.sha256 }
        await db.transaction((tx) =>
          recordAudit(tx, by, { action: 'bundle.downloaded', at: new Date(now()), target, details }),
        )
      }
      return openStoredFile({ ...described, headers: { ...described.headers, 'Cache-Control': caching } }, request, {
        record,
        delivered: recordsNothing,
      })
    },
  }
}

/** Addresses of bundles. */
export type BundleAddresses = ReturnType<typeof bundleAddresses>
