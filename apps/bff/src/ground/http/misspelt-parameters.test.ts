import { ApiErrorBody } from '@docket/api-types/api-error'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

test('a program that misspells a filter of a list gets 400 with the right name, and other parameters and pages are as before', async () => {
  const app = await testApp()
  onTestFinished(app.close)
  const { bearer } = await makeToken(app)
  for (const [path, name, right] of [
    ['/api/agent-jobs?project=docs', 'project', 'projectId'],
    ['/api/agent-jobs?project_id=docs', 'project_id', 'projectId'],
    ['/api/static-exports?connectionId=1', 'connectionId', 'connection'],
    ['/api/static-exports?Domain=a.example', 'Domain', 'domain'],
  ]) {
    const answer = await app.get(path!, bearer)
    expect([path, answer.status]).toEqual([path, 400])
    const { field, message } = ApiErrorBody.parse(await answer.json())
    expect([field, message]).toEqual([name, `${name}: There is no such parameter. Use ${right}.`])
    expect((await app.get(path!)).status).toBe(200)
  }
  for (const path of ['/api/static-exports?_=1760000000&utm_source=x', '/api/agent-jobs?projectId=docs&limit=5'])
    expect([path, (await app.get(path, bearer)).status]).toEqual([path, 200])
})
