import { expect, test } from 'vitest'
import { startApi } from '#testing/api.ts'

test('reserved prompts are answered as documented, for a new job and for a message to one', async () => {
  const { call } = await startApi()
  for (const path of ['/v2/agent/sentinel/job', '/v2/agent/sentinel/job/failed/message']) {
    const answer = (prompt: string) => call('POST', path, { prompt })
    await expect(answer('lost-answer')).rejects.toThrow(/fetch failed/)
    expect((await answer('not-allowed')).status).toBe(403)
    const limited = await answer('rate-limited')
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '5'])
    for (const other of ['Fix links', 'constructor']) expect((await answer(other)).status).toBe(404)
  }
  const message = await call('POST', '/v2/agent/sentinel/job/archived/message', { prompt: 'Fix links' })
  expect(message.status).toBe(409)
})

test('reserved jobs show every state with its details, including cancelled, archived and with a log', async () => {
  const { call } = await startApi()
  const path = '/v2/agent/sentinel/job'
  const answer = async (method: string, address: string) => {
    const response = await call(method, path + address)
    return { code: response.status, ...((await response.json()) as object) }
  }
  expect(await answer('GET', '/waiting')).toMatchObject({ status: 'active', queuePosition: 3 })
  expect(await answer('GET', '/merged')).toMatchObject({ status: 'completed', pullRequest: { state: 'merged' } })
  expect(await answer('GET', '/cancelled')).toMatchObject({ status: 'failed', error: 'cancelled' })
  expect(await answer('POST', '/working/cancel')).toMatchObject({
    status: 'failed',
    error: 'cancelled',
    lastLine: null,
  })
  expect(await answer('POST', '/merged/cancel')).toMatchObject({ code: 409 })
  expect(await answer('POST', '/merged/archive')).toMatchObject({ status: 'archived' })
  expect(await answer('POST', '/working/archive')).toMatchObject({ code: 409 })
  expect(await answer('GET', '/working/log')).toMatchObject({
    ended: false,
    text: expect.stringContaining('Turn 1') as unknown,
  })
  expect(await answer('GET', '/nothing/log')).toMatchObject({ code: 404 })
})
