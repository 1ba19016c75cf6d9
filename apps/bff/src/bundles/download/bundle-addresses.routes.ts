import { type Context, Hono } from 'hono'
import type { StreamDownload } from './send-download.ts'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { type Ending, openAddress, readChecksum, resolveAddress } from './bundle-addresses.ts'

/** Paths of bundle addresses. Any other path below `/sites` is a page of the web app. */
export const bundleAddressPaths = {
  tarGz: '/sites/:label/:channel/bundle.tar.gz',
  zip: '/sites/:label/:channel/bundle.zip',
  checksum: '/sites/:label/:channel/bundle.sha256',
  immutable: '/bundles/sha256/:sum/:file',
} as const

// The file name in an address. It only affects how the file is saved, and uses the characters of labels, channels and numbers.
const filePattern = /^([a-z0-9-]{1,120})(\.tar\.gz|\.zip)$/

const readNames = (c: Context<AppEnv>) => ({ label: c.req.param('label') ?? '', channel: c.req.param('channel') ?? '' })

/** `/sites/<label>/<channel>/bundle…` and `/bundles/sha256/<sum>/<name>`: addresses for programs, read only. */
export const bundleAddressRoutes = (ctx: BundlesCtx, stream: StreamDownload) => {
  const redirect = (ending: Ending) => async (c: Context<AppEnv>) => {
    const path = await resolveAddress(ctx, c.var.identity, { ...readNames(c), ending })
    c.header('Cache-Control', 'no-store')
    return c.redirect(path, 302)
  }
  return new Hono<AppEnv>()
    .get(bundleAddressPaths.tarGz, redirect('.tar.gz'))
    .get(bundleAddressPaths.zip, redirect('.zip'))
    .get(bundleAddressPaths.checksum, async (c) => c.text(await readChecksum(ctx, c.var.identity, readNames(c))))
    .get(bundleAddressPaths.immutable, (c) => {
      const [, name, ending] = filePattern.exec(c.req.param('file')) ?? []
      if (name === undefined) throw new AppError('not_found', 'A bundle’s address ends in .tar.gz or .zip.')
      const file = { sha256: c.req.param('sum').toLowerCase(), name, ending: ending as Ending }
      return stream(c, (request, { by }) => openAddress(ctx, file, request, { identity: c.var.identity, by }))
    })
}
