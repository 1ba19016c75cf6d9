import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#http/app-env.ts'

/** Whoever reaches Docket before people can sign in. */
const somebody = 'Someone on this computer'

/** Gives every request the name in which it changes things. */
export const actor = createMiddleware<AppEnv>(async (c, next) => {
  c.set('actor', somebody)
  await next()
})
