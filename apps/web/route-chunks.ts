import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const routesFile = join(import.meta.dirname, 'src', 'app', 'routes.tsx')

/** Path pattern and page module of every route, read from the text: the module itself needs a browser. */
const pagesOf = (text: string): { path: string; module: string }[] => {
  const found = [...text.matchAll(/^ {2}route\(\s*'([^']+)',[^(]*\(\) => \(await import\('\.(\/pages\/[^']+)'\)\)/gm)]
  if (found.length === 0 || found.length !== text.match(/^ {2}route\(/gm)?.length)
    throw new Error(`${routesFile} is written in another way than this plugin reads.`)
  return found.map(([, path, module]) => ({ path: path!, module: join(routesFile, '..', module!) }))
}

/**
 * Writes `routes.json`: for the path of every route, the `Link` header that has all scripts of its page fetched at once instead of those of the
 * page after those of the app. The server sends it.
 */
export const routeChunks = (): Plugin => ({
  name: 'route-chunks',
  apply: 'build',
  async generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const withImports = (file: string, found = new Set<string>()): Set<string> => {
      if (found.has(file)) return found
      found.add(file)
      for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) withImports(next, found)
      return found
    }
    const size = (file: string) => chunks.find(({ fileName }) => fileName === file)?.code.length ?? 0
    const entries = chunks.filter((chunk) => chunk.isEntry).map(({ fileName }) => fileName)
    const routes = pagesOf(await readFile(routesFile, 'utf8')).map(({ path, module }) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === module)
      if (chunk === undefined) throw new Error(`The page ${module} has no chunk of its own.`)
      const scripts = new Set([...entries, chunk.fileName].flatMap((file) => [...withImports(file)]))
      // A browser asks for six files at a time: what asks for the data goes first, then what takes longest.
      const modules = [...scripts].toSorted((a, b) => size(b) - size(a)).map((file) => `</${file}>; rel=modulepreload`)
      return { path, link: ['</first.js>; rel=preload; as=script', ...modules].join(', ') }
    })
    this.emitFile({ type: 'asset', fileName: 'routes.json', source: JSON.stringify(routes) })
  },
})
