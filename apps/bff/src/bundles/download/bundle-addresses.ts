import { findBundle } from '#bundles/artifacts/find-artifact.ts'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Download, DownloadRequest } from './send-download.ts'
import { recordNothing } from './bundles.service.ts'
import { findChannel, findDownloadRight } from './download-rights.ts'
import { describeBundle, type StoredBundle } from './stored-bundles.ts'
import { openStoredFile } from './stored-file.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor, Identity } from '#ground/identity/identity.ts'
import { maySeeChannel } from '#ground/identity/site-rights.ts'

export type Ending = '.tar.gz' | '.zip'

// Unknown and forbidden addresses get the same response: `not_signed_in` without a sign-in, `not_found` with one.
const refuseAddress = (identity: Identity): AppError =>
  identity === null
    ? new AppError('not_signed_in', 'This bundle isn’t public. Send an API token as Authorization: Bearer, or sign in.')
    : new AppError('not_found', 'There is no such bundle, or you may not see it.')

type ChannelNames = { label: string; channel: string }

/** PostgreSQL refuses some texts, and an address may contain them. */
const areValidNames = (names: ChannelNames) =>
  [names.label, names.channel].every((name) => /^[a-z0-9-]{1,63}$/.test(name))

const toDigest = (sha256: string) => `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`

const findShown = async (ctx: BundlesCtx, identity: Identity, names: ChannelNames) => {
  const found = areValidNames(names) ? await findChannel(ctx.db, names) : undefined
  if (found === undefined || (found.access !== 'public' && !maySeeChannel(identity, found, found.channelId)))
    throw refuseAddress(identity)
  const { sha256, number } = found
  if (number === null)
    throw new AppError('not_found', `${found.channel} of ${found.label} shows nothing yet. Publish a bundle to it.`)
  const stored = sha256 === null ? null : await findBundle(ctx, sha256)
  if (stored === null)
    throw new AppError('not_found', `Docket can’t read the bundle of ${found.channel}. Publish another one to it.`)
  return { holder: found, number, stored }
}

/** Throws `not_found` for a bundle that the service did not give as `.tar.gz`. */
const requireArchive = ({ ending }: StoredBundle, file: string) => {
  if (ending === '.tar.gz') return
  const format = ending === '' ? 'in a format of its own' : `as ${ending}`
  throw new AppError('not_found', `The service made this bundle ${format}. Ask for ${file}.zip instead.`)
}

/** The immutable address of the bundle that a channel shows now, as a path of this Docket. It never serves other bytes. */
export const resolveAddress = async (
  ctx: BundlesCtx,
  identity: Identity,
  names: ChannelNames & { ending: Ending },
): Promise<string> => {
  const { holder, number, stored } = await findShown(ctx, identity, names)
  if (names.ending === '.tar.gz') requireArchive(stored, 'bundle')
  return `/bundles/sha256/${stored.sha256}/${holder.label}-${holder.channel}-${number}${names.ending}`
}

/** The checksum of the bundle that a channel shows now, for `sha256sum -c` in the folder of the file. */
export const readChecksum = async (ctx: BundlesCtx, identity: Identity, names: ChannelNames): Promise<string> => {
  const { stored } = await findShown(ctx, identity, names)
  return `${stored.sha256}  bundle${stored.ending}\n`
}

/** Opens the bundle with this SHA-256, for people who may see it through a channel. */
export const openAddress = async (
  ctx: BundlesCtx,
  file: { sha256: string; name: string; ending: Ending },
  request: DownloadRequest,
  { identity, by }: { identity: Identity; by: Actor },
): Promise<Download> => {
  const right = /^[0-9a-f]{64}$/.test(file.sha256) ? await findDownloadRight(ctx, identity, file.sha256) : null
  const stored = right === null ? null : await findBundle(ctx, file.sha256)
  if (right === null || stored === null) throw refuseAddress(identity)
  const { isPublic, through: own } = right
  if (file.ending === '.tar.gz') requireArchive(stored, file.name)
  const described = await describeBundle(file.name, stored, file.ending)
  const headers = {
    ...described.headers,
    ...(file.ending === stored.ending && { 'Repr-Digest': toDigest(stored.sha256) }),
    'Cache-Control': `${isPublic ? 'public' : 'private'}, max-age=31536000, immutable`,
  }
  const record = async (how: string) => {
    if (own === undefined || identity === null) return
    const target = { type: 'channel', id: own.channelId, name: `${own.label}/${own.channel}` }
    const details = { how, sha256: file.sha256 }
    await ctx.db.transaction((tx) =>
      recordAudit(tx, by, { action: 'bundle.downloaded', at: new Date(ctx.now()), target, details }),
    )
  }
  return openStoredFile({ ...described, headers }, request, { record, delivered: recordNothing })
}
