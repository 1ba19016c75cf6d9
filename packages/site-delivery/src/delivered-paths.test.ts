import { expect, test } from 'vitest'
import { formatContentType } from '@docket/site-bundle/serve/respond'
import { formatCacheControl } from './delivered-paths.ts'

const describe = (path: string, type: string) => {
  const file = { path, type, sizeBytes: 1, sha256: '' }
  return [formatContentType(file), formatCacheControl(file)]
}

test('only files that builds name by their content are kept for a year', () => {
  const names = `404.html IMG-20240101-WA0001.jpg app.3f9c1a7b.js chapter.10000000.png data-2024-11-28.json
    getting-started-step1.png guide-v2-final.svg img_20240101.png index-BxY3kQ9a.js index.html iphone-15-pro-max.jpg
    logo.png mysql-8_0_36.sql openapi-3.1.0.json release-notes-2024.pdf report-20240101.pdf screenshot-dashboard-2.png
    sdk-windows-x64.zip search-index-v2.json style.css swagger-ui-bundle5.js versions-2.json`.split(/\s+/)
  const kept = names.filter((name) => describe(name, 'application/octet-stream')[1]!.includes('immutable'))
  expect(kept).toEqual(['app.3f9c1a7b.js', 'index-BxY3kQ9a.js'])
})

test('types are those of the bundle, and a page with any parameters is asked for again', () => {
  const again = 'public, max-age=0, must-revalidate'
  expect(describe('guide', 'text/html')).toEqual(['text/html', again])
  expect(describe('a.3f9c1a7b.js', 'text/html; charset=shift_jis')).toEqual(['text/html; charset=shift_jis', again])
  expect(describe('ch1.xhtml', 'application/xhtml+xml')).toEqual(['application/xhtml+xml', again])
  expect(describe('feed.atom', 'application/atom+xml')).toEqual(['application/atom+xml', 'public, max-age=300'])
  expect(describe('x.vtt', 'text/vtt')).toEqual(['text/vtt; charset=utf-8', 'public, max-age=300'])
})
