import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** What the build writes beside the page. Not served. */
export const routesFile = '/routes.json'

const routes = z.array(z.object({ path: z.string(), link: z.string() }))

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

const fits = (pattern: readonly string[], found: readonly string[]) =>
  pattern.length === found.length && pattern.every((part, index) => part.startsWith(':') || part === found[index])

/**
 * Gives the `Link` header for an address of the web app, with which a browser fetches the scripts of that page together with the page;
 * undefined when there are none. Without a readable `routes.json` there are never any: the page finds its scripts itself, later.
 */
export const routeScripts = async (folder: string): Promise<(path: string) => string | undefined> => {
  const text = await readFile(join(folder, routesFile), 'utf8').catch(() => '[]')
  const known = routes.parse(JSON.parse(text)).map(({ path, link }) => ({ segments: segmentsOf(path), link }))
  return (path) => {
    const segments = segmentsOf(path)
    return known.find((route) => fits(route.segments, segments))?.link
  }
}
