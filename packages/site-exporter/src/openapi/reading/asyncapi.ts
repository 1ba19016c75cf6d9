import { asText, isData } from '#site/data.ts'
import type { SourcePage } from '#site/source-page.ts'
import { maxNavigationDepth } from './docs-json-operations.ts'

const maxNamed = 50
const reason = 'it describes an API of messages (AsyncAPI), and its channels have no pages'

/** Documents of AsyncAPI, found as files or named by docs.json, for the report. */
export const listAsyncDocuments = (docs: unknown, files: readonly string[]): { file: string; reason: string }[] => {
  const names = new Set(files)
  const walk = (value: unknown, depth: number) => {
    if (depth > maxNavigationDepth) return
    if (Array.isArray(value)) for (const item of value as unknown[]) walk(item, depth + 1)
    if (!isData(value)) return
    for (const [key, item] of Object.entries(value)) {
      if (key === 'asyncapi') for (const name of listNames(item)) names.add(name.replace(/^\.?\//, ''))
      else walk(item, depth + 1)
    }
  }
  walk(docs, 0)
  return [...names].slice(0, maxNamed).map((file) => ({ file: file.slice(0, 200), reason }))
}

/** The page says that its channel is not shown, and so does the report. */
export const withoutChannel = (page: SourcePage, channel: string): SourcePage => ({
  ...page,
  missing: `The channel \`${channel}\` is described as AsyncAPI, which this copy does not show.`,
  problem: page.problem ?? 'its channel is described as AsyncAPI, which has no pages',
})

/** A name, a list, or `{ source }`. */
const listNames = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap(
    (item) => asText(isData(item) ? item['source'] : item) ?? [],
  )
