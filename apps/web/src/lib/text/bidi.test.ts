import { expect, test } from 'vitest'
import { isolateText, isolateDomain } from './format.ts'

test('only text that could reorder its surroundings is isolated', () => {
  expect(isolateText('docs.example.com')).toBe('docs.example.com')
  expect(isolateText('Zoë 学')).toBe('Zoë 学')
  expect(isolateText('נועה')).toBe('\u2068נועה\u2069')
  expect(isolateText('سارة')).toBe('\u2068سارة\u2069')
  expect(isolateDomain('مثال.example')).toBe('\u2066مثال.example\u2069')
  expect(isolateText('evil\u202egnp.exe')).toBe('\u2068evil\u202egnp.exe\u2069')
})
