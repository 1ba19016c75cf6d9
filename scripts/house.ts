import { join, posix } from 'node:path'
import { trackedFiles, type TrackedFile } from './tracked-files.ts'

const specifier = /(?:from|import|import\(|import\.meta\.resolve\()\s*'([#.]|@docket\/)([^']*)'/g

/** Product: what runs at an operator or in a browser, without tests, their helpers and migrations. */
const isProduct = (path: string): boolean =>
  /^(apps|packages)\/.*\.(tsx?|mjs|js|css)$/.test(path) &&
  !/\.(test|prove)\.tsx?$|(^|\/)(testing|migrations)\//.test(path)

type Import = { from: string; to: string }

/** What an import leads to: a file, or the folder of another package. */
const resolveImport = (from: string, start: string, rest: string): string => {
  if (start === '.') return posix.join(posix.dirname(from), start + rest)
  const [top, name] = from.split('/')
  if (start === '#') return `${top}/${name}/src/${rest}`
  const [target = ''] = rest.split('/')
  return `${['bff', 'web'].includes(target) ? 'apps' : 'packages'}/${target}`
}

/** Imports of product code: types, dynamic ones and started programs included. */
const readImports = (files: readonly TrackedFile[]): Import[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(specifier)].map(([, start = '', rest = '']) => ({
      from: path,
      to: resolveImport(path, start, rest),
    })),
  )

/** Groups of names that reach one another, each sorted. */
const findCircles = (imports: readonly Import[]): string[] => {
  const graph = new Map<string, Set<string>>()
  for (const { from, to } of imports) if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  const findReachable = (from: string, visited = new Set<string>()): Set<string> => {
    for (const next of graph.get(from) ?? []) if (!visited.has(next)) findReachable(next, visited.add(next))
    return visited
  }
  const reachable = new Map([...graph.keys()].map((name) => [name, findReachable(name)]))
  const circles = [...reachable].flatMap(([name, all]) =>
    all.has(name) ? [[...all].filter((other) => reachable.get(other)?.has(name)).toSorted()] : [],
  )
  return [...new Set(circles.map((circle) => circle.join(' ⇄ ')))]
}

/**
 * Circles of packages, of the folders of each source folder, and of the folders of each area of the server. Contexts don't
 * count: they are types alone, of what an area opens in its folders.
 */
const findFolderCircles = (imports: readonly Import[]): string[] => {
  const cut = (depth: (path: string) => number): Import[] => {
    const name = (path: string) => path.split('/').slice(0, depth(path)).join('/')
    return imports
      .filter(({ to }) => !to.endsWith('-ctx.ts'))
      .map((edge) => ({ from: name(edge.from), to: name(edge.to) }))
  }
  const inServer = (path: string) => (path.startsWith('apps/bff/src/') ? 5 : 4)
  return [...new Set([cut(() => 2), cut(() => 4), cut(inServer)].flatMap(findCircles))]
}

/** Measures the product code among `files`: the lines of each app and package, and the circles that no lint rule sees. */
export const measureHouse = (files: readonly TrackedFile[]) => {
  const product = files.filter(({ path }) => isProduct(path))
  const sizes = new Map<string, { files: number; lines: number }>()
  for (const { path, text } of product)
    for (const name of ['all', path.split('/').slice(0, 2).join('/')]) {
      const { files: count, lines } = sizes.get(name) ?? { files: 0, lines: 0 }
      sizes.set(name, { files: count + 1, lines: lines + text.split('\n').length - 1 })
    }
  return { sizes, folderCircles: findFolderCircles(readImports(product)) }
}

if (import.meta.main) {
  const { sizes, folderCircles } = measureHouse(trackedFiles(join(import.meta.dirname, '..')))
  for (const [name, { files, lines }] of [...sizes].toSorted(([, a], [, b]) => b.lines - a.lines))
    console.log(`${String(lines).padStart(7)} lines ${String(files).padStart(5)} files  ${name}`)
  console.log([`\n${folderCircles.length} circles of folders`, ...folderCircles].join('\n  '))
}
