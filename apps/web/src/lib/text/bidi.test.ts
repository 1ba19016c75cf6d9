import { expect, test } from 'vitest'
import { isolate, isolateDomain } from './bidi.ts'

test('only text that could reorder its surroundings is isolated', () => {
  expect(isolate('docs.example.com')).toBe('docs.example.com')
  expect(isolate('Zoë 学')).toBe('Zoë 学')
  expect(isolate('נועה')).toBe('\u2068נועה\u2069')
  expect(isolate('سارة')).toBe('\u2068سارة\u2069')
  expect(isolateDomain('مثال.example')).toBe('\u2066مثال.example\u2069')
  expect(isolate('evil\u202egnp.exe')).toBe('\u2068evil\u202egnp.exe\u2069')
})
