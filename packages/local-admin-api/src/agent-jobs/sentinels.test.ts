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
