import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { expect, test } from 'vitest'
import { readSiteContent } from './site-content.ts'

test('a delivery contains the files for readers, and none that only programs read', async () => {
  const paths = [
    'index.html',
    '_redirects',
    '_headers',
    'export-report.json',
    '.gitignore',
    'guide/.gitattributes',
    'guide/export-report.json',
  ]
  const site = siteInMemory(Object.fromEntries(paths.map((path) => [`site/${path}`, 'x'])), { root: 'site/' })
  const { files } = await readSiteContent('0'.repeat(64), site)
  expect(files.map(({ path }) => path).toSorted()).toEqual([
    '_headers',
    '_redirects',
    'guide/export-report.json',
    'index.html',
  ])
})
