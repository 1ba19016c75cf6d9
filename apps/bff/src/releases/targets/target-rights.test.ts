import { createServer } from 'node:net'
import { DryRun, Target, TargetTest } from '@docket/api-types/targets'
import { afterAll, expect, test } from 'vitest'
import { reencryptSealedKeys } from '#ground/secret/sealed-keys.ts'
import { decryptText } from '#ground/secret/encrypted-text.ts'
import { targetsApp } from '#testing/targets-app.ts'
import { testInstance } from '#testing/instance.ts'
import { signedIn } from '#testing/people.ts'
import { makeToken } from '#testing/tokens.ts'

const app = await targetsApp()
afterAll(app.close)

const canary = 'canary-of-the-target-5f31'
const hostKey = `ssh-ed25519 ${Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.alloc(36, 1)]).toString('base64')}`
const sftp = (host: string, port: number, folder = 'www') => {
  const layout = { layout: 'in_place', keep: 3, graceMinutes: 0 } as const
  return { kind: 'sftp', host, port, user: 'docs', login: 'password', hostKey, folder, ...layout } as const
}
const readStatus = async (answer: Promise<Response>) => {
  const { status } = await answer
  return status
}

test('the metadata service of a cloud is refused as a target', async () => {
  const s3 = { kind: 's3', region: 'a', bucket: 'docs', prefix: '', accessKeyId: 'a', graceMinutes: 0 }
  const git = { kind: 'git', branch: 'main', folder: '', user: 'docs', hostKey: null }
  for (const settings of [
    { ...s3, endpoint: 'http://169.254.169.254' },
    { ...s3, endpoint: 'http://[::ffff:169.254.169.254]:80/x' },
    { ...s3, endpoint: 'http://metadata.goog' },
    { ...git, url: 'http://0xA9FEA9FE/docs.git' },
    { ...git, url: 'ssh://docs@[fd00:ec2::254]/docs.git', hostKey },
    sftp('100.100.100.200', 22),
  ])
    for (const path of [app.path, '/api/target-tests']) {
      const answer = await app.post(path, { name: 'Cloud', settings, secret: canary })
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('metadata service')])
    }
})

test('a target secret is encrypted, sent only to its own target, and appears in no response, log, row or audit', async () => {
  const seen: string[] = []
  const note = async (answer: Promise<Response>) => {
    const response = await answer
    const text = await response.text()
    seen.push(text)
    return { status: response.status, json: () => JSON.parse(text) as unknown, text }
  }
  const heard: string[] = []
  const foreign = createServer((socket) => void socket.on('data', (bytes) => heard.push(bytes.toString('latin1'))))
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  const { port } = foreign.address() as { port: number }

  const added = await note(app.post(app.path, { name: 'Web', settings: sftp('127.0.0.1', 1), secret: canary }))
  const { targetId, hasSecret } = Target.parse(added.json())
  expect(hasSecret).toBe(true)
  const at = `${app.path}/${targetId}`
  await app.publish(1)
  await app.run(targetId)
  expect((await app.listDeliveries(targetId))[0]).toMatchObject({
    state: 'waiting',
    problem: 'The server cannot be reached (ECONNREFUSED).',
  })
  expect((await note(app.get(`${at}/dry-run`))).status).toBe(409)

  // Somebody else's server, with the secret that Docket knows.
  const elsewhere = { settings: sftp('127.0.0.1', port) }
  expect((await note(app.send('PATCH', at, elsewhere))).text).toContain('Enter the secret again')
  expect((await note(app.post('/api/target-tests', { ...elsewhere, targetId }))).text).toContain('secret again')
  for (const change of [{ user: 'root' }, { login: 'private_key' }, { hostKey: hostKey.replace('AQ', 'Ag') }])
    expect((await note(app.send('PATCH', at, { settings: { ...sftp('127.0.0.1', 1), ...change } }))).status).toBe(400)
  expect(heard).toEqual([])
  foreign.close()
  const test1 = await note(app.post('/api/target-tests', { settings: sftp('127.0.0.1', 1, 'other'), targetId }))
  expect(TargetTest.parse(test1.json())).toMatchObject({
    works: false,
    message: expect.stringContaining('ECONNREFUSED'),
  })
  expect((await note(app.send('PATCH', at, { settings: sftp('127.0.0.1', 1, 'other') }))).status).toBe(200)
  const inAddress = {
    kind: 'git',
    url: `https://docs:${canary}@git.example/a.git`,
    branch: 'main',
    folder: '',
    user: null,
  }
  const refused = await note(app.post(app.path, { name: 'Git', settings: { ...inAddress, hostKey: null } }))
  expect(refused.text).toContain('out of the address')
  await note(app.get(app.path))
  await note(app.get('/api/audit?limit=100'))

  const sealed = async () =>
    (await app.db.$client.query<{ sealed: string }>('select sealed_secret as sealed from targets')).rows[0]!.sealed
  const instance = await testInstance(app.db)
  expect(decryptText({ ...instance, previousSecret: null }, await sealed())).toBe(canary)
  const rows = await app.db.$client.query(
    `select to_jsonb(t)::text from targets t union all select to_jsonb(d)::text from deliveries d
     union all select to_jsonb(a)::text from audit_events a union all select to_jsonb(j)::text from pgboss.job j`,
  )
  for (const text of [...seen, app.logged(), JSON.stringify(rows.rows)]) expect(text).not.toContain(canary)

  const rotated = { secret: 'b'.repeat(32), previousSecret: null }
  await app.db.transaction((tx) => reencryptSealedKeys(tx, rotated, [instance.secret]))
  expect(decryptText(rotated, await sealed())).toBe(canary)
  // A secret that is lost may come back.
  await app.db.transaction((tx) => reencryptSealedKeys(tx, { secret: 'x'.repeat(32), previousSecret: null }, []))
  expect(decryptText(rotated, await sealed())).toBe(canary)
  await app.post(`${at}/deliveries`, { kind: 'delivery' })
  await app.run(targetId)
  expect((await app.listDeliveries(targetId))[0]).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('another instance secret sealed it'),
  })
  await app.delete(at)
})

test('admins change targets, people who may publish deliver to them, and everybody else sees none', async () => {
  const { targetId } = await app.addFolder('rights')
  await app.run(targetId)
  const at = `${app.path}/${targetId}`
  const [operator, viewer] = await Promise.all(
    (['operator', 'viewer'] as const).map(async (role) => ({ cookie: (await signedIn(app.db, role)).cookie })),
  )
  const limits = { sites: [{ siteId: app.site.siteId, channelId: app.channelId }] }
  const { bearer } = await makeToken(app, limits)
  const { bearer: foreign } = await makeToken(app, { domains: ['other.example.com'] })
  const ask = async (headers: Record<string, string | undefined>) => [
    await readStatus(app.get(app.path, headers)),
    await readStatus(app.get(`${at}/dry-run`, headers)),
    await readStatus(app.post(`${at}/deliveries`, { kind: 'delivery' }, headers)),
    await readStatus(app.send('PATCH', at, { name: 'Mine' }, headers)),
    await readStatus(app.post(app.path, { name: 'B', settings: { kind: 'folder', path: app.www } }, headers)),
    await readStatus(app.post('/api/target-tests', { settings: sftp('127.0.0.1', 1), secret: 'x' }, headers)),
    await readStatus(app.post('/api/host-keys', { host: '127.0.0.1', port: 1 }, headers)),
    await readStatus(app.delete(at, headers)),
  ]
  expect(await ask(operator!)).toEqual([200, 200, 201, 403, 403, 403, 403, 403])
  expect(await ask(bearer)).toEqual([200, 200, 201, 403, 403, 403, 403, 403])
  expect(await ask(viewer!)).toEqual([403, 403, 403, 403, 403, 403, 403, 403])
  expect(await ask(foreign)).toEqual([404, 404, 404, 404, 404, 403, 403, 404])
  await app.db.$client.query('update channels set is_protected = true where channel_id = $1', [app.channelId])
  expect((await ask(operator!)).slice(0, 3)).toEqual([403, 403, 403])
  await app.db.$client.query('update channels set is_protected = false where channel_id = $1', [app.channelId])

  const outside = { kind: 'folder', path: '/etc' }
  expect(await readStatus(app.post(app.path, { name: 'Outside', settings: outside }))).toBe(400)
  expect(await readStatus(app.post(app.path, { name: 'rights', settings: { kind: 'folder', path: app.www } }))).toBe(
    409,
  )
  const dryRun = DryRun.parse(await (await app.get(`${at}/dry-run`)).json())
  expect(dryRun).toMatchObject({ from: null, added: { count: 3 } })
  expect(await readStatus(app.delete(at))).toBe(204)
  expect(await readStatus(app.get(`${at}/deliveries`))).toBe(404)
})
