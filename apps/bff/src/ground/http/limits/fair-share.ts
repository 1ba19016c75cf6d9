import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { bringsMany, toNetwork } from '#ground/http/limits/client-address.ts'

const retryAfterMs = 2_000

/**
 * Limits each network to `most` concurrent requests, downloads included, so that one client cannot block all others. Throws
 * `too_many_requests` before any work is done. This machine is not limited, because a proxy on it may not be configured as trusted.
 */
export const limitEachNetwork = (most: number) => {
  const underWay = new Map<string, number>()
  return createMiddleware<AppEnv>(async (c, next) => {
    const { address } = c.var
    if (bringsMany([], address)) return next()
    const network = toNetwork(address)
    const before = underWay.get(network) ?? 0
    if (before >= most)
      throw new AppError(
        'too_many_requests',
        'Your network sends too many requests. Nothing changed. Try again in a moment.',
        { retryAfterMs },
      )
    underWay.set(network, before + 1)
    try {
      return await next()
    } finally {
      const left = (underWay.get(network) ?? 1) - 1
      if (left > 0) underWay.set(network, left)
      else underWay.delete(network)
    }
  })
}
