import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { bringsMany, toNetwork } from '#ground/http/limits/client-address.ts'

const retryAfterMs = 2_000

/**
 * No network has more than `most` requests under way at once, downloads included, so that nobody keeps everybody else waiting. Errors:
 * `too_many_requests`, before any work is done. This machine itself is not bounded: a proxy on it may not have been named yet.
 */
export const fairShare = (most: number) => {
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
