import { expect, test } from 'vitest'
import { AppError } from '#ground/errors/app-error.ts'
import { normaliseDomain } from './domain.ts'

test.each([
  ['docs.example.com', 'docs.example.com', []],
  ['docs.localhost', 'docs.localhost', []],
  ['localhost', 'localhost', []],
  ['  DOCS.Example.COM \n', 'docs.example.com', []],
  ['https://docs.example.com', 'docs.example.com', ['Removed https://.']],
  ['HTTPS://docs.example.com/', 'docs.example.com', ['Removed HTTPS:// and the trailing slash.']],
  ['//docs.example.com', 'docs.example.com', ['Removed //.']],
  ['https:\\\\docs.example.com\\guide', 'docs.example.com', ['Removed https:\\\\ and the path \\guide.']],
  ['docs.example.com:8443', 'docs.example.com', ['Removed the port 8443.']],
  ['docs.example.com:', 'docs.example.com', ['Removed the colon.']],
  ['docs.example.com.', 'docs.example.com', ['Removed the trailing dot.']],
  ['docs.example.com。', 'docs.example.com', ['Removed the trailing dot.']],
  ['docs.example.com/guide', 'docs.example.com', ['Removed the path /guide.']],
  ['docs.example.com?a=b', 'docs.example.com', ['Removed the query.']],
  ['docs.example.com#top', 'docs.example.com', ['Removed the fragment.']],
  ['"docs.example.com"', 'docs.example.com', ['Removed the quotes.']],
  ['<https://docs.example.com>', 'docs.example.com', ['Removed the quotes and https://.']],
  [
    'https://docs.example.com:443/guide/?x=1#y',
    'docs.example.com',
    ['Removed https://, the port 443, the path /guide/ and the query.'],
  ],
  ['docs.exam\u200bple.com', 'docs.example.com', ['Removed invisible characters.']],
  ['https://evil.example\\@docs.example.com', 'evil.example', ['Removed https:// and the path \\@docs.example.com.']],
])('%j is read as the domain %s', (text, domain, notes) => {
  expect(normaliseDomain(text)).toEqual({ domain, unicode: null, notes })
})

test('an international name is converted to punycode, and its Unicode form is kept', () => {
  expect(normaliseDomain('Bücher.example')).toEqual({
    domain: 'xn--bcher-kva.example',
    unicode: 'bücher.example',
    notes: ['The service receives xn--bcher-kva.example.'],
  })
  expect(normaliseDomain('xn--bcher-kva.example')).toMatchObject({ unicode: 'bücher.example', notes: [] })
  expect(normaliseDomain('a。example').domain).toBe('a.example')
})

test('a secret in a pasted address is removed and not repeated in the notes', () => {
  const { domain, notes } = normaliseDomain('https://me:hunter2@docs.example.com/?token=s3cret')
  expect(domain).toBe('docs.example.com')
  expect(notes).toEqual(['Removed https://, the user name, the trailing slash and the query.'])
})

test.each([
  '',
  '   ',
  '""',
  'https://',
  '/guide',
  '?a=b',
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '1.2.3',
  'example.42',
  '１２７.0.0.1',
  '[::1]',
  '::1',
  'https://[fd00::1]:80/',
  'fe80::1%eth0',
  '*.example.com',
  'docs example.com',
  'docs.example.com\r\nHost: evil',
  'docs\u0000.example.com',
  'docs\u202e.example.com',
  'docs\u2066.example.com',
  'docs%2eexample.com',
  'docs.example.com%00.evil',
  'docs..example.com',
  '.example.com',
  '-docs.example.com',
  'docs-.example.com',
  'do_cs.example.com',
  'docs!.example.com',
  'docs,example.com',
  'docs.example.com;evil',
  'docs.example.com|evil',
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(130)}com`,
  `${'é'.repeat(70)}.example`,
  '{"domain":"docs.example.com"}',
  '../../v2/agent',
  'javascript:alert(1)',
  'docs.example.com:80:90',
])('%j is refused as a domain, with an error for its field', (text) => {
  try {
    normaliseDomain(text)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'domain' } })
    return
  }
  expect.unreachable()
})

test('any pasted text yields a hostname or an error', () => {
  const alphabet = [
    'a',
    'é',
    '.',
    '-',
    '/',
    '@',
    ':',
    '%',
    '\\',
    ' ',
    '1',
    '_',
    '[',
    '。',
    '\u200d',
    'xn--',
    'https://',
  ]
  let seed = 7
  const next = () => (seed = (seed * 48_271) % 2_147_483_647)
  for (let run = 0; run < 20_000; run++) {
    const text = Array.from({ length: 1 + (next() % 9) }, () => alphabet[next() % alphabet.length]!).join('')
    try {
      expect(normaliseDomain(text).domain).toMatch(
        /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/,
      )
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
})
