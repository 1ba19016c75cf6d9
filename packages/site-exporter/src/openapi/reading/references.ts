import { cut } from '@docket/sources/text'
import { decodeAddress, isData, readOwn, type Data } from '#site/data.ts'

/** Resolved value. `names` lists the references that led to it, outermost first. `problem` is set if there is no value. */
export type Resolved = { value: Data | boolean | null; names: readonly string[]; problem: string | null }

/** Follows references within a document. Never throws. */
export type Resolve = (value: unknown) => Resolved

const maxHops = 20

/** Creates a lazy resolver. Libraries expand all references at once, without end even for some small documents, and load files and URLs. */
export const createResolver =
  (root: unknown): Resolve =>
  (start) => {
    const names: string[] = []
    let beside: Data = {}
    let value = start
    while (isData(value) && typeof value['$ref'] === 'string') {
      const { $ref, ...rest } = value
      const name = $ref as string
      if (names.includes(name)) return { value: null, names, problem: `${cut(name, 120)} refers to itself` }
      if (names.length >= maxHops)
        return { value: null, names, problem: `${cut(name, 120)} is too many references away` }
      if (!name.startsWith('#/'))
        return { value: null, names, problem: `${cut(name, 120)} is outside this document and was not read` }
      names.push(name)
      // Keywords next to a reference override those of its target.
      beside = { ...rest, ...beside }
      value = readPointer(root, name)
      if (value === undefined) return { value: null, names, problem: `there is no ${cut(name, 120)}` }
    }
    if (typeof value === 'boolean') return { value, names, problem: null }
    if (!isData(value)) return { value: null, names, problem: null }
    return { value: names.length > 0 ? { ...value, ...beside } : value, names, problem: null }
  }

const readPointer = (root: unknown, pointer: string): unknown => {
  let value = root
  for (const part of pointer.slice(2).split('/', 50)) value = readOwn(value, unescapePointer(part))
  return value
}

const unescapePointer = (part: string) => decodeAddress(part).replaceAll('~1', '/').replaceAll('~0', '~')

export const readReferenceName = (reference: string): string =>
  unescapePointer(reference.split('/').at(-1) ?? reference)
