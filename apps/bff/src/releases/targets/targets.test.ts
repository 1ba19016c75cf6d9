import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DryRun, Target, TargetTest } from '@docket/api-types/targets'
import { afterAll, expect, test } from 'vitest'
import { targetsApp, toSum } from '#testing/targets-app.ts'

const app = await targetsApp()
afterAll(app.close)
app.services.background.start()

/** Waits until a target has nothing more to do, and returns what happened last. */
const settle = async (targetId: string) => {
  await expect
    .poll(async () => (await app.listDeliveries(targetId)).map(({ state }) => state), {
      timeout: 10_000,
      interval: 30,
    })
    .not.toEqual(expect.arrayContaining([expect.stringMatching(/waiting|running/)]))
  return (await app.listDeliveries(targetId))[0]!
}
const current = (name: string, file = 'index.html') => readFile(join(app.www, name, 'current', file), 'utf8')

test('a new release is delivered automatically, and can be compared, verified and rolled back', async () => {
  const { targetId } = await app.addFolder('web')
  const at = `${app.path}/${targetId}`
  expect((await app.post(`${at}/deliveries`, { kind: 'delivery' })).status).toBe(409)
  await app.publish(1)
  expect(await settle(targetId)).toMatchObject({
    kind: 'delivery',
    state: 'done',
    sha256: toSum(1),
    releaseNumber: 1,
    added: 3,
    changed: 0,
    removed: 0,
    problem: null,
    askedBy: 'The admin',
  })
  expect(await current('web')).toBe('<h1>1</h1>')
  expect(await readdir(join(app.www, 'web', 'current'))).not.toContain('outside.txt')

  await app.send('PATCH', at, { onRelease: false })
  await app.publish(2)
  const dryRun = DryRun.parse(await (await app.get(`${at}/dry-run`)).json())
  expect(dryRun).toMatchObject({
    from: toSum(1),
    to: toSum(2),
    added: { count: 1, shown: ['app-2.js'] },
    changed: { count: 1, shown: ['index.html'] },
    removed: { count: 1, shown: ['app-1.js'] },
  })
  expect(await current('web')).toBe('<h1>1</h1>')
  expect(await app.request(targetId, 'delivery')).toMatchObject({ state: 'waiting', releaseNumber: 2 })
  expect(await settle(targetId)).toMatchObject({ state: 'done', added: 1, changed: 1, removed: 1 })
  expect(await current('web')).toBe('<h1>2</h1>')

  await app.request(targetId, 'verification')
  expect(await settle(targetId)).toMatchObject({ state: 'done', changed: 0, removed: 0, problem: null })
  await writeFile(join(app.www, 'web', 'current', 'index.html'), 'Somebody else')
  await app.request(targetId, 'verification')
  expect(await settle(targetId)).toMatchObject({ state: 'done', changed: 1, problem: 'Changed: index.html.' })
  await app.request(targetId, 'delivery')
  await settle(targetId)
  expect(await current('web')).toBe('<h1>2</h1>')
  await writeFile(join(app.www, 'web', 'current', 'x.php'), 'Somebody else’s')
  await app.request(targetId, 'verification')
  expect(await settle(targetId)).toMatchObject({ added: 1, changed: 0, removed: 0, problem: 'Not delivered: x.php.' })
  await app.request(targetId, 'delivery')
  await settle(targetId)
  expect(await readdir(join(app.www, 'web', 'current'))).not.toContain('x.php')

  const [before] = (await app.list()).targets
  expect(before).toMatchObject({ canTakeBack: true, delivered: { sha256: toSum(2), releaseNumber: 2 } })
  await app.request(targetId, 'take_back')
  expect(await settle(targetId)).toMatchObject({ kind: 'take_back', state: 'done', sha256: toSum(1), releaseNumber: 1 })
  expect(await current('web')).toBe('<h1>1</h1>')
  const [after] = (await app.list()).targets
  expect(after).toMatchObject({ canTakeBack: false, delivered: { sha256: toSum(1) }, last: { kind: 'take_back' } })

  await app.send('PATCH', at, { onRelease: true })
  await app.rollBack()
  expect(await settle(targetId)).toMatchObject({ sha256: toSum(1), releaseNumber: 3, added: 0, changed: 0 })
  const { rows } = await app.db.$client.query(
    `select action, outcome, details->>'changed' as changed from audit_events
     where target_id = $1 and action like 'delivery.%' and action <> 'delivery.requested' order by audit_id`,
    [targetId],
  )
  expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'delivery.done ok',
    'delivery.done ok',
    'delivery.verified ok',
    'delivery.verified failed',
    'delivery.done ok',
    'delivery.verified failed',
    'delivery.done ok',
    'delivery.taken_back ok',
    'delivery.done ok',
  ])
})

test('a local repository receives deliveries only if it is listed and lies outside the target folders', async () => {
  const { repository, planted } = app.repositories
  await mkdir(planted, { recursive: true })
  const initialise = (path: string) => execFileSync('git', ['init', '--quiet', '--bare', path])
  initialise(repository)
  initialise(planted)
  const from = (url: string) => ({ kind: 'git' as const, url, branch: 'pages', folder: '', user: null, hostKey: null })
  const add = (name: string, url: string) => app.post(app.path, { name, settings: from(url) })
  const tryOut = async (url: string) =>
    TargetTest.parse(await (await app.post('/api/target-tests', { settings: from(url) })).json())

  const { targetId } = Target.parse(await (await add('repository', repository)).json())
  expect(await tryOut(repository)).toMatchObject({ works: true })
  await app.request(targetId, 'delivery')
  expect(await settle(targetId)).toMatchObject({ state: 'done', problem: null })

  const refusals = { [planted]: 'folder of TARGET_FOLDERS', [`${app.www}/planted`]: 'TARGET_REPOSITORIES lists' }
  for (const [url, sentence] of Object.entries(refusals)) {
    const refused = await add('planted', url)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(sentence)])
    expect(await tryOut(url)).toEqual({ works: false, message: expect.stringContaining(sentence) })
    // As if it had been saved when it was allowed.
    await app.db.$client.query('update targets set settings = $1 where target_id = $2', [from(url), targetId])
    await app.request(targetId, 'delivery')
    expect(await settle(targetId)).toMatchObject({ state: 'failed', problem: expect.stringContaining(sentence) })
  }
  expect(await readdir(join(planted, 'refs', 'heads'))).toEqual([])
})

test('a site that is built for a path works there at every target, and Test refuses a target where it could not', async () => {
  const { targetId, settings } = await app.addFolder('mounted')
  const at = `${app.path}/${targetId}`
  const tryOut = async (body: object) => TargetTest.parse(await (await app.post('/api/target-tests', body)).json())
  const move = async (address: string | null) => {
    const changed = Target.parse(await (await app.send('PATCH', at, { settings: { ...settings, address } })).json())
    expect(changed.settings.address).toBe(address)
  }
  const deliver = async () => {
    await app.request(targetId, 'delivery')
    return settle(targetId)
  }
  const list = async () => (await readdir(join(app.www, 'mounted', 'current'))).toSorted()
  await app.publish(4)
  expect(await settle(targetId)).toMatchObject({ state: 'done', sha256: toSum(4), added: 4 })
  expect(await current('mounted', 'proj/index.html')).toBe('<h1>4</h1>')
  expect(await current('mounted')).toContain('url=proj/')

  expect(await tryOut({ settings, targetId })).toEqual({
    works: true,
    message: expect.stringContaining('its files go to proj/ there'),
  })
  const elsewhere = { settings: { ...settings, address: 'https://docs.example.com/other/' } }
  const refusal = { works: false, message: expect.stringContaining('built for /proj/') }
  expect(await tryOut({ ...elsewhere, channelId: app.channelId })).toEqual(refusal)
  expect(await tryOut({ ...elsewhere, targetId })).toEqual(refusal)
  expect(await tryOut(elsewhere)).toMatchObject({ works: true })
  await move('https://docs.example.com/other/')
  expect(await deliver()).toMatchObject({ state: 'failed', problem: refusal.message })
  expect((await app.get(`${at}/dry-run`)).status).toBe(409)

  await move('https://docs.example.com/proj/')
  expect(
    await tryOut({ settings: { ...settings, address: 'https://docs.example.com/proj/' }, targetId }),
  ).toMatchObject({
    works: true,
  })
  expect(await deliver()).toMatchObject({ state: 'done' })
  expect([await list(), await current('mounted')]).toEqual([['app-4.js', 'index.html', 'style.css'], '<h1>4</h1>'])
})

test('a target test names the folders whose permissions block other users from delivered files, and how to open them', async () => {
  const path = join(app.www, 'closed', "it’s 'open'")
  await mkdir(path, { recursive: true })
  await chmod(path, 0o750)
  const settings = { kind: 'folder', path } as const
  const readTest = async () => TargetTest.parse(await (await app.post('/api/target-tests', { settings })).json())
  const before = await readTest()
  expect(before.works).toBe(true)
  expect(before.message).toContain('read it back and removed it. But not everybody may enter')
  const command = /run: (chmod go\+x .*) – then/.exec(before.message)?.[1]
  execFileSync('sh', ['-c', command!])
  expect(await readTest()).toEqual({
    works: true,
    message: 'Docket wrote a file there, read it back and removed it.',
  })
})
