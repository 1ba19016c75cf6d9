import { posix } from 'node:path'
import type { Program } from 'estree'
import type { Root } from 'hast'
import { findExcess, maxImportCost, measureCost } from '#markdown/limits/page-cost.ts'
import { walkTree } from '#markdown/walk-tree.ts'
import { exportData, readModule, type ModuleScope, type Resolve } from '@docket/mdx-language/modules'
import { parseSource } from '@docket/mdx-language/parse-source'
import { runUnlessActive, type Run } from '@docket/mdx-language/run'
import { createScope, evaluateOnce, type Scope } from '@docket/mdx-language/scope'
import { toValue, isCallable, isFields, markup, unknown, type Callable, type Value } from '@docket/mdx-language/values'
import type { Note } from '#markdown/page-notes.ts'
import { isComponentFile, readComponentFile, stringsName } from '#markdown/sfc/component-files.ts'
import type { Place } from './mdx-host.ts'
import { rawMark, type PagePieces, type Piece } from './page-pieces.ts'

type Exports = ReadonlyMap<string, () => Value>
export type ParsePiece = (source: string, isMdx: boolean) => Root
export type ConvertTree = (tree: Root, scope: Scope) => Root['children']

type Dependencies = {
  pieces: PagePieces
  note: Note
  run: Run
  place: Place
  globals: Scope | null
  parse: ParsePiece
  convert: ConvertTree
}

/** Packages whose components the exporter implements itself. */
const isBuiltIn =
  /^@(mintlify\/components|theme\/|theme-original\/|astrojs\/starlight\/components|docusaurus\/)|^(react|vue|vitepress)$|^astro:|^vitepress\/theme$/

/** Characters of code or data whose tree takes as much memory as a line or a mark of Markdown. */
const codePerCost = 16

/** Imports of a page: reads modules and Markdown pieces on first use, each once. */
export const createMdxModules = ({ pieces, note, run, place, globals, parse, convert }: Dependencies) => {
  const files = new Map(pieces.pieces.map((piece) => [piece.file, piece]))
  const loaded = new Map<string, Exports>()
  let parsedCost = 0

  const resolveFrom =
    (imports: Piece['imports']): Resolve =>
    (specifier) => {
      const file = imports.find(([name]) => name === specifier)?.[1]
      const piece = file === undefined ? undefined : files.get(file)
      return piece ? load(piece) : null
    }

  const load = (piece: Piece): Exports => {
    const known = loaded.get(piece.file)
    if (known) return known
    const exports = new Map<string, () => Value>()
    // Registered before it is read, so that cycles end.
    loaded.set(piece.file, exports)
    try {
      for (const [name, value] of readExports(piece)) exports.set(name, value)
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : 'unknown reason'
      note('not-understood', `${piece.file}, which the page imports: ${reason}`)
    }
    return exports
  }

  /** Throws when the trees of all imported files would take too much memory. */
  const spendCost = (source: string, isPage: boolean) => {
    const cost = isPage ? measureCost(source) : source.length / codePerCost
    if (parsedCost + cost > maxImportCost)
      throw new Error(`with it, the imports of the page have more than ${maxImportCost} lines and marks`)
    const excess = isPage ? findExcess(source, maxImportCost) : null
    if (excess !== null) throw new Error(excess)
    parsedCost += cost
  }

  const readExports = (piece: Piece): Exports => {
    const { file, source, imports } = piece
    if (source === null) {
      const address = posix.relative(posix.dirname(pieces.file), file)
      return new Map([['default', () => address]])
    }
    if (file.startsWith(rawMark)) return new Map([['default', () => source]])
    spendCost(source, /\.mdx?$/i.test(file))
    if (/\.json$/i.test(file)) return exportData(toValue(JSON.parse(source)))
    if (/\.mdx?$/i.test(file)) return readPage(piece)
    if (isComponentFile(file)) {
      const tools = { page: pieces.file, run, place, globals, resolve: resolveFrom(imports) }
      const strings = resolveFrom(pieces.imports)(stringsName)?.get('default')?.()
      const read = readComponentFile(piece, tools, strings)
      // Missing packages of a component are covered by the remark about the component.
      reportMissing({ missing: read.missing.filter(({ source: from }) => /^[.~@]?\//.test(String(from.value))) })
      return new Map([['default', () => read.component]])
    }
    const { exports, missing } = readModule([parseSource(source, file)], null, resolveFrom(imports), run)
    reportMissing({ missing })
    if (/\.data\.[cm]?[jt]s$/i.test(file))
      exports.set(
        'data',
        evaluateOnce('data', () => loadData(exports.get('default')?.())),
      )
    return exports
  }

  /** Reads a Markdown piece as a component. Its text can use its attributes as names. */
  const readPage = ({ file, source, imports }: Piece): Exports => {
    const tree = parse(source ?? '', true)
    rebaseLinks(tree, file, pieces.file)
    const { scope, exports } = declare(tree, imports, globals)
    const name = posix.basename(file)
    const call: Callable['call'] = ([props]) =>
      runUnlessActive(run, file, name, () => {
        const inside = createScope(scope)
        inside.names.set('props', () => props)
        if (isFields(props)) for (const [key, value] of props) inside.names.set(key, () => value)
        return markup(convert(tree, inside) as never[])
      })
    return new Map<string, () => Value>([...exports, ['default', () => ({ kind: 'callable', name, call })]])
  }

  const declare = (tree: Root, imports: Piece['imports'], outer: Scope | null): ModuleScope => {
    const programs: Program[] = []
    // `export` lines between the tags of a component still declare names of the page.
    walkTree(tree, (node) => {
      const { type, data } = node as unknown as ModuleNode
      if (type === 'mdxjsEsm' && data?.estree) programs.push(data.estree)
    })
    const module = readModule(programs, outer, resolveFrom(imports), run)
    reportMissing(module)
    return module
  }

  const reportMissing = ({ missing }: Pick<ModuleScope, 'missing'>) => {
    for (const { source, specifiers } of missing) {
      const from = String(source.value)
      if (isBuiltIn.test(from) || /\.s?css$/.test(from)) continue
      const names = specifiers.map(({ local }) => local.name).join(', ')
      note('left-out', `an import: ${names === '' ? '' : `${names.slice(0, 80)} from `}${from.slice(0, 120)}`)
    }
  }

  return { declare, reportMissing, resolve: resolveFrom(pieces.imports), imports: pieces.imports }
}

/** Result of a VitePress data loader that needs no files and no network. */
const loadData = (loader: Value): Value => {
  const load = isFields(loader) ? loader.get('load') : undefined
  return isCallable(load) ? load.call([]) : unknown('a data loader')
}

/** Links of a piece to files are relative to its own folder, not to that of the page. */
const rebaseLinks = (tree: Root, from: string, to: string) => {
  walkTree(tree, 'element', ({ properties }) => {
    const { href } = properties
    if (typeof href !== 'string' || !/^\.{0,2}[^:#?]*\.mdx?([?#]|$)/.test(href) || href.startsWith('/')) return
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? []
    properties['href'] = posix.relative(posix.dirname(to), posix.join(posix.dirname(from), path)) + rest
  })
}

type ModuleNode = { type: string; data?: { estree?: Program | null } }
