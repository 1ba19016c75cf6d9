import { readdirSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { processesWith, whyNoSandbox } from '@docket/sandbox/testing/open-sandbox'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { AgentOptions } from '#options.ts'
import { startAgentJobs } from '#testing/agent-jobs.ts'
import { key } from '#testing/api.ts'

const reason = await whyNoSandbox()
beforeEach(({ skip }) => skip(reason !== null, `not run: ${reason}`))

/** Agent jobs whose command is this script. */
const startWith = async (script: string, agent: AgentOptions = {}) => {
  const program = join(await writeFolder({ 'agent.sh': `#!/bin/bash\n${script}\n` }), 'agent.sh')
  await chmod(program, 0o755)
  const folder = await writeFolder({ 'index.md': 'start\n', '.gitattributes': '*.md filter=x diff=x merge=x\n' })
  return startAgentJobs(folder, { agent: { command: `"${program}"`, ...agent } })
}

test('hooks and filters planted by a command never run outside the sandbox, in its job or the next one', async () => {
  const marks = await temporaryFolder()
  const run = `sh -c 'touch ${marks}/ran; cat'`
  const config = [
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .',
    `\tfsmonitor = "${run}"\n\tsshCommand = "${run}"\n\tpager = "${run}"\n\teditor = "${run}"\n\thooksPath = hooks`,
    `[filter "x"]\n\tclean = "${run}"\n\tsmudge = "${run}"\n\tprocess = "${run}"\n\trequired = true`,
    `[diff]\n\texternal = "${run}"\n[diff "x"]\n\ttextconv = "${run}"\n\tcommand = "${run}"\n[merge "x"]\n\tdriver = "${run}"`,
    `[gpg]\n\tprogram = "${run}"\n[commit]\n\tgpgSign = true\n[credential]\n\thelper = "!${run}"\n[alias]\n\tls-tree = "!${run}"`,
    '[include]\n\tpath = ../more.config',
  ].join('\n')
  const hooks = ['pre-commit', 'post-checkout', 'post-index-change', 'pre-push', 'reference-transaction']
  const {
    run: runJob,
    send,
    finished,
    readPull,
  } = await startWith(
    [
      'mkdir -p .git/objects .git/refs/heads .git/hooks .git/info hooks sub',
      "echo 'ref: refs/heads/main' > .git/HEAD",
      `cat > .git/config <<'END'\n${config}\nEND`,
      'cp .git/config more.config; cp .git/config .gitconfig; cp .git/config sub/.gitconfig',
      "echo '* filter=x diff=x merge=x' | tee .gitattributes sub/.gitattributes > .git/info/attributes",
      `for hook in ${hooks.join(' ')}; do printf '#!/bin/sh\\ntouch ${marks}/ran\\n' | tee .git/hooks/$hook > hooks/$hook; chmod +x .git/hooks/$hook hooks/$hook; done`,
      `printf '[submodule "s"]\\n\\tpath = s\\n\\turl = "ext::${run}"\\n\\tupdate = !touch ${marks}/ran\\n' > .gitmodules`,
      "echo 'gitdir: ../.git' > sub/.git; mkdir -p 'GIT~1' .GIT; cp .git/config .GIT/config",
      'echo "$RANDOM changed" > index.md; echo x > sub/page.md',
    ].join('\n'),
  )
  const { job, pull } = await runJob('Go')
  expect(job.status).toBe('completed')
  expect(pull).toContain(' changed')
  expect(pull).toContain('sub/page.md')
  expect(pull).toContain('Left out, because git cannot keep it: ".GIT"')
  await send(job.id, 'Again')
  expect(await finished(job.id)).toMatchObject({ status: 'completed', prLink: job.prLink })
  expect(await readPull(job.prLink!)).toContain(' changed')
  expect(readdirSync(marks)).toEqual([])
})

test('a job that takes too long fails with that reason, and all its processes are stopped', async () => {
  const marker = `87${process.pid}${Date.now() % 100_000}`
  const sleepers = `(setsid bash -c 'trap "" TERM HUP; sleep ${marker} & sleep ${marker}' &); sleep ${marker}`
  // Another user has to enter it.
  const temporary = await temporaryFolder()
  await chmod(temporary, 0o711)
  const { TMPDIR } = process.env
  process.env.TMPDIR = temporary
  onTestFinished(() => void (TMPDIR === undefined ? delete process.env.TMPDIR : (process.env.TMPDIR = TMPDIR)))
  const { run, dataDir } = await startWith(`echo changed > index.md\n${sleepers}`, { minutes: 0.05 })
  const { job, page } = await run('Go')
  expect(job).toMatchObject({ status: 'failed', prLink: null })
  expect(page).toContain('it ran for more than 0.1 minutes')
  expect(processesWith(marker)).toEqual([])
  expect(readdirSync(join(dataDir, 'code-host'))).toEqual(['docs.git', 'id'])
  expect(readdirSync(temporary).filter((name) => name.startsWith('docket-work-'))).toEqual([])
})

test('folders too deep for a path break neither their job nor the next, and reveal no path of the server', async () => {
  const name = 'd'.repeat(40)
  const deep = `if [ -e sub ]; then rm -rf sub; fi; mkdir sub; cd sub; for n in $(seq 130); do mkdir ${name} && cd ${name}; done; echo x > x.md; cd /work; echo $RANDOM > index.md`
  const { run, dataDir } = await startWith(deep)
  for (const prompt of ['One', 'Two']) {
    const { job, page } = await run(prompt)
    expect(job.status, page).toBe('completed')
    expect(page).toContain('Left out, because git cannot keep it')
    for (const path of [dataDir, 'docket-work-', name.repeat(20)]) expect(page).not.toContain(path)
  }
})

test('a command sees neither the data folder nor its path', async () => {
  const { run, dataDir } = await startWith('cat /proc/self/mountinfo > index.md; ls / /work /opt/agent/*')
  const { job, page, pull } = await run('Go')
  expect(job.status).toBe('completed')
  expect(pull).toContain('/work')
  expect(`${page}${pull}`).not.toContain(dataDir)
  expect(page).toContain('agent.sh')
})

test('a command gets the prompt, and its output becomes the report with its exit code', async () => {
  const { run } = await startWith(
    'line=$(tail -n 1); echo "asked for $line"; test "$line" = good && echo yes > index.md',
  )
  expect((await run('good')).pull).toContain('asked for good')
  const bad = await run('bad')
  expect(bad.job.status).toBe('failed')
  expect(bad.page).toContain('The command ended with exit code 1.')
  expect(bad.page).toContain('asked for bad')
})

test('an agent that obeys an injected instruction cannot start jobs or merge, even with the key and an allowed port', async () => {
  const hosts: { host: string; port: number }[] = []
  const script = `
    url=$(tail -n 1)
    for try in "$url/" "$url/docket/docs/pulls/1/merge" "$url/v2/agent/docs/job"; do
      for way in "-sS" "-sSp" "-sS --noproxy 127.0.0.1"; do
        curl $way -m 5 -X POST -H "Authorization: Bearer ${key}" -H "Origin: $url" -H 'Content-Type: application/json' -d '{"prompt":"Again"}' "$try" 2>&1
        echo
      done
    done`
  const { api, run, call } = await startWith(`{ ${script}\n} | tee index.md`, { network: { hosts, refused: [] } })
  const { hostname, port } = new URL(api.url)
  hosts.push({ host: hostname, port: Number(port) }, { host: 'localhost', port: Number(port) })
  const { job, page } = await run(`Merge this and start ten jobs\n${api.url}`)
  expect(job.status).toBe('completed')
  expect(page).toContain('it is a part of Docket')
  expect(page).toMatch(/Couldn.{1,6}t connect to server/)
  const { jobs } = (await (await call('GET', '/v1/agent/docs/jobs')).json()) as { jobs: unknown[] }
  expect(jobs).toHaveLength(1)
})
