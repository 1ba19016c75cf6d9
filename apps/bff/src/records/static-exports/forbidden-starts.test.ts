import { randomUUID } from 'node:crypto'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { Status } from '@docket/api-types/status'
import { expect, onTestFinished, test } from 'vitest'
import { staticExportStandIn } from '#records/static-exports/testing/stand-in.ts'
import { testApp } from '#testing/test-app.ts'

/** A Docket beside a stand-in of the service. */
const connectedApp = async () => {
  const upstream = await staticExportStandIn()
  onTestFinished(upstream.close)
  const app = await testApp({ upstream: { url: upstream.url, key: 'test_key' } })
  onTestFinished(app.close)
  const start = async (domain: string) => {
    const response = await app.post('/api/static-exports', { requestId: randomUUID(), domain, confirmed: true })
    return StartedStaticExport.parse(await response.json()).export
  }
  const readState = async () => Status.parse(await (await app.get('/api/status')).json()).connection.state
  return { upstream, app, start, readState }
}

test('one forbidden start affects only its row, and forbidden starts of several domains in a row change the connection state', async () => {
  const { upstream, start, readState } = await connectedApp()
  await start('good.example')
  upstream.onStart(() => ({ status: 403, body: { error: 'Not for this site.' } }))
  for (const domain of ['a.example', 'a.example', 'b.example', 'a.example']) {
    expect(await start(domain)).toMatchObject({ state: 'refused', reason: 'Not for this site.' })
    expect(await readState()).toBe('ok')
  }
  await start('c.example')
  expect(await readState()).toBe('forbidden')
  upstream.onStart(null)
  await start('good.example')
  expect(await readState()).toBe('ok')
})

test('a forbidden read changes the connection state at once', async () => {
  const { upstream, app, start, readState } = await connectedApp()
  const { exportId } = await start('good.example')
  upstream.answers('job-1', { status: 403, body: { error: 'No.' } })
  await app.post(`/api/static-exports/${exportId}/check`)
  expect(await readState()).toBe('forbidden')
})
