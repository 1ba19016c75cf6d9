import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const hooks =
  'pre-receive update proc-receive post-receive post-update push-to-checkout pre-auto-gc reference-transaction pre-push post-checkout post-index-change post-merge'

const programs = [
  'core.alternateRefsCommand core.fsmonitor core.sshCommand core.gitProxy core.askPass core.pager core.editor',
  'uploadpack.packObjectsHook gc.recentObjectsHook diff.external diff.evil.command diff.evil.textconv',
  'filter.evil.clean filter.evil.smudge filter.evil.process merge.evil.driver gpg.program gpg.ssh.program',
  'gpg.ssh.defaultKeyCommand remote.evil.uploadpack remote.evil.receivepack',
].join(' ')

const git = (...args: string[]) =>
  execFileSync('git', args, { env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' } })

/**
 * Plants a program in every place of a repository where git may run one. Each program that runs leaves a file in the empty folder `marks`.
 * The test's own git commands in the repository may also run them.
 */
export const plantPrograms = (gitDir: string, marks: string): void => {
  const run = (name: string) => `touch '${join(marks, name)}'; true #`
  const write = (path: string, content: string) => {
    mkdirSync(join(gitDir, path, '..'), { recursive: true })
    writeFileSync(join(gitDir, path), content)
    chmodSync(join(gitDir, path), 0o755)
  }
  // Git asks for the refs of an alternate only if there is one.
  const other = join(gitDir, 'other.git')
  git('init', '--quiet', '--bare', '--template=', other)
  write('objects/info/alternates', `${other}/objects\n`)
  write('info/attributes', '* filter=evil diff=evil merge=evil\n')
  for (const name of hooks.split(' '))
    for (const folder of ['hooks', 'other-hooks']) write(`${folder}/${name}`, `#!/bin/sh\n${run(`hook ${name}`)}\n`)
  const settings = {
    ...Object.fromEntries(programs.split(' ').map((name) => [name, run(name)])),
    'credential.helper': `!${run('credential.helper')}`,
    'core.hooksPath': join(gitDir, 'other-hooks'),
    'receive.denyCurrentBranch': 'updateInstead',
    'receive.procReceiveRefs': 'refs/heads/docket',
    'receive.autogc': 'true',
    'gc.auto': '1',
    'gc.autoDetach': 'false',
    'maintenance.auto': 'true',
    'protocol.allow': 'always',
    'protocol.ext.allow': 'always',
    [`url.ext::touch ${join(marks, 'ext')} .insteadOf`]: 'file://',
    'remote.evil.url': `file://${other}`,
    'remote.evil.promisor': 'true',
    'extensions.partialClone': 'evil',
  }
  const set = (file: string, name: string, value: string) => git('config', '--file', join(gitDir, file), name, value)
  for (const name of ['core.alternateRefsCommand', 'core.fsmonitor']) set('more-config', name, run(`included ${name}`))
  for (const [name, value] of Object.entries(settings)) set('config', name, value)
  set('config', 'include.path', 'more-config')
}

/** Names of the programs that ran. */
export const listRun = (marks: string): string[] => readdirSync(marks).toSorted()
