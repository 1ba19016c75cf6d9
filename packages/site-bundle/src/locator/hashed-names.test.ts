import { expect, test } from 'vitest'
import { hasHash, hashedEnding } from './hashed-names.ts'

const hashed = [
  // webpack, Parcel, Docusaurus, MkDocs, mdBook
  'app.3f9c1a7b.js',
  'static/js/main.0c1d2e3f.chunk.js',
  'static/css/main.8a2b90cd.css.map',
  'assets/css/styles.7e1c9f04.css',
  'assets/images/logo-550fe1a7c0b2af1d8c3b2a190e8d7f6a.png',
  'assets/javascripts/bundle.79ae519e.min.js',
  'elasticlunr-ef4e11c1.min.js',
  // Rollup, Vite, VitePress, Astro, SvelteKit, Nuxt
  'index-BxY3kQ9a.js',
  'assets/index-D0wrg3dx.css',
  'assets/guide_start.md.Ck3vJ8sd.lean.js',
  'assets/inter-latin.Bu8e1_3v.woff2',
  'docs/assets/chunks/theme.B7qX2fLm.js',
  '_astro/page.DxWrgTdq.css',
  '_astro/hero.Bx3kQ9aZ_Z1kQ9a.webp',
  '_app/immutable/chunks/C4xk2PqR.js',
  '_app/immutable/nodes/0.D8f3kQ9z.js',
  '_nuxt/Dq2xW7Lk.js',
  // Next, Gatsby, Angular and esbuild
  '_next/static/chunks/main-4c1f0a9b8d7e6f5a.js',
  '_next/static/chunks/0a1b2c3d4e5f6071.js',
  '_next/static/media/inter-s.p.f49a8de1.woff2',
  'component---src-pages-index-tsx-3f9c1a7b0d2e4f6a8b1c.js',
  'chunk-XK2P4LMN.js',
  'polyfills.1f0a9b8d7e6f5a4c.js',
  // Django, Sprockets, Hugo
  'css/base.27e20196a850.css',
  `application-${'9f86d081884c7d65'.repeat(4)}.js`,
  `style.min.${'3c9909afec25354d'.repeat(8)}.css`,
]

const notHashed = [
  'getting-started-step1.png',
  'screenshot-dashboard-2.png',
  'release-notes-2024.pdf',
  'report-20240101.pdf',
  'report-20240101.png',
  'guide-v2-final.svg',
  'search-index-v2.json',
  'sdk-windows-x64.zip',
  'iphone-15-pro-max.jpg',
  'chapter.10000000.png',
  'data-2024-11-28.json',
  'IMG-20240101-WA0001.jpg',
  'IMG_20240101_123456.jpg',
  'PXL-20240101T120000Z.jpg',
  'photo-20240101a.png',
  'shot-1612345678901.png',
  'mysql-8_0_36.sql',
  'mysql-8_0_36ab.json',
  'openapi-3.1.0.json',
  'swagger-ui-bundle5.js',
  'bootstrap-datepicker.js',
  'jquery-3.7.1.min.js',
  'jquery-ui-1.13.2.custom.min.css',
  'Screenshot2024.png',
  'docs-Screenshot2024.png',
  'index-myComponent.js',
  'assets/index-myComponent.js',
  'assets/index-DataGrid.js',
  'assets/index-S3Bucket.js',
  'assets/logo-DarkMode.svg',
  'assets/chart-Version2.js',
  'assets/report-20240101.js',
  'flow-Win10Set.png',
  'flow-OAuth2Login.png',
  'flow-Mp3ToMp4.svg',
  'tile-z3x12y45.png',
  'board-ESP32S3X.png',
  'drawing-1234567a.svg',
  'part-abc12345.json',
  'manual-v1.2.3-abcdef.js',
  'manual-v1.2.3-14-g3f9c1a7b.js',
  'manual-3f9c1a7b.pdf',
  'docs.3f9c1a7b.html',
  // Names of things, not of bytes.
  'posts/550e8400-e29b-41d4-a716-446655440000.json',
  'item-550e8400e29b41d4a716446655440000.png',
  'item-6123f0e1a2b3c4d5e6f70809.png',
  'dQw4w9WgXcQ.jpg',
  'video-dQw4w9WgXcQ.jpg',
  '935f2afb.js',
  '1f468-200d-1f469.svg',
  '_docket/site.css',
  '_docket/search/0/pages-0.js',
  '_nuxt/builds/latest.json',
  '_app/version.json',
  '_next/static/my-build/_buildManifest.js',
  '_astro/overview.css',
  '_astro/hero-version2.webp',
  'assets/style.css',
  'decade/faceb00c/index.js',
]

test.each(hashed)('%s is named by its content', (path) => {
  expect(hasHash(path)).toBe(true)
})

test.each(notHashed)('%s may change under its name', (path) => {
  expect(hasHash(path)).toBe(false)
})

test('hashes of builds are found, and words, dates and versions are not taken for one', () => {
  let seed = 7
  const next = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max
  const pick = (from: string | string[], length: number) =>
    Array.from({ length }, () => from[next(from.length)]).join('')
  const share = (make: () => string) =>
    Array.from({ length: 2_000 }, make).filter((path) => hasHash(path)).length / 2_000
  const wrong = (make: () => string) => Array.from({ length: 2_000 }, make).filter(hasHash).slice(0, 5)
  const words = ['guide', 'step', 'App', 'Data', 'Mode', 'api', 'http', 'SQL', 'web', 'Node', 'beta', 'face', 'decade']
  const between = (least: number, count: number) => String(least + next(count)).padStart(2, '0')

  expect(share(() => `app.${pick('0123456789abcdef', 8)}.js`)).toBeGreaterThan(0.8)
  expect(share(() => `app.${pick('0123456789abcdef', 20)}.js`)).toBeGreaterThan(0.95)
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  expect(share(() => `assets/index-${pick(base64, 8)}.js`)).toBeGreaterThan(0.5)
  expect(share(() => `_astro/index.${pick(base64, 8)}.css`)).toBeGreaterThan(0.7)

  const folder = () => pick(['', 'img/', 'assets/', 'static/js/'], 1)
  const ending = () => pick(['.png', '.js', '.css', '.svg', '.json'], 1)
  const date = () => `${between(1995, 40)}${between(1, 12)}${between(1, 28)}`
  for (const part of [
    () => pick(words, 1 + next(3)),
    () => pick(words, 1 + next(2)) + next(3_000),
    () => pick(words, 1) + next(100) + pick(words, 1),
    date,
    () => date() + pick(words, 1),
    () => `${next(30)}.${next(30)}.${next(30)}`,
    () => `v${next(30)}_${next(30)}_${next(30)}`,
    () => String(next(1_000_000_000)),
  ])
    expect(wrong(() => `${folder()}${pick(words, 1)}-${part()}${ending()}`)).toEqual([])
})

test('the expression for servers takes no word, date or version for a hash, in folders of hashed names', () => {
  const pattern = new RegExp(`^assets/.*${hashedEnding}$`)
  const kept = ['app.3f9c1a7b.js', 'index-BxY3kQ9a.js', 'bundle.79ae519e.min.js', 'app.3f9c1a7b.js.map']
  for (const name of [...kept, 'base.27e20196a850.css', `style.${'9f86d081884c7d65'.repeat(4)}.css`])
    expect([name, pattern.test(`assets/${name}`)]).toEqual([name, true])
  // It only sees names beside hashed ones, so some parts that look like hashes do not matter here.
  const hashlike = /3f9c1a7b|550e8400|6123f0e1|dQw4|ESP32|z3x12|S3Bucket|Win10|Mp3To/
  for (const name of notHashed.filter((path) => !hashlike.test(path)))
    expect([name, pattern.test(`assets/${name}`)]).toEqual([name, false])
})
