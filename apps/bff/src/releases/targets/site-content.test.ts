import type { TargetSettings } from '@docket/api-types/targets'
import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { expect, test } from 'vitest'
import { readSiteContent } from './site-content.ts'

const settings = {
  folder: { kind: 'folder', path: '/srv/www', keep: 3, address: null },
  git: { kind: 'git', url: '/srv/r.git', branch: 'pages', folder: '', user: null, hostKey: null, address: null },
} as const
const list = async (paths: string[], to: TargetSettings, mount = '/') => {
  const files = Object.fromEntries(paths.map((path) => [`site/${path}`, 'x']))
  const content = await readSiteContent('0'.repeat(64), siteInMemory(files, { root: 'site/', mount }), to)
  return content.files.map(({ path }) => path).toSorted()
}

test('a delivery contains the files for readers, and rules of a host only for those that read them', async () => {
  const readers = ['guide/_headers', 'guide/export-report.json', 'index.html']
  const rules = ['_headers', '_redirects', '_routes.json', '_worker.js', 'netlify.toml', 'vercel.json']
  const paths = [...readers, ...rules, 'export-report.json', '.gitignore', 'guide/.gitattributes']
  expect(await list(paths, settings.folder)).toEqual(readers)
  expect(await list(paths, settings.git)).toEqual([...rules, ...readers].toSorted())
})

test('a site is delivered to the folder that its path leads to from the public address of the target', async () => {
  const s3 = {
    kind: 's3',
    endpoint: null,
    region: 'r',
    bucket: 'b',
    prefix: '',
    accessKeyId: 'a',
    graceMinutes: 5,
  } as const
  const places: [TargetSettings, string, string | null][] = [
    [settings.folder, '/proj/', 'proj/'],
    [settings.folder, '/', ''],
    [{ ...settings.folder, path: '/srv/www/proj' }, '/proj/', ''],
    [{ ...settings.folder, path: '/srv/wwwproj' }, '/proj/', 'proj/'],
    [{ ...s3, prefix: 'a/proj', address: null }, '/proj/', ''],
    [settings.git, '/proj/', ''],
    ...(['folder', 'git'] as const).flatMap((kind): [TargetSettings, string, string | null][] => [
      [{ ...settings[kind], address: 'https://docs.example.com' }, '/proj/', 'proj/'],
      [{ ...settings[kind], address: 'https://acme.example.io/proj' }, '/proj/', ''],
      [{ ...settings[kind], address: 'https://acme.example.io/proj/' }, '/proj/v2/', 'v2/'],
      [{ ...settings[kind], address: 'https://acme.example.io/%C3%BCber/' }, '/über/uns/', 'uns/'],
      [{ ...settings[kind], address: 'https://docs.example.com/other/' }, '/', ''],
      [{ ...settings[kind], address: 'https://docs.example.com/pro/' }, '/proj/', null],
      [{ ...settings[kind], address: 'https://docs.example.com/proj/v2/' }, '/proj/', null],
    ]),
  ]
  for (const [to, mount, folder] of places) {
    const found = await list(['a/index.html'], to, mount).catch((error: Error) => error.message)
    const expected = folder === '' ? ['a/index.html'] : [`${folder}a/index.html`, 'index.html'].toSorted()
    expect([to, found]).toEqual([to, folder === null ? expect.stringContaining(`built for ${mount}`) : expected])
  }
})
