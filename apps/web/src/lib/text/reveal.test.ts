import { expect, test } from 'vitest'
import { revealHiddenCharacters } from './format.ts'

test('characters that hide or reorder text become visible, and joiners of scripts and emoji stay', () => {
  expect(revealHiddenCharacters('a\u202eb\u2066\u200b\ufeff')).toBe('a[U+202E]b[U+2066][U+200B][U+FEFF]')
  expect(revealHiddenCharacters('bell\u0007 escape\u001b[31m delete\u007f')).toBe('bell␇ escape␛[31m delete␡')
  expect(revealHiddenCharacters('tag\u{e0041}')).toBe('tag[U+E0041]')
  expect(revealHiddenCharacters('👩\u200d💻 می\u200cخواهم\ttab\nline')).toBe('👩\u200d💻 می\u200cخواهم\ttab\nline')
})
