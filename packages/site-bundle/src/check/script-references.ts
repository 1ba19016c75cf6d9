import { tokenizer, tokTypes, type Token } from 'acorn'
import { shortenText } from '#pages/html.ts'
import type { Reference, Use } from './reference.ts'

const candidates =
  /(?:\b(?:fetch|import|importScripts|Worker|SharedWorker|EventSource|WebSocket|sendBeacon|open|from)|\.src)\b\s*(?:[(=]\s*)?(?:["'`][A-Z]+["'`]\s*,\s*)?["'`]([^"'`\n$]*[/.:][^"'`\n$]*)/g

type Reading = {
  inModule: boolean
  inPage: boolean
  /** False for an address that needs no attention. A script without any other is not read further. */
  isSuspicious: (address: string) => boolean
}

const calls: Readonly<Record<string, Use>> = {
  fetch: 'call',
  EventSource: 'call',
  WebSocket: 'call',
  sendBeacon: 'call',
  Worker: 'script',
  SharedWorker: 'script',
  importScripts: 'script',
}

const windowSize = 6

type Seen = { type: Token['type']; value: unknown; start: number; end: number }

const isName = (token: Seen | undefined, name: string) => token?.type === tokTypes.name && token.value === name

/** The use of a literal, by the tokens before it, the last one first. Null for any other text. */
const findUse = (
  before: readonly Seen[],
  inModule: boolean,
): { use: Use; isOptional?: boolean; isImport?: boolean } | null => {
  const [first, second, third, fourth] = before
  if (first?.type === tokTypes._import) return inModule ? { use: 'script', isImport: true } : null
  if (isName(first, 'from')) return inModule && second !== undefined ? { use: 'script', isImport: true } : null
  if (first?.type === tokTypes.eq && isName(second, 'src') && third?.type === tokTypes.dot) return { use: 'script' }
  if (first?.type === tokTypes.parenL) {
    if (second?.type === tokTypes._import) return { use: 'script', isOptional: true, isImport: true }
    // A method of something else has the same name by chance.
    if (third?.type === tokTypes.dot && !['window', 'self', 'globalThis', 'navigator'].includes(String(fourth?.value)))
      return null
    const use = second?.type === tokTypes.name ? calls[String(second.value)] : undefined
    return use === undefined ? null : { use, isOptional: use === 'call' }
  }
  if (first?.type === tokTypes.comma && second?.type === tokTypes.string && third?.type === tokTypes.parenL)
    return isName(fourth, 'open') && /^(GET|POST|PUT|HEAD|PATCH|DELETE)$/i.test(String(second.value))
      ? { use: 'call', isOptional: true }
      : null
  return null
}

/** Reads tokens only and runs nothing. `src` counts in the page itself only: libraries are full of those nobody runs. */
export const findScriptReferences = (text: string, { inModule, inPage, isSuspicious }: Reading): Reference[] => {
  if (![...text.matchAll(candidates)].some(([, address = '']) => isSuspicious(address))) return []
  const references: Reference[] = []
  const before: Seen[] = []
  try {
    for (const token of tokenizer(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })) {
      const seen: Seen = {
        type: token.type,
        value: (token as { value?: unknown }).value,
        start: token.start,
        end: token.end,
      }
      const inTemplate = token.type === tokTypes.template && before[0]?.type === tokTypes.backQuote
      if ((token.type === tokTypes.string || inTemplate) && typeof seen.value === 'string') {
        const found = findUse(inTemplate ? before.slice(1) : before, inModule)
        const isHere = found !== null && (found.use !== 'script' || before[0]?.type !== tokTypes.eq || inPage)
        // The rest of a text that continues is unknown: only its host counts.
        const continues =
          /^\s*\+/.test(text.slice(token.end, token.end + 20)) || (inTemplate && text[token.end] === '$')
        const [start, end] = [before.at(-1)?.start ?? token.start, token.end + 1]
        // A bare name is for an import map.
        const isAddress = found?.isImport !== true || /^(\.{0,2}\/|[a-z]+:)/i.test(seen.value)
        if (isHere && isAddress && (!continues || /^(?:https?:|wss?:)?\/\/[^/]+\//i.test(seen.value)))
          references.push({
            ...found,
            address: seen.value,
            offset: token.start,
            end: token.end,
            excerpt: () => shortenText(text.slice(start, end)),
          })
      }
      before.unshift(seen)
      before.length = Math.min(before.length, windowSize)
    }
  } catch {
    return references
  }
  return references
}
