import type { AddTarget, Target, TargetSettings } from '@docket/api-types/targets'
import { expect, test } from 'vitest'
import { ApiError } from '#lib/api/api-error.ts'
import {
  needsSecretAgain,
  toAddRequest,
  toTargetChange,
  toTargetDraft,
  toTestRequest,
  type KindDrafts,
  type TargetDraft,
} from './target-draft.ts'

const target = (settings: AddTarget['settings'], hasSecret = true): Target => ({
  targetId: 't1',
  name: 'Live',
  settings: { address: null, ...settings } as TargetSettings,
  hasSecret,
  onRelease: true,
  last: null,
  delivered: null,
  canTakeBack: false,
  createdBy: 'Ada',
  createdAt: '2026-11-24T00:00:00.000Z',
})

const s3 = target({
  kind: 's3',
  endpoint: null,
  region: 'eu-central-1',
  bucket: 'docs',
  prefix: 'handbook',
  accessKeyId: 'AK',
  graceMinutes: 5,
})
const overSsh = target({
  kind: 'git',
  url: 'ssh://git@code.example:2222/docs.git',
  branch: 'gh-pages',
  folder: '',
  user: null,
  hostKey: 'ssh-ed25519 AAAA',
})
const overHttps = target({
  kind: 'git',
  url: 'https://code.example/docs.git',
  branch: 'gh-pages',
  folder: '',
  user: 'git',
  hostKey: null,
})
const sftp = target({
  kind: 'sftp',
  host: 'web.example',
  port: 22,
  user: 'web',
  login: 'password',
  hostKey: 'ssh-ed25519 AAAA',
  folder: 'public',
  layout: 'releases',
  keep: 3,
  graceMinutes: 5,
})
const folder = target({ kind: 'folder', path: '/srv/docs', keep: 3 }, false)

const type = <K extends keyof KindDrafts>(
  draft: TargetDraft,
  kind: K,
  changes: Partial<KindDrafts[K]>,
): TargetDraft => ({
  ...draft,
  kind,
  kinds: { ...draft.kinds, [kind]: { ...draft.kinds[kind], ...changes } },
})
const field = (result: unknown) => (result instanceof ApiError ? result.field : null)

test('an unchanged form sends no request, and a form never contains the stored secret', () => {
  for (const saved of [folder, s3, overSsh, overHttps, sftp]) {
    const draft = toTargetDraft(saved, [])
    expect(toTargetChange(draft, saved)).toBeNull()
    expect(toTestRequest(draft, saved, 'c1')).toMatchObject({ secret: null, targetId: 't1', settings: saved.settings })
  }
})

test('the public address of a target can be entered, changed and removed', () => {
  const address = 'https://docs.example.com/'
  expect(toTargetChange({ ...toTargetDraft(folder, []), address: ` ${address} ` }, folder)).toMatchObject({
    settings: { kind: 'folder', path: '/srv/docs', address },
  })
  const known = target({ kind: 'folder', path: '/srv/docs', keep: 3, address }, false)
  expect(toTargetDraft(known, []).address).toBe(address)
  expect(toTargetChange({ ...toTargetDraft(known, []), address: '' }, known)).toMatchObject({
    settings: { address: null },
  })
})

test('the secret must be entered again for another server or bucket, but not for another folder', () => {
  const changes: [Target, TargetDraft, TargetDraft][] = [
    [
      s3,
      type(toTargetDraft(s3, []), 's3', { endpoint: 'https://s3.example' }),
      type(toTargetDraft(s3, []), 's3', { prefix: '' }),
    ],
    [
      overHttps,
      type(toTargetDraft(overHttps, []), 'git', { url: 'https://elsewhere.example/docs.git' }),
      type(toTargetDraft(overHttps, []), 'git', { branch: 'main', folder: '/site/' }),
    ],
    [
      sftp,
      type(toTargetDraft(sftp, []), 'sftp', { user: 'root' }),
      type(toTargetDraft(sftp, []), 'sftp', { folder: 'other' }),
    ],
  ]
  for (const [saved, moved, inside] of changes) {
    expect(needsSecretAgain(moved, saved)).toBe(true)
    expect(field(toTargetChange(moved, saved))).toBe('secret')
    expect(field(toTestRequest(moved, saved, 'c1'))).toBe('secret')
    expect(toTargetChange(inside, saved)).toMatchObject({ settings: {} })
    expect(toTargetChange(inside, saved)).not.toHaveProperty('secret')
  }
})

test('a host key is valid only for the server from which it was read', () => {
  const elsewhere = type(toTargetDraft(sftp, []), 'sftp', { host: 'evil.example', password: 'new' })
  expect(field(toTargetChange(elsewhere, sftp))).toBe('settings.hostKey')
  const otherPort = type(toTargetDraft(overSsh, []), 'git', {
    url: 'ssh://git@code.example/docs.git',
    privateKey: 'new',
  })
  expect(field(toTargetChange(otherPort, overSsh))).toBe('settings.hostKey')
  const confirmed = { hostKey: 'ssh-ed25519 BBBB', address: 'evil.example:22' }
  expect(toTargetChange(type(elsewhere, 'sftp', { key: confirmed }), sftp)).toMatchObject({
    settings: { host: 'evil.example', hostKey: 'ssh-ed25519 BBBB' },
    secret: 'new',
  })
})

test('a new target sends only the settings and the secret of its kind', () => {
  const typed = type({ ...toTargetDraft(null, []), name: ' Pages ' }, 's3', { secret: 'of the bucket' })
  const git = type(typed, 'git', { url: 'https://code.example/docs.git' })
  expect(toAddRequest(git)).toEqual({
    name: 'Pages',
    settings: {
      kind: 'git',
      url: 'https://code.example/docs.git',
      branch: 'gh-pages',
      folder: '',
      user: null,
      hostKey: null,
      address: null,
    },
    secret: null,
    onRelease: true,
  })
  expect(toAddRequest(type(git, 'git', { token: 'tok' }))).toMatchObject({ settings: { user: 'git' }, secret: 'tok' })
  expect(toAddRequest({ ...toTargetDraft(null, ['/srv/a', '/srv/b']), name: 'Local' })).toMatchObject({
    settings: { kind: 'folder', path: '/srv/a', keep: 3 },
    secret: null,
  })
})

test('a validation error names its field', () => {
  const draft = { ...toTargetDraft(null, []), name: 'Live' }
  expect(field(toAddRequest({ ...draft, name: ' ' }))).toBe('name')
  expect(field(toAddRequest(type(draft, 'folder', { path: '/srv', keep: '0' })))).toBe('settings.keep')
  expect(field(toAddRequest(type(draft, 's3', { graceMinutes: '1.5' })))).toBe('settings.graceMinutes')
  expect(field(toAddRequest(type(draft, 's3', { bucket: 'docs' })))).toBe('secret')
  expect(field(toAddRequest(type(draft, 'sftp', { host: 'a', port: '70000' })))).toBe('settings.port')
})
