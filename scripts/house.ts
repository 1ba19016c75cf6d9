import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { serverAreas } from './boundaries.ts'
import { trackedFiles, type TrackedFile } from './tracked-files.ts'

const specifier = /(from|import|import\(|import\.meta\.resolve\()\s*'([#.]|@docket\/)([^']*)'/g

/** Product: what runs at an operator or in a browser, without tests, their helpers and migrations. */
const isProduct = (path: string): boolean =>
  /^(apps|packages)\/.*\.(tsx?|mjs|js|css)$/.test(path) &&
  !/\.(test|prove)\.tsx?$|(^|\/)(testing|migrations)\//.test(path)

/** `isProgram`: `from` starts it as a process of its own, which loads nothing here. */
type Import = { from: string; to: string; isProgram: boolean }

/** What an import leads to: a file, or the folder of another package. */
const resolveImport = (from: string, start: string, rest: string): string => {
  if (start === '.') return posix.join(posix.dirname(from), start + rest)
  const [top, name] = from.split('/')
  if (start === '#') return `${top}/${name}/src/${rest}`
  const [target = ''] = rest.split('/')
  return `${['bff', 'web'].includes(target) ? 'apps' : 'packages'}/${target}`
}

/** Imports of product code, types and dynamic ones included. */
const readImports = (files: readonly TrackedFile[]): Import[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(specifier)].map(([, way = '', start = '', rest = '']) => ({
      from: path,
      to: resolveImport(path, start, rest),
      isProgram: way.startsWith('import.meta'),
    })),
  )

/** Layers from the top down. A file of one imports those below it. */
const layers: Readonly<Record<string, readonly string[]>> = {
  'apps/bff/src': serverAreas,
  'apps/web/src': ['app', 'features', 'ui', 'lib'],
}

const findUpward = (imports: readonly Import[]): string[] =>
  Object.entries(layers).flatMap(([src, order]) => {
    const findLayer = (path: string) =>
      path.startsWith(`${src}/`) ? order.indexOf(path.slice(src.length + 1).split('/')[0]!) : undefined
    return imports.flatMap(({ from, to }) => {
      const [importer, imported] = [findLayer(from), findLayer(to)]
      const isUpward = importer !== undefined && imported !== undefined && importer >= 0 && imported < importer
      return isUpward ? [`${from} → ${to}`] : []
    })
  })

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
      .map((edge) => ({ ...edge, from: name(edge.from), to: name(edge.to) }))
  }
  const inServer = (path: string) => (path.startsWith('apps/bff/src/') ? 5 : 4)
  return [...new Set([cut(() => 2), cut(() => 4), cut(inServer)].flatMap(findCircles))]
}

const knotRule = {
  functions: false,
  classes: false,
  typedefs: false,
  enums: false,
  variables: true,
  ignoreTypeReferences: true,
}

/**
 * Places in the wiring of the server that name a `const` of the same function which is defined further down: no type
 * says when it is too early. What a module declares at its top is there before anything of it is called.
 */
const findKnots = (root: string, files: readonly TrackedFile[]): string[] => {
  const wiring = files.filter(({ path }) => /^apps\/bff\/src\/(process\/.*|[^/]+|[^/]+\/register)\.ts$/.test(path))
  const folder = mkdtempSync(join(tmpdir(), 'docket-house-'))
  try {
    const config = join(folder, 'oxlint.json')
    writeFileSync(
      config,
      JSON.stringify({ categories: { correctness: 'off' }, rules: { 'no-use-before-define': ['error', knotRule] } }),
    )
    const oxlint = join(import.meta.dirname, '..', 'node_modules', '.bin', 'oxlint')
    const options = ['--disable-nested-config', '--config', config, '--format', 'unix']
    const { stdout } = spawnSync(oxlint, [...options, ...wiring.map(({ path }) => path)], {
      cwd: root,
      encoding: 'utf8',
    })
    const texts = new Map(wiring.map(({ path, text }) => [path, text]))
    return [...stdout.matchAll(/^(\S+?):(\d+):\d+: '(\w+)' was used before it was defined/gm)].flatMap(
      ([, path = '', line, name]) => {
        const isOfModule = new RegExp(`^(export )?(const|let|class) ${name}\\b`, 'm').test(texts.get(path) ?? '')
        return isOfModule ? [] : [`${path}:${line} ${name}`]
      },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Measures the product code of a clone. `files`: of it, else what git tracks. */
export const measureHouse = (root: string, files: readonly TrackedFile[] = trackedFiles(root)) => {
  const product = files.filter(({ path }) => isProduct(path))
  const imports = readImports(product)
  const sizes = new Map<string, { files: number; lines: number }>()
  for (const { path, text } of product)
    for (const name of ['all', path.split('/').slice(0, 2).join('/')]) {
      const { files: count, lines } = sizes.get(name) ?? { files: 0, lines: 0 }
      sizes.set(name, { files: count + 1, lines: lines + text.split('\n').length - 1 })
    }
  return {
    sizes,
    upward: findUpward(imports),
    circles: findCircles(imports.filter(({ isProgram }) => !isProgram)),
    folderCircles: findFolderCircles(imports),
    knots: findKnots(root, product),
  }
}

if (import.meta.main) {
  const { sizes, ...found } = measureHouse(join(import.meta.dirname, '..'))
  for (const [name, { files, lines }] of [...sizes].toSorted(([, a], [, b]) => b.lines - a.lines))
    console.log(`${String(lines).padStart(7)} lines ${String(files).padStart(5)} files  ${name}`)
  const titles = {
    upward: 'upward imports',
    circles: 'circles of files',
    folderCircles: 'circles of folders',
    knots: 'run-time knots',
  }
  for (const [key, title] of Object.entries(titles))
    console.log(
      [`\n${found[key as keyof typeof titles].length} ${title}`, ...found[key as keyof typeof titles]].join('\n  '),
    )
}
