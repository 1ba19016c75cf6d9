import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

/**
 * Makes everything that is imported from now on cost less; to be called before it is. The same code runs with it and without it.
 *
 * - Drizzle is loaded from its CommonJS build: Node links its ES modules, which export everything of each other in circles,
 *   which takes 180 MB and half a second of work for nothing that stays.
 * - What Node makes of the source (types stripped, compiled) is kept for the next start, beside the packages: whoever may write
 *   there may change the code anyway. Where nobody may, or with `NODE_DISABLE_COMPILE_CACHE=1`, every start does it again.
 */
export const loadLeanly = (): void => {
  enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled'))
  registerHooks({
    resolve: (specifier, context, next) =>
      /^drizzle-orm(\/|$)/.test(specifier)
        ? next(specifier, { ...context, conditions: ['node', 'require'] })
        : next(specifier, context),
  })
}
