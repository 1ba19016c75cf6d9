import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { users } from '#people/accounts/accounts.table.ts'
import { browser, goodPassword } from '#people/accounts/testing/browser.ts'
import { testDatabase } from '#testing/database.ts'
import { startDocket } from '#testing/docket-process.ts'

const database = await testDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'docket-first-start-'))
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})
const docket = (variables: Record<string, string> = {}) =>
  startDocket({ DATABASE_URL: database.url, DATA_DIR: dataDir, ...variables })

const adminLink = async (email: string) => {
  const script = join(import.meta.dirname, '..', '..', '..', 'docket.ts')
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url, DATA_DIR: dataDir }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, [script, 'admin-link', email], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    ),
  )
}

test('until an admin can sign in again, every start prints a one-time sign-in link, as docket admin-link does, and SETUP_ADMIN_* change no account', async () => {
  const weak = await docket({ SETUP_ADMIN_EMAIL: 'ada@example.com', SETUP_ADMIN_PASSWORD: 'passwordpassword' }).ended
  expect([weak.code, weak.stdout]).toEqual([1, ''])
  expect(weak.stderr).toMatch(
    /^Docket could not start\. These settings need a change:\n  - SETUP_ADMIN_PASSWORD is refused\. This/,
  )
  expect(weak.stderr).not.toContain('passwordpassword')

  const first = docket()
  await first.adminCookie()
  expect((await first.kill('SIGTERM')).stdout).toMatch(/\nOpen \S+\/setup#\S+ to create the first account\.\n/)

  const second = docket({ SETUP_ADMIN_EMAIL: 'ada@example.com', SETUP_ADMIN_PASSWORD: goodPassword })
  const client = browser(await second.ready)
  const readOutput = async () => {
    const { stdout } = await second.kill('SIGTERM')
    return /\nOpen \S+\/link#(\S+) to sign in\.\n/.exec(stdout)?.[1]
  }
  expect((await client.signIn('ada@example.com')).status).toBe(401)
  const token = await readOutput()

  const third = docket()
  const owner = browser(await third.ready)
  expect((await owner.send('POST', '/api/links/use', { token })).status).toBe(204)
  expect((await owner.send('POST', '/api/links/use', { token })).status).toBe(404)
  expect((await owner.send('POST', '/api/account/password', { newPassword: goodPassword })).status).toBe(204)
  const forgot = await adminLink('Owner@docket.localhost')
  expect(forgot).toMatchObject({ code: 0, stderr: '' })
  const forgotToken = /^Open \S+\/link#(\S+) to sign in as Owner /.exec(forgot.stdout)?.[1]
  expect((await browser(await third.ready).send('POST', '/api/links/use', { token: forgotToken })).status).toBe(204)
  expect(await adminLink('nobody@example.com')).toMatchObject({ code: 1, stdout: '' })
  await third.kill('SIGTERM')

  const fourth = docket()
  await fourth.ready
  expect((await fourth.kill('SIGTERM')).stdout).not.toContain('Open ')
  expect(await database.db.select().from(users)).toHaveLength(1)
})
