import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetVisitor, keepVisitor, readLastVisitor, readTabOwner } from './visitor.ts'

/** As a browser's storage: the keys are properties of their own. */
const storage = () => {
  const values: Record<string, string> = {}
  return Object.defineProperties(values, {
    getItem: { value: (key: string) => values[key] ?? null },
    setItem: { value: (key: string, text: string) => void (values[key] = text) },
    removeItem: { value: (key: string) => Reflect.deleteProperty(values, key) },
  })
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
})
afterEach(() => void vi.unstubAllGlobals())

test('a browser remembers its last user after the session ended', () => {
  expect(readLastVisitor()).toBe(null)
  keepVisitor({ userId: '4711', role: 'operator' })
  expect(readLastVisitor()).toEqual({ userId: '4711', role: 'operator' })
  keepVisitor({ userId: '4711', role: null })
  expect(readLastVisitor()).toEqual({ userId: '4711', role: null })
})

test('an unknown stored role is ignored', () => {
  localStorage.setItem('docket.who', 'owner:4711')
  expect(readLastVisitor()).toEqual({ userId: '4711', role: null })
})

test('forgetting a user removes all stored data but the theme and the data of other applications', () => {
  keepVisitor({ userId: '4711', role: 'admin' })
  sessionStorage.setItem('docket.start', '{"domain":"secret.example.com"}')
  localStorage.setItem('docket.sites', 'x')
  localStorage.setItem('docket.theme', 'dark')
  localStorage.setItem('somebody.else', 'y')
  forgetVisitor()
  expect(Object.keys(localStorage)).toEqual(['docket.theme', 'somebody.else'])
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('a tab remembers the owner of its drafts even if another user signs in in another tab', () => {
  keepVisitor({ userId: '4711', role: 'admin' })
  localStorage.setItem('docket.who', 'viewer:4712')
  expect(readTabOwner()).toBe('4711')
})
