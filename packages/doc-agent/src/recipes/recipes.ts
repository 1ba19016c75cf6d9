import { setTimeout as sleep } from 'node:timers/promises'
import { count, cut } from '@docket/sources/text'
import { changePages, replaceAll } from '#recipes/docs/pages.ts'
import { fixLinks } from '#recipes/links/fix-links.ts'
import { movePage } from '#recipes/moving/move-page.ts'
import { fixTypos } from '#recipes/prose/fix-typos.ts'
import { formatPages } from '#recipes/prose/format.ts'
import { tidyWhitespace } from '#recipes/prose/tidy-whitespace.ts'
import type { Recipe, Step } from './recipe.ts'
import { leftAlone } from './report-lines.ts'

const maxSteps = 50

const recipes: readonly Recipe[] = [
  {
    usage: 'Replace "old text" with "new text"',
    parse: (line) => {
      const match = /^replace\s+["“]([^"“”]+)["”]\s+with\s+["“]([^"“”]*)["”]\.?$/i.exec(line)
      return match ? replaceText(match[1]!, match[2]!) : null
    },
  },
  { usage: 'Fix links', parse: (line) => (/^fix\s+(the\s+)?(broken\s+)?links\.?$/i.test(line) ? fixLinks : null) },
  { usage: 'Fix typos', parse: (line) => (/^fix\s+(the\s+)?(known\s+)?typos\.?$/i.test(line) ? fixTypos : null) },
  {
    usage: 'Move "old page" to "new page"',
    parse: (line) => {
      const match = /^move\s+["“]([^"“”]+)["”]\s+to\s+["“]([^"“”]+)["”]\.?$/i.exec(line)
      return match ? movePage({ from: match[1]!.trim(), to: match[2]!.trim() }) : null
    },
  },
  { usage: 'Format', parse: (line) => (/^format(\s+(the\s+)?pages)?\.?$/i.test(line) ? formatPages : null) },
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

const known = `The built-in runner knows: ${recipeUsages.join(' · ')}.`

/** Parses a prompt of at most 50 steps, one per line. Throws with the list of recipes on an unknown line, before anything changes. */
export const parseSteps = (prompt: string): Step[] => {
  const lines = prompt
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0) throw new Error(`The prompt is empty. ${known}`)
  if (lines.length > maxSteps) throw new Error(`The prompt has ${lines.length} steps; ${maxSteps} are the most.`)
  return lines.map((line) => {
    for (const recipe of recipes) {
      const step = recipe.parse(line)
      if (step) return step
    }
    throw new Error(`“${cut(line, 120)}” is not understood. ${known}`)
  })
}

const replaceText =
  (from: string, to: string): Step =>
  async (work) => {
    let times = 0
    const { changed, left } = await changePages(work, (text, page) => {
      const replaced = replaceAll(text, from, to, page)
      times += replaced.count
      return replaced.text
    })
    const [old, fresh] = [cut(from, 80), cut(to, 80)]
    const done = to === '' ? `Removed “${old}”` : `Replaced “${old}” with “${fresh}”`
    const where = `${count(times, 'time')} in ${count(changed, 'page')}.`
    return [(times === 0 ? `“${old}” is on no page.` : `${done} ${where}`) + leftAlone(left)]
  }

const waitFor =
  (seconds: number): Step =>
  async () => {
    await sleep(seconds * 1000)
    return [`Waited ${seconds} s.`]
  }
