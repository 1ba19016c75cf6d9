import { diffArrays, type ChangeObject } from 'diff'
import type { Block } from '#pages/description/read-text.ts'

export type Run = { kind: 'same' | 'added' | 'removed'; text: string }

export type BlockChange = { element: string; runs: Run[] }

/** After this many edits, the rest counts as replaced, because time grows with their square. */
const maxBlockEdits = 2_000
/** Limits the sum of the squares of edits for the words of all blocks. */
const maxWordCost = 4_000_000
const pairingWindow = 12
const minCommon = 0.3

/** Compares two texts block by block, and replaced blocks word by word. Blocks that are equal have one run. */
export const compareBlocks = (
  earlier: readonly Block[],
  later: readonly Block[],
): { blocks: BlockChange[]; isCut: boolean } => {
  const blocks: BlockChange[] = []
  const budget = { cost: maxWordCost }
  let isCut = false
  let removed: Block[] = []
  const whole = ({ element, text }: Block, kind: Run['kind']): BlockChange => ({ element, runs: [{ kind, text }] })
  const replace = (added: readonly Block[]) => {
    let next = 0
    for (const block of added) {
      const nearby = removed.slice(next, next + pairingWindow)
      const found = nearby.findIndex((candidate) => areSimilarBlocks(candidate, block))
      if (found < 0) {
        blocks.push(whole(block, 'added'))
        continue
      }
      const place = next + found
      blocks.push(...removed.slice(next, place).map((gone) => whole(gone, 'removed')))
      const runs = diffText(removed[place]!.text, block.text, budget)
      if (runs) blocks.push({ element: block.element, runs })
      else {
        isCut = true
        blocks.push(whole(removed[place]!, 'removed'), whole(block, 'added'))
      }
      next = place + 1
    }
    blocks.push(...removed.slice(next).map((gone) => whole(gone, 'removed')))
    removed = []
  }
  const keys = [earlier, later].map((side) => side.map(({ element, text }) => `${element}\n${text}`)) as [
    string[],
    string[],
  ]
  let changes: ChangeObject<string[]>[] | undefined = diffArrays(...keys, { maxEditLength: maxBlockEdits })
  if (!changes) {
    isCut = true
    changes = replaceMiddle(...keys)
  }
  let before = 0
  let after = 0
  for (const change of changes) {
    if (change.removed) {
      removed.push(...earlier.slice(before, before + change.count))
      before += change.count
      continue
    }
    const part = later.slice(after, after + change.count)
    after += change.count
    if (change.added) {
      replace(part)
      continue
    }
    replace([])
    before += change.count
    blocks.push(...part.map((block) => whole(block, 'same')))
  }
  replace([])
  return { blocks, isCut }
}

const replaceMiddle = (earlier: string[], later: string[]) => {
  let start = 0
  while (start < earlier.length && start < later.length && earlier[start] === later[start]) start++
  let end = 0
  const max = Math.min(earlier.length, later.length) - start
  while (end < max && earlier.at(-1 - end) === later.at(-1 - end)) end++
  const part = (value: string[], added: boolean, isRemoved: boolean) => ({
    value,
    added,
    removed: isRemoved,
    count: value.length,
  })
  return [
    part(later.slice(0, start), false, false),
    part(earlier.slice(start, earlier.length - end), false, true),
    part(later.slice(start, later.length - end), true, false),
    part(later.slice(later.length - end), false, false),
  ]
}

const splitText = (text: string): string[] =>
  text.match(/[\u0e00-\u0eff\u3040-\ud7ff]|[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []

const wordSets = new WeakMap<Block, Set<string>>()

const readWordSet = (block: Block): Set<string> => {
  let words = wordSets.get(block)
  if (!words) wordSets.set(block, (words = new Set(splitText(block.text).filter((token) => token.trim() !== ''))))
  return words
}

const areSimilarBlocks = (a: Block, b: Block) => {
  if (a.element !== b.element) return false
  const words = readWordSet(a)
  const others = readWordSet(b)
  let common = 0
  for (const word of words) if (others.has(word)) common++
  return common >= minCommon * Math.max(words.size, others.size)
}

/** Null when the texts differ too much for what is left of the `budget`. */
const diffText = (earlier: string, later: string, budget: { cost: number }): Run[] | null => {
  const maxEditLength = Math.floor(Math.sqrt(Math.max(budget.cost, 0)))
  const changes = diffArrays(splitText(earlier), splitText(later), { maxEditLength })
  const edits = changes?.reduce((sum, { count, added, removed }) => sum + (added || removed ? count : 0), 0)
  budget.cost -= (edits ?? maxEditLength) ** 2
  if (!changes) return null
  const runs: Run[] = []
  let removed = ''
  let added = ''
  const flush = () => {
    if (removed !== '') runs.push({ kind: 'removed', text: removed })
    if (added !== '') runs.push({ kind: 'added', text: added })
    removed = added = ''
  }
  for (const [place, change] of changes.entries()) {
    const text = change.value.join('')
    if (change.removed) removed += text
    else if (change.added) added += text
    else if (place > 0 && place < changes.length - 1 && text.trim() === '') {
      // A space between two changed words belongs to both changes.
      removed += text
      added += text
    } else {
      flush()
      runs.push({ kind: 'same', text })
    }
  }
  flush()
  return runs
}
