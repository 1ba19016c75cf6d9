import { expect, onTestFinished, test, vi } from 'vitest'
import { endSession } from './sign-out.ts'

test('a page also signs out at a replica of 1.0.0, which knows only the older address', async () => {
  const asked: string[] = []
  const left = Promise.withResolvers<string>()
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('location', { replace: left.resolve, href: 'http://docket.localhost/exports' })
  vi.stubGlobal('history', {})
  vi.stubGlobal('History', { prototype: { replaceState: () => {} } })
  vi.stubGlobal('fetch', (path: string, { method }: RequestInit) => {
    asked.push(`${method} ${path}`)
    return Promise.resolve(
      method === 'POST'
        ? Response.json({ code: 'not_found', message: 'Nothing here.', requestId: '1' }, { status: 404 })
        : new Response(null, { status: 204 }),
    )
  })
  endSession()
  expect(await left.promise).toBe('/sign-in')
  expect(asked).toEqual(['POST /api/auth/sign-out', 'DELETE /api/session'])
})
