import { expect, test } from 'vitest'
import { cleanSentence, findProse, readSentence } from './sentence.ts'

test('a message is one line of at most 500 visible characters', () => {
  expect(cleanSentence(' Plan\r\nX-Injected: 1\tis\u0000 \u001b[31mtoo\u202e small\u200b ', [])).toBe(
    'Plan X-Injected: 1 is [31mtoo small',
  )
  expect(cleanSentence('a'.repeat(9_000), [])).toHaveLength(500)
  expect(cleanSentence(`${'a'.repeat(498)}😀😀`, [])?.isWellFormed()).toBe(true)
  expect(cleanSentence('<b>bold</b> & "quoted"', [])).toBe('<b>bold</b> & "quoted"')
  for (const nothing of ['', ' \n ', '\u200b', null, 7, {}, undefined]) expect(cleanSentence(nothing, [])).toBeNull()
})

test('an error message is read in the format of the contract and in those of gateways, and no part of it is lost', () => {
  const table: [unknown, string | null][] = [
    [{ error: 'Not enabled' }, 'Not enabled'],
    [{ error: 'Not enabled', message: 'Not enabled' }, 'Not enabled'],
    [{ error: 'Not enabled', message: 'other' }, 'Not enabled; other'],
    [{ error: 'E1234', message: 'The domain is not verified' }, 'E1234: The domain is not verified'],
    [{ error: 'invalid_request', error_description: 'No such domain.' }, 'invalid_request: No such domain.'],
    [
      { errors: [{ message: 'One is wrong.' }, { detail: 'Two is wrong.' }, 'Three'] },
      'One is wrong; Two is wrong; Three',
    ],
    [{ errors: { domain: 'x' }, message: 'Invalid' }, 'Invalid'],
    [{ type: 'about:blank', title: 'Forbidden', status: 403 }, 'Forbidden'],
    [{ title: 'Forbidden', detail: 'The plan lacks it.' }, 'The plan lacks it.'],
    [{ detail: { message: 'Nope' } }, 'Nope'],
    [{ reason: 'Nope' }, 'Nope'],
    [{ error: { error: { error: { error: { error: 'too deep' } } } } }, null],
    [{ error: { message: 'Not enabled' } }, 'Not enabled'],
    [{ error: 403, message: 'Forbidden' }, 'Forbidden'],
    [{ detail: 'Nope' }, 'Nope'],
    [{ error: ['a'] }, 'a'],
    [JSON.parse('{"__proto__":{"error":"forged"}}'), null],
    ['text', 'text'],
    [null, null],
  ]
  for (const [body, sentence] of table) expect(readSentence(body, [])).toBe(sentence)
})

test('text without secrets is kept unchanged', () => {
  const plain = 'See https://docs.example.com/plans for the Enterprise plan; keys begin with adm_.'
  expect(cleanSentence(plain, ['adm_0123456789abcdef'])).toBe(plain)
})

test('a key is removed in every base64 variant', () => {
  const key = `adm_${'?>'.repeat(12)}`
  for (const encoding of ['base64', 'base64url'] as const) {
    expect(cleanSentence(`got ${Buffer.from(key).toString(encoding)}`, [key])).toBe('got [removed]')
  }
})

test('of thousands of nested messages, the first ten are read, so that none of them takes seconds', () => {
  const places = ['error', 'message', 'detail', 'reason', 'errors', 'msg', 'error_description']
  const nest = (depth: number, path: string): unknown =>
    depth === 0
      ? `${path} ${'x'.repeat(400)}`
      : Object.fromEntries(places.map((place) => [place, nest(depth - 1, path + place)]))
  const told = findProse(nest(4, '')) ?? ''
  expect(told.startsWith('errorerrorerrorerror')).toBe(true)
  expect(told.length).toBeLessThan(5_000)
})
