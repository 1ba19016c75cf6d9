import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** What a step of a prompt does to the files of a checkout. Resolves with one line for the report. */
export type Step = (checkout: string) => Promise<string>

/** One thing the built-in runner can do, how to ask for it, and how a line of a prompt is understood. */
type Recipe = { usage: string; parse(line: string): Step | null }

const recipes: readonly Recipe[] = [
  {
    usage: 'Replace "old text" with "new text"',
    parse: (line) => {
      const match = /^replace\s+"([^"]+)"\s+with\s+"([^"]*)"\.?$/i.exec(line)
      return match ? replaceText(match[1]!, match[2]!) : null
    },
  },
  { usage: 'Fix links', parse: (line) => (/^fix\s+(the\s+)?(broken\s+)?links\.?$/i.test(line) ? fixLinks : null) },
  {
    usage: 'Tidy whitespace',
    parse: (line) => (/^tidy\s+(the\s+)?whitespace\.?$/i.test(line) ? tidyWhitespace : null),
  },
  {
    usage: 'Wait 5 s',
    parse: (line) => {
      const match = /^wait\s+(\d{1,2})\s*s(econds)?\.?$/i.exec(line)
      return match ? waitFor(Number(match[1])) : null
    },
  },
]

/** The prompts that the built-in runner understands, for its error message and its page. */
export const recipeUsages: readonly string[] = recipes.map((recipe) => recipe.usage)

/**
 * Reads a prompt, one step a line. Throws with the list of recipes when a line is not understood,
 * so that nothing is changed on the strength of half a prompt.
 */
export const stepsOf = (prompt: string): Step[] => {
  const lines = prompt.split(/\r?\n/).map((line) => line.trim())
  const steps = lines
    .filter((line) => line !== '')
    .map((line) => {
      for (const recipe of recipes) {
        const step = recipe.parse(line)
        if (step) return step
      }
      throw new Error(
        `“${line.slice(0, 120)}” is not understood. The built-in runner knows: ${recipeUsages.join(' · ')}.`,
      )
    })
  if (steps.length === 0)
    throw new Error(`The prompt is empty. The built-in runner knows: ${recipeUsages.join(' · ')}.`)
  return steps
}

const pagesOf = async (checkout: string): Promise<string[]> => {
  const entries = await readdir(checkout, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.mdx?$/i.test(entry.name))
    .map((entry) => posix.relative(checkout, posix.join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Rewrites every page through `change`; files that stay the same are not touched. */
const changePages = async (checkout: string, change: (text: string, page: string) => string): Promise<number> => {
  let changed = 0
  for (const page of await pagesOf(checkout)) {
    const file = join(checkout, page)
    const before = await readFile(file, 'utf8')
    const after = change(before, page)
    if (after === before) continue
    await writeFile(file, after)
    changed += 1
  }
  return changed
}

const replaceText =
  (from: string, to: string): Step =>
  async (checkout) => {
    const changed = await changePages(checkout, (text) => text.replaceAll(from, to))
    return `Replaced “${from}” with “${to}” in ${changed} ${changed === 1 ? 'page' : 'pages'}.`
  }

const tidyWhitespace: Step = async (checkout) => {
  const changed = await changePages(
    checkout,
    // Two spaces at the end of a line are a line break in Markdown and stay.
    (text) =>
      `${text
        .replaceAll('\r\n', '\n')
        .replaceAll(/(?<=\S)(?: |\t|[ \t]{3,})$/gm, '')
        .trimEnd()}\n`,
  )
  return `Tidied whitespace in ${changed} ${changed === 1 ? 'page' : 'pages'}.`
}

/** Repairs relative links whose letter case or ending is wrong, where exactly one file can be meant. */
const fixLinks: Step = async (checkout) => {
  const pages = await pagesOf(checkout)
  const exact = new Set(pages)
  const byFolded = Map.groupBy(pages, (page) => folded(page))
  let fixed = 0
  const left: string[] = []
  await changePages(checkout, (text, page) =>
    text.replaceAll(
      /(\]\()(\.{1,2}\/[^)#\s]+)(#[^)\s]*)?(\))/g,
      (whole, open: string, target: string, hash = '', close: string) => {
        const path = posix.normalize(posix.join(posix.dirname(page), target))
        if (!/\.mdx?$/i.test(path) || exact.has(path)) return whole
        const candidates = byFolded.get(folded(path)) ?? []
        if (candidates.length !== 1) {
          left.push(`${page}: ${target}`)
          return whole
        }
        fixed += 1
        const relative = posix.relative(posix.dirname(page), candidates[0]!)
        return `${open}${relative.startsWith('.') ? relative : `./${relative}`}${hash}${close}`
      },
    ),
  )
  const rest =
    left.length === 0 ? '' : ` Left alone, because nothing proves what is meant: ${left.slice(0, 20).join('; ')}.`
  return `Fixed ${fixed} ${fixed === 1 ? 'link' : 'links'}.${rest}`
}

const folded = (path: string) => path.toLowerCase().replace(/\.mdx?$/, '')

const waitFor =
  (seconds: number): Step =>
  async () => {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    return `Waited ${seconds} s.`
  }
