import { buffer } from 'node:stream/consumers'
import type { BundlePage } from '#manifest.ts'
import type { StoredSite } from '#open-site.ts'
import { readWordCount } from '#pages/describe-page.ts'
import { findMain } from '#pages/description/landmarks.ts'
import { readDescription } from '#pages/description/marks.ts'
import { readMainText, type Block } from '#pages/description/read-text.ts'
import { findChild } from '#pages/html.ts'
import { parsePage } from '#pages/parse-page.ts'
import { decodeText } from '#text-encoding.ts'
import { compareBlocks, type BlockChange, type Run } from './compare-blocks.ts'

/** Bytes of HTML, number of blocks, and characters of the result. */
const maxPageBytes = 4 * 1024 ** 2
const maxBlocks = 8_000
const maxResultBlocks = 2_000
const maxResultLength = 400_000
/** Blocks without a change beside one with, and characters of a run without a change beside a change. */
const contextBlocks = 1
const contextLength = 160

export type StoredPage = { site: Pick<StoredSite, 'read'>; page: Pick<BundlePage, 'path' | 'sizeBytes'> }

export type PageText = { blocks: BlockChange[]; isCut: boolean }

const readBlocks = async (
  stored: StoredPage | null,
  signal: AbortSignal,
): Promise<{ blocks: Block[]; isCut: boolean }> => {
  if (!stored) return { blocks: [], isCut: false }
  const { path, sizeBytes } = stored.page
  const isTooLong = sizeBytes > maxPageBytes
  const content = await stored.site.read(path, ...(isTooLong ? [{ start: 0, end: maxPageBytes - 1 }] : []))
  const bytes = await buffer(content)
  signal.throwIfAborted()
  // A cut goes through no character.
  const text = decodeText(isTooLong ? bytes.subarray(0, bytes.lastIndexOf('<')) : bytes, true)
  const html = findChild(parsePage(text, path), 'html')
  if (html === null) return { blocks: [], isCut: false }
  const { main, isBody } = findMain(html)
  const description = readDescription(html)
  const { blocks } = readMainText(main, isBody, true)
  if (description !== '') blocks.unshift({ element: 'p', text: `[description ${description}]` })
  return { blocks: blocks.slice(0, maxBlocks), isCut: isTooLong || blocks.length > maxBlocks }
}

const comparePages = async (earlier: StoredPage | null, later: StoredPage | null, signal: AbortSignal) => {
  const before = await readBlocks(earlier, signal)
  const after = await readBlocks(later, signal)
  const compared = compareBlocks(before.blocks, after.blocks)
  return { blocks: compared.blocks, isCut: compared.isCut || before.isCut || after.isCut }
}

export const countWordChanges = async (earlier: StoredPage, later: StoredPage, signal: AbortSignal) => {
  const counts = { added: 0, removed: 0 }
  for (const { runs } of (await comparePages(earlier, later, signal)).blocks)
    for (const { kind, text } of runs) if (kind !== 'same') counts[kind] += readWordCount(text)
  return counts
}

/** Null for a missing page, empty without a change. Unchanged blocks and long unchanged runs are cut, and `…` marks where. */
export const comparePageText = async (
  earlier: StoredPage | null,
  later: StoredPage | null,
  signal: AbortSignal,
): Promise<PageText> => {
  const { blocks, isCut } = await comparePages(earlier, later, signal)
  const isChanged = ({ runs }: BlockChange) => runs.some(({ kind }) => kind !== 'same')
  if (!blocks.some(isChanged)) return { blocks: [], isCut }
  const near = new Set<number>()
  for (const [place, block] of blocks.entries())
    if (isChanged(block)) for (let at = place - contextBlocks; at <= place + contextBlocks; at++) near.add(at)
  const shown: BlockChange[] = []
  let length = 0
  let isGap = false
  for (const [place, block] of blocks.entries()) {
    if (!near.has(place)) {
      if (!isGap) shown.push({ element: 'p', runs: [{ kind: 'same', text: '…' }] })
      isGap = true
      continue
    }
    isGap = false
    const runs = block.runs.map((run, at) => cutRun(run, at > 0, at < block.runs.length - 1))
    length += runs.reduce((sum, { text }) => sum + text.length, 0)
    if (shown.length >= maxResultBlocks || length > maxResultLength) return { blocks: shown, isCut: true }
    shown.push({ element: block.element, runs })
  }
  return { blocks: shown, isCut }
}

const cutRun = ({ kind, text }: Run, isAfter: boolean, isBefore: boolean): Run => {
  if (kind !== 'same' || text.length <= 3 * contextLength) return { kind, text }
  const start = isAfter ? text.slice(0, contextLength) : ''
  const end = isBefore ? text.slice(-contextLength) : ''
  return { kind, text: isAfter || isBefore ? `${start} … ${end}` : `${text.slice(0, contextLength)} …` }
}
