import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = new Set(['.css', '.html', '.js', '.svg'])
const minBytes = 1024

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/**
 * Writes `.br` and `.gz` files beside every file that shrinks, at the highest level. Runs once per build instead of at
 * every start of the server.
 */
export const precompress = (): Plugin => {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir
    },
    closeBundle: async () => {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !compressible.has(extname(entry.name))) continue
        const path = join(entry.parentPath, entry.name)
        const bytes = await readFile(path)
        if (bytes.byteLength < minBytes) continue
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength }
        await Promise.all([
          brotli(bytes, { params }).then((small) => writeFile(`${path}.br`, small)),
          gzipped(bytes, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
        ])
      }
    },
  }
}
