import { AuditList } from '@docket/api-types/audit'
import { SavedView, SavedViews } from '@docket/api-types/saved-views'
import { afterAll, expect, test } from 'vitest'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { savedViews } from '#people/saved-views/saved-views.table.ts'

const app = await testApp()
afterAll(app.close)

const failed = { list: 'exports', name: 'Failed', query: 'group=failed&sort=oldest' }

const somebody = async () => {
  const { userId, cookie } = await signedIn(app.db, 'none')
  return {
    userId,
    list: async () => SavedViews.parse(await (await app.get('/api/views', { cookie })).json()).items,
    save: (body: object) => app.post('/api/views', { ...failed, ...body }, { cookie }),
    change: (viewId: string, body: object) => app.send('PATCH', `/api/views/${viewId}`, body, { cookie }),
    remove: (viewId: string) => app.delete(`/api/views/${viewId}`, { cookie }),
  }
}

const readView = async (response: Response) => SavedView.parse(await response.json())

test('people can save, rename, update and delete their own views, and each change is audited', async () => {
  const ada = await somebody()
  const response = await ada.save({ query: '?q=ärger+&sort=oldest' })
  expect(response.status).toBe(201)
  const saved = await readView(response)
  expect(saved).toMatchObject({ ...failed, query: 'q=%C3%A4rger+&sort=oldest' })
  await ada.save({ name: 'all mine', query: 'q=mine' })
  expect((await ada.list()).map(({ name }) => name)).toEqual(['all mine', 'Failed'])

  expect(await readView(await ada.change(saved.viewId, { name: ' FAILED ' }))).toEqual({ ...saved, name: 'FAILED' })
  const changed = await readView(await ada.change(saved.viewId, { query: 'attention=true' }))
  expect(changed).toEqual({ ...saved, name: 'FAILED', query: 'attention=true' })
  expect((await ada.remove(saved.viewId)).status).toBe(204)
  expect((await ada.remove(saved.viewId)).status).toBe(404)
  expect((await ada.list()).map(({ name }) => name)).toEqual(['all mine'])

  const { items } = AuditList.parse(await (await app.get(`/api/audit?actorId=${ada.userId}`)).json())
  const events = items.filter(({ target }) => target?.id === saved.viewId).toReversed()
  expect(events.map(({ action, target, details }) => [action, target?.name, details])).toEqual([
    ['saved_view.created', 'Failed', { list: 'exports' }],
    ['saved_view.changed', 'FAILED', { list: 'exports' }],
    ['saved_view.changed', 'FAILED', { list: 'exports' }],
    ['saved_view.deleted', 'FAILED', { list: 'exports' }],
  ])
})

test('a person cannot have two views of one list with the same name, ignoring case, even if two requests race', async () => {
  const [ada, bob] = [await somebody(), await somebody()]
  const both = await Promise.all(['Failed', 'fAILED'].map((name) => ada.save({ name })))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  const refused = await ada.save({})
  expect(await refused.json()).toMatchObject({ code: 'conflict', field: 'name' })
  const other = await readView(await ada.save({ name: 'Other' }))
  expect((await ada.change(other.viewId, { name: 'failed' })).status).toBe(409)
  expect((await ada.save({ list: 'agent-jobs' })).status).toBe(201)
  expect((await bob.save({})).status).toBe(201)
})

test('a view with a query that its list does not support is refused', async () => {
  const ada = await somebody()
  for (const query of [
    '',
    '?',
    'group=working',
    'cursor=x',
    'q=a&unknown=1',
    'dates=%00',
    'connection=x',
    `q=${'a'.repeat(201)}`,
  ])
    expect([query, (await ada.save({ query })).status]).toEqual([query, 400])
  expect((await ada.save({ query: `q=${'%20'.repeat(400)}a` })).status).toBe(400)
  const job = await readView(await ada.save({ list: 'agent-jobs', query: 'group=working&model=m' }))
  expect((await ada.change(job.viewId, { query: 'domain=docs.example.com' })).status).toBe(400)
  expect((await ada.save({ list: 'audit' })).status).toBe(400)
  expect((await ada.save({ name: '  ' })).status).toBe(400)
  expect(await ada.list()).toEqual([job])
})

test('a person has at most fifty views per list and cannot reach the views of others', async () => {
  const [ada, bob] = [await somebody(), await somebody()]
  const views = Array.from({ length: 50 }, (_, index) => ({
    ...failed,
    list: 'exports' as const,
    name: `View ${index}`,
    userId: ada.userId,
    createdAt: new Date(),
  }))
  const [first] = await app.db.insert(savedViews).values(views).returning()
  expect((await ada.save({})).status).toBe(409)
  expect((await ada.save({ list: 'agent-jobs', query: 'q=x&dates=2026-11-01..2026-11-30' })).status).toBe(201)
  expect(await bob.list()).toEqual([])
  expect((await bob.change(first!.viewId, { name: 'Mine' })).status).toBe(404)
  expect((await bob.remove(first!.viewId)).status).toBe(404)
  expect((await app.delete(`/api/users/${ada.userId}`)).status).toBe(204)
  expect(await app.db.$count(savedViews)).toBeGreaterThan(0)
  expect((await app.db.select().from(savedViews)).filter(({ userId }) => userId === ada.userId)).toEqual([])
})
