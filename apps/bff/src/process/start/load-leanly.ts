import { enableCompileCache, registerHooks, type ResolveFnOutput } from 'node:module'
import { join } from 'node:path'

const root = new URL('../../../../../', import.meta.url).href

const formats: Record<string, string | undefined> = { ts: 'module-typescript', mjs: 'module', cjs: 'commonjs' }

/** The folder `src` of the package of ours that a file belongs to. Null for other files. */
const findSources = (url: string): string | null => {
  const [sources] = url.startsWith(root) ? (/^(?:apps|packages)\/[^/]+\/src\//.exec(url.slice(root.length)) ?? []) : []
  return sources === undefined ? null : root + sources
}

/** The folder of the installed package that a file belongs to. */
const findPackage = (url: string): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(url)?.[0]

/**
 * Makes later imports cheaper. Call it before them. The same code runs without it.
 *
 * - Loads Drizzle from its CommonJS build. Its ES modules export each other in circles, and linking them takes 180 MB and half a second.
 * - Loads Zod with its English sentences alone, not in fifty languages.
 * - Resolves a name once in each package. Node parses a package's manifest at every import of it; Drizzle's has 180 kB, and 200 imports of
 *   it took a third of the start and 70 MB.
 * - Caches the compiled source beside the packages, where only people who may change the code can write. Has no effect on a read-only
 *   folder or with `NODE_DISABLE_COMPILE_CACHE=1`.
 */
export const loadLeanly = (): void => {
  enableCompileCache(join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'compiled'))
  const resolved = new Map<string, ResolveFnOutput>()
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL = root } = context
      const sources = findSources(parentURL)
      if (sources !== null && /^#.*\.ts$/.test(specifier))
        return { url: sources + specifier.slice(1), format: 'module-typescript', shortCircuit: true }
      const name = parentURL.includes('/zod/v4/') ? specifier.replace('/locales/index.', '/locales/en.') : specifier
      const [, ending] = /^\.\.?\/.*\.(ts|mjs|cjs|js)$/.exec(name) ?? []
      if (ending !== undefined && (ending === 'cjs' || context.conditions.includes('import')))
        return { url: new URL(name, parentURL).href, format: formats[ending], shortCircuit: true }
      const conditions = /^drizzle-orm(\/|$)/.test(name) ? ['node', 'require'] : context.conditions
      const isAddress = /^[./]|^\w+:/.test(name)
      const place = isAddress
        ? new URL(name, parentURL).href
        : `${sources ?? findPackage(parentURL) ?? parentURL} ${name}`
      const key = `${conditions.join()} ${place}`
      const found = resolved.get(key) ?? next(name, { ...context, conditions })
      resolved.set(key, found)
      return { ...found, shortCircuit: true }
    },
  })
}
