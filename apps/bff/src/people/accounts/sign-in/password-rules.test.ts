import { expect, test } from 'vitest'
import { checkPassword } from './password-rules.ts'

const owner = { name: 'Ada Lovelace', email: 'ada.lovelace@example.com', host: 'docs.example.com' }

const readRefusal = (password: string) =>
  checkPassword(password, owner, 'password').then(
    () => null,
    (error: Error) => error.message,
  )

test.each([
  ['passwordpassword', /repeats|Many people/],
  ['password12345678', /Many people|keyboard/],
  ['aaaaaaaaaaaaaaaaaaaa', /repeats/],
  ['abcABC123!abcABC123!', /repeats/],
  ['abcdefghijklmnopqrst', /alphabet/],
  ['qwertyuiopasdfghjkl', /keyboard|Many people/],
  ['mailcreated5240', /Many people/],
  ['ada.lovelace@example.com', /your name/],
  ['adalovelace2026!', /your name/],
  ['docketdocketdocket', /your name/],
  ['docs.example.com', /your name/],
  ['x'.repeat(256), /repeats/],
])('%s is refused with the reason', async (password, reason) => {
  expect(await readRefusal(password)).toMatch(reason)
})

test.each([
  'correct horse battery staple',
  'my dog eats cheese',
  'tdG7kk2lPQz9mmW',
  'käse-Ölmühle wandert',
  'ada likes trellis onions',
])('%s is accepted, because capitals, digits and signs are not required', async (password) => {
  expect(await readRefusal(password)).toBeNull()
})
