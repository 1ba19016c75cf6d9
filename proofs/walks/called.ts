import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Folder of the repository. */
export const root = join(import.meta.dirname, '..', '..')

const ours = pathToFileURL(root).href

/**
 * Product files of which a function was called, as paths from the top. What a file does while it is loaded counts for
 * nothing: its first function begins where the file does.
 */
export const findCalled = (scripts: readonly Profiler.ScriptCoverage[]): string[] =>
  scripts
    .filter(({ url }) => url.startsWith(ours) && !/\/node_modules\/|\/testing\//.test(url))
    .filter(({ functions }) => functions.some(({ ranges: [range] }) => range!.count > 0 && range!.startOffset > 0))
    .map(({ url }) => fileURLToPath(url).slice(root.length + 1))
    .filter((path) => /^(apps|packages)\//.test(path))
