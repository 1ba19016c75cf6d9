import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawRequest } from '#testing/raw-request.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const chunked = (text: string) =>
  rawRequest(
    app.port,
    `POST /api/agent-jobs HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nOrigin: http://127.0.0.1:${app.port}\r\nX-Docket: 1\r\n` +
      'Content-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n' +
      `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
  )

test('a change without a body reaches its route', async () => {
  expect((await app.delete('/api/agent-jobs/docs/nobody')).status).toBe(404)
  expect((await app.post('/api/agent-jobs/docs/nobody/restore')).status).toBe(404)
})

test('a small body of unannounced length is read like any other', async () => {
  expect(await chunked('{"jobs":[]}')).toMatch(/^HTTP\/1\.1 400 [^]*"field":"jobs"/)
})

test('a large body of unannounced length is refused', async () => {
  expect(await chunked(`{"jobs":[],"x":"${'x'.repeat(70_000)}"}`)).toMatch(/^HTTP\/1\.1 413 [^]*"too_large"/)
})
