import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { awkwardSite, mountedSite } from '#packages/site-bundle/src/testing/awkward-sites.ts'
import { exportSource } from '#scripts/sites/export-source.ts'

/** A bundle to serve. `path`: where its site is served. */
export type ServedBundle = { name: string; bundle: Buffer; path: string }

type Files = Readonly<Record<string, string>>

const writeFiles = (files: Files): string => {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const pack = async (files: Files): Promise<Buffer> =>
  gzipSync(
    await packTar(
      Object.entries(files).map(([name, text]) => ({
        header: { name, type: 'file' as const, size: Buffer.byteLength(text) },
        body: text,
      })),
    ),
  )

const book: Files = {
  'book.toml': '[book]\ntitle = "The Book"\n\n[output.html.redirect]\n"/old.html" = "one.html"\n',
  'src/SUMMARY.md': '# The Book\n\n[Start](README.md)\n\n- [One](one.md)\n  - [Deep](part/deep.md)\n- [Ü](ümlaut.md)\n',
  'src/README.md': '# Start\n\nSee [one](one.md).\n',
  'src/one.md': '# One\n\n![A picture](picture.svg)\n',
  'src/part/deep.md': '# Deep\n\nBack to [one](../one.md).\n',
  'src/ümlaut.md': '# Ü\n\nText.\n',
  'src/picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

const vitepress: Files = {
  'package.json': '{ "devDependencies": { "vitepress": "1.6.4" } }',
  '.vitepress/config.ts':
    "import { defineConfig } from 'vitepress'\nexport default defineConfig({ title: 'Site', cleanUrls: true, themeConfig: { sidebar: [{ text: 'Guide', link: '/guide/' }, { text: 'API', link: '/guide/api' }] } })\n",
  'index.md': '# Home\n\nRead the [guide](/guide/).\n',
  'guide/index.md': '# Guide\n\nSee the [API](./api.md).\n',
  'guide/api.md': '# API\n\n::: tip\nShort.\n:::\n',
}

/** Five bundles: three sources through the exporter, and two that other builders write. */
export const makeBundles = async (): Promise<ServedBundle[]> => {
  const exported = async (name: string, folder: string) => {
    const { bundle } = await exportSource(folder)
    return { name, bundle, path: '/' }
  }
  return [
    await exported('docs.json', join(import.meta.dirname, '..', '..', 'docs', 'guide')),
    await exported('mdBook', writeFiles(book)),
    await exported('VitePress', writeFiles(vitepress)),
    { name: 'awkward names', bundle: await pack(awkwardSite), path: '/' },
    { name: 'a folder', bundle: await pack(mountedSite), path: '/handbook/' },
  ]
}
