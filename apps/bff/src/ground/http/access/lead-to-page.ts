import type { Route } from '@docket/api-types/route'
import { otherRoutes, routes } from '@docket/api-types/routes'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#ground/http/app-env.ts'
import { findRoute } from './access.ts'
import { readBearer } from './identity.ts'

/** The page of every route that answers a file, by method and pattern. */
const pages = new Map(
  Object.entries<Route>({ ...routes, ...otherRoutes }).flatMap(([route, { page, access }]) =>
    page === undefined ? [] : [[route.replaceAll(/\{(\w+)\}/g, ':$1'), { page, isOpen: access.role === 'anyone' }]],
  ),
)

/**
 * A link to a file that people follow from elsewhere leads to the page where they download it, so no other site starts a download. An
 * address that people open themselves leads there if it fails. Programs and Docket's own pages get every answer as it is.
 */
export const leadToPage = createMiddleware<AppEnv>(async (c, next) => {
  const route = findRoute(c) ?? ''
  const file = pages.get(route)
  const [mode, site] = [c.req.header('sec-fetch-mode'), c.req.header('sec-fetch-site')]
  const isProgram = mode !== 'navigate' || readBearer(c.req.header('authorization')) !== undefined
  if (file === undefined || isProgram || site === 'same-origin') return next()
  if (site === 'none' || file.isOpen) {
    await next()
    // A browser that resumes a download would take the page for the rest of the file.
    if (c.res.status < 400 || c.req.header('range') !== undefined) return
    c.res = undefined
  }
  const [names, values] = [(route.split(' ')[1] ?? '').split('/'), c.req.path.split('/')]
  const path = file.page.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[names.indexOf(`:${name}`)] ?? ''),
  )
  c.res = new Response(null, { status: 303, headers: { Location: path + new URL(c.req.url).search } })
})
