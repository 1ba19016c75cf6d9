import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gitIn } from '@docket/sources/git/git'
import { writeFolder } from '@docket/sources/testing/files'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { processesWith, whyNoSandbox } from '@docket/sandbox/testing/open-sandbox'
import { checkOut } from '#work/run-turn.ts'
import { removeFolder } from '@docket/sandbox/work-folders'
import { type CommandOptions, createCommandRunner } from './command.ts'
import type { EarlierTurn } from './runner.ts'

const reason = await whyNoSandbox()
beforeEach(({ skip }) => skip(reason !== null, `not run: ${reason}`))

/** Runs a shell script as the agent of one turn, on a repository with a long history and instructions. */
const openTurn = async (script: string, options: Partial<CommandOptions> = {}, earlier: EarlierTurn[] = []) => {
  const source = await writeFolder({
    'AGENTS.md': 'Be brief.\n',
    'docs/page.md': 'start\n',
    '.gitattributes': '* text=auto\n',
  })
  writeFileSync(join(source, 'docs', 'crlf.md'), 'one\r\ntwo\r\n')
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'core.autocrlf=false', ...words], {
      cwd: source,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'First')
  git('commit', '-qm', 'Second', '--allow-empty')
  const scratch = await mkdtemp(join(tmpdir(), 'docket-turn-'))
  onTestFinished(() => removeFolder(scratch))
  const gitDir = join(source, '.git')
  const commit = git('rev-parse', 'HEAD').toString().trim()
  const checkout = join(scratch, 'tree')
  const index = join(scratch, 'index')
  await checkOut({ git: gitIn(gitDir), gitDir, commit, workTree: checkout, index })
  const program = join(await writeFolder({ agent: `#!/bin/bash\n${script}\n` }), 'agent')
  chmodSync(program, 0o755)
  const pieces: string[] = []
  const run = (prompt = 'Shorten the page', signal = new AbortController().signal) => {
    const repository = { gitDir, git: gitIn(gitDir), commit, url: 'https://git.example.com/docs.git' }
    const work = { prompt, earlier, projectId: 'docs', jobId: 'a-job', checkout, scratch, repository, folder: 'docs' }
    const runner = createCommandRunner({ command: program, hidden: [], ...options })
    return runner.run({ ...work, onOutput: (text) => void pieces.push(text) }, signal)
  }
  return { run, checkout, commit, log: () => pieces.join('') }
}

const envFile = async (text: string) => join(await writeFolder({ env: text }), 'env')

test('an agent gets earlier turns, the project and its instructions on its input and in files', async () => {
  const earlier: EarlierTurn[] = [{ prompt: 'Add a page', outcome: 'completed', report: ['Added page.md.'] }]
  const { run } = await openTurn(
    'cat > /tmp/in; cmp /tmp/in /run/docket/context.md; cat /tmp/in "$DOCKET_CONTEXT"',
    {},
    earlier,
  )
  const { report } = await run('Make it shorter')
  const text = report.join('\n')
  const [words, facts] = [text.slice(0, text.indexOf('{\n')), text.slice(text.indexOf('{\n'))]
  expect(words).toMatch(
    /“docs”.*git\.example\.com[^]*folder docs\/[^]*Read AGENTS\.md first[^]*Add a page\n[^]*Added page\.md\.\n[^]*The task now:\nMake it shorter\n$/,
  )
  expect(JSON.parse(facts)).toMatchObject({
    project: 'docs',
    folder: 'docs',
    instructions: ['AGENTS.md'],
    earlier,
    prompt: 'Make it shorter',
  })
})

test('the agent’s git uses its own one-commit repository, and Docket ignores its remote, hooks and settings', async () => {
  const script = `
    git status --short; git log --format=%H,%s; git remote; ls .git/hooks 2>/dev/null
    echo end > docs/page.md; git diff --stat | tail -1; git commit -qam Own && git log --oneline | wc -l
    git fsck 2>&1; git config core.fsmonitor 'touch /work/planted'; mv .git other || rm -rf .git; ls -d .git`
  const { run, checkout, commit } = await openTurn(script)
  const { report } = await run()
  expect(report).toEqual([
    `${commit},Second`,
    ' 1 file changed, 1 insertion(+), 1 deletion(-)',
    '2',
    expect.stringMatching(/^mv: cannot move/),
    expect.stringMatching(/^rm: cannot remove/),
    '.git',
  ])
  expect(existsSync(join(checkout, '.git'))).toBe(false)
  expect(readFileSync(join(checkout, 'docs', 'page.md'), 'utf8')).toBe('end\n')
})

test('variables from the file reach only the agent, and their values are hidden in every output', async () => {
  const key = `sk-${'secret'.repeat(3)}`
  const file = await envFile(
    `# the model\nMODEL_KEY="${key}"\nSHORT=abc\nPRIVATE="-----BEGIN-----\nbase64lines\n-----END-----"\n`,
  )
  const script = `
    test "$MODEL_KEY$SHORT" = "${'$'}{1:-$(echo c2stc2VjcmV0c2VjcmV0c2VjcmV0YWJj | base64 -d)}" && echo "has it"
    echo "key $MODEL_KEY, $SHORT"; for ((i = 0; i < ${'$'}{#MODEL_KEY}; i++)); do printf '%s' "${'$'}{MODEL_KEY:i:1}"; sleep 0.02; done; printf '%s\\n' "$MODEL_KEY"
    printf '\\033[1m%s\\033[0m%s\\n' "${'$'}{MODEL_KEY:0:4}" "${'$'}{MODEL_KEY:4}"; echo "$PRIVATE" >&2
    echo '{"type":"text","part":{"type":"text","text":"The key is '"$MODEL_KEY"'"}}'; echo x >> docs/page.md; sleep 0.3`
  const { run, log } = await openTurn(script, { envFile: file, checkCommand: 'env' })
  const running = run()
  while (!log().includes('has it')) await sleep(10)
  // No process list shows it.
  expect(processesWith(key)).toEqual([])
  const { report, checks } = await running
  expect(report).toEqual(['The key is …'])
  expect(log()).toMatch(/^has it\nkey …, abc\n/)
  expect(log()).toContain('The key is …')
  expect(log()).not.toMatch(/secretsecret|sk-s|base64lines/)
  expect(checks).toMatchObject({ command: 'env', passed: true })
  expect(checks!.output.join('\n')).not.toMatch(/MODEL_KEY|SHORT|PROXY/i)
})

test('a variable that the sandbox sets itself, or a missing file, stops the run with a readable message', async () => {
  for (const name of ['PATH', 'LD_PRELOAD', 'https_proxy', 'HOME', 'DOCKET_CONTEXT']) {
    const { run } = await openTurn('true', { envFile: await envFile(`${name}=x\n`) })
    await expect(run()).rejects.toThrow(`AGENT_COMMAND_ENV_FILE sets ${name}, which the sandbox sets itself.`)
  }
  const { run } = await openTurn('true', { envFile: '/nowhere/env' })
  await expect(run()).rejects.toThrow('AGENT_COMMAND_ENV_FILE cannot be read (ENOENT).')
})

test('a change that contains a credential is not committed', async () => {
  const file = await envFile('MODEL_KEY=sk-0123456789abcdef\n')
  const { run } = await openTurn('echo "our key: $MODEL_KEY" > docs/page.md', { envFile: file })
  await expect(run()).rejects.toThrow(
    'wrote a value of AGENT_COMMAND_ENV_FILE into "docs/page.md", so nothing was committed',
  )
  for (const command of ['touch "docs/$MODEL_KEY.md"', 'ln -s "$MODEL_KEY" docs/….md']) {
    const { run } = await openTurn(command, { envFile: file })
    await expect(run()).rejects.toThrow('into "docs/….md", so nothing was committed')
  }
})

test('checks run on the change, files they write are not part of it, and a failed check is reported', async () => {
  const { run, checkout, log } = await openTurn('echo end > docs/page.md', {
    checkCommand: `/bin/sh -c 'cat docs/page.md; echo broken > docs/page.md; echo "1 broken link"; exit 3'`,
  })
  const { checks } = await run()
  expect(checks).toMatchObject({ passed: false, output: ['end', '1 broken link'] })
  expect(readFileSync(join(checkout, 'docs', 'page.md'), 'utf8')).toBe('end\n')
  expect(log()).toContain('1 broken link')
})

test('a disk failure is an error of the run, not a result of the checks', async () => {
  const { run, checkout } = await openTurn('true', { checkCommand: 'true' })
  writeFileSync(join(checkout, '..', 'checks'), '')
  await expect(run()).rejects.toMatchObject({ code: 'EEXIST', syscall: 'mkdir' })
})

const step = (cost: number) =>
  `echo '{"type":"step_finish","part":{"type":"step-finish","cost":${cost},"tokens":{"input":10,"output":5}}}'`

test('a run is stopped as soon as it reports too high a cost, and its usage is kept', async () => {
  const marker = `88${Date.now()}`
  const { run } = await openTurn(`${step(0.4)}; ${step(0.8)}; sleep ${marker}`, { maxCostUsd: 1 })
  await expect(run()).rejects.toMatchObject({
    message: 'The command reported a cost of $1.20, more than AGENT_JOB_MAX_COST allows ($1.00).',
    usage: { inputTokens: 20, outputTokens: 10, costUsd: expect.closeTo(1.2) },
  })
  expect(processesWith(marker)).toEqual([])
})

test('a run that reports too high a cost only at its end keeps its result, with a line about the cost', async () => {
  const result = { type: 'result', result: 'Done.', session_id: 'a', total_cost_usd: 1.5, usage: {} }
  const { run } = await openTurn(`echo '${JSON.stringify(result)}'`, { maxCostUsd: 1 })
  expect((await run()).report).toEqual([
    'Done.',
    'The command reported a cost of $1.50, more than AGENT_JOB_MAX_COST allows ($1.00).',
  ])
})

test('output is shown while the agent works, and a failure report ends with its last output', async () => {
  const { run, log, checkout } = await openTurn('echo first; while [ ! -e go ]; do sleep 0.05; done; seq 100; exit 4')
  const running = run()
  while (!log().includes('first')) await sleep(20)
  writeFileSync(join(checkout, 'go'), '')
  const error = (await running.catch((caught: unknown) => caught)) as { report: string[] }
  expect([error.report.length, ...error.report.slice(0, 2)]).toEqual([42, 'The command ended with exit code 4.', '…'])
})
