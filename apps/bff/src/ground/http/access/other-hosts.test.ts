import { expect, test } from 'vitest'
import { findHostProblems } from './other-hosts.ts'

const read = (publicUrl: string | null, settings: { previews?: string; hosting?: string }) =>
  findHostProblems({
    publicUrl: publicUrl === null ? null : new URL(publicUrl),
    previewUrl: settings.previews === undefined ? null : { parent: settings.previews },
    hostingUrl: settings.hosting === undefined ? null : { parent: settings.hosting },
  })
const docket = 'https://docket.example.com'

test('there is no advice for preview and hosting domains separate from Docket’s', () => {
  expect(read(docket, { previews: 'docs-preview.example', hosting: 'docs.example' })).toEqual([])
  expect(read(null, { hosting: 'sites.localhost:3000' })).toEqual([])
})

test.for([
  ['a domain shared with Docket', docket, { previews: 'p.example.com' }, 'PREVIEW_URL shares a domain'],
  ['the same for hosted sites', docket, { hosting: 'docs.example.com' }, 'HOSTING_URL shares a domain'],
  ['another port of it', `${docket}:444`, { hosting: 'docs.example.com:8443' }, 'shares a domain'],
  ['a parent of Docket', docket, { hosting: 'com' }, 'shares a domain'],
  ['a name on the computer of the reader', docket, { hosting: 'localhost:3000' }, 'below localhost'],
  ['the same for previews', docket, { previews: 'p.localhost' }, 'PREVIEW_URL is below localhost'],
  [
    'previews below hosted sites',
    docket,
    { previews: 'p.docs.example', hosting: 'docs.example' },
    'HOSTING_URL overlaps',
  ],
  ['no address for the sign-in', null, { hosting: 'docs.example' }, 'without PUBLIC_URL'],
] as const)('advice is given about %s', ([, publicUrl, settings, sentence]) => {
  expect(read(publicUrl, settings)).toEqual([expect.stringContaining(sentence)])
})
