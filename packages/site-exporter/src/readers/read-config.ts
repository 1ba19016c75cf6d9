import { posix } from 'node:path'
import type { Program } from 'estree'
import { parseSource } from '@docket/mdx-language/parse-source'
import { readLiterals, type LiteralModule } from '@docket/mdx-language/read-literals'
import { describeMistake } from '#site/parse-data.ts'
import { findText, formatMistake, reportMistake, type ReportingFolder } from './read-text.ts'

const maxBytes = 256 * 1024
const maxModules = 60
const maxUnread = 30
const endings = ['', ...'.ts .mts .js .mjs .cjs .json /index.ts /index.mts /index.js'.split(' ')]
/** Imports that give a configuration no data. */
const isOther = /\.d\.[cm]?ts$|\.(css|s[ac]ss|less|styl|vue|svelte|astro|[jt]sx|mdx?|svg|png|jpe?g|webp|html|txt)$|[?]/i
/** Used in copyright notices. It would make two exports of one source differ. */
const currentYear = /\bnew Date\(\)\.getFullYear\(\)/g

/**
 * Reads a configuration module and its local imports as data, without running them. Undefined if there is no such file. Null if it
 * cannot be read. Reports each import and value that cannot be read.
 */
export const readConfig = async (folder: ReportingFolder, file: string): Promise<unknown> => {
  const modules = new Map<string, LiteralModule>()
  const mistakes = new Map<string, string>()
  let left = maxModules * 20

  /** File of a module, or null. */
  const load = async (path: string): Promise<string | null> => {
    if (modules.has(path) || mistakes.has(path)) return path
    const source = left > 0 ? await findText(folder, path, maxBytes) : null
    // A missing file costs little.
    left -= source === null ? 1 : 20
    if (source === null) return null
    const text = (path.endsWith('.json') ? `export default ${source}` : source).replace(currentYear, "''")
    const files = new Map<string, string>()
    try {
      // Does not use Node's own type stripping, which a deeply nested source breaks for the whole process.
      const program = parseSource(text, 'config.ts')
      // Registered before its imports are read, so that cycles end.
      modules.set(path, { program, files })
      for (const reference of listImports(program, text)) {
        const found = await find(path, reference)
        if (found !== null) files.set(reference, found)
      }
    } catch (error) {
      mistakes.set(path, describeMistake(error))
    }
    return path
  }

  const find = async (from: string, reference: string): Promise<string | null> => {
    if (!/^\.\.?(\/|$)/.test(reference) || isOther.test(reference)) return null
    const path = posix.join(posix.dirname(from), reference)
    const typed = path.replace(/\.([cm]?)js$/, '.$1ts')
    for (const candidate of [...endings.map((ending) => path + ending), typed]) {
      const found = await load(candidate)
      if (found !== null) return found
    }
    if (!(await folder.read(`${path}.d.ts`, maxBytes)))
      reportMistake(folder, from, `it imports ${reference}, which is no file of the source, or too large`)
    return null
  }

  if ((await load(file)) === null) return undefined
  for (const [path, reason] of mistakes) reportMistake(folder, path, formatMistake(null, reason))
  if (!modules.has(file)) return null
  const unread: string[] = []
  try {
    const data = readLiterals(file, modules, (place, reason) =>
      unread.push(`${place || 'the configuration'} is the result of code, which is not run: ${reason}`),
    )
    if (data === undefined && unread.length === 0) unread.push(formatMistake(null, 'it has no default export'))
    const more = unread.splice(maxUnread).length
    if (more > 0) unread.push(`${more} more values are results of code, which is not run`)
    for (const line of unread) reportMistake(folder, file, line)
    return data ?? null
  } catch (error) {
    reportMistake(folder, file, formatMistake(null, describeMistake(error)))
    return null
  }
}

type Statement = Program['body'][number] & { importKind?: string; exportKind?: string }

/** What a module imports; no types. */
const listImports = ({ body }: Program, text: string): Set<string> => {
  const declared = (body as Statement[]).flatMap((node) =>
    'source' in node && node.source && node.importKind !== 'type' && node.exportKind !== 'type'
      ? String(node.source.value)
      : [],
  )
  const called = text.matchAll(/\b(?:require|import)\(\s*["'](\.[^"'\n]{0,300})["']/g)
  return new Set([...declared, ...[...called].map(([, reference = '']) => reference)])
}
