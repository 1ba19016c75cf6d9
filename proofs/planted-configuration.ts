import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listRun, plantPrograms } from '#packages/sources/src/testing/planted-repository.ts'
import { testSite } from '#packages/site-delivery/src/testing/test-site.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'

// One for each side of git, and one for the places that both sides trust.
const fault: Fault = {
  file: 'git/git.ts',
  instead: "  'core.hooksPath=/dev/null',\n  'core.fsmonitor=false',\n",
  write: '',
}

const { signal } = new AbortController()
const unwatched = { onProgress: () => {}, signal }

/** Files that other tools read as configuration. They are content here. */
const configuration = (run: string): Record<string, string> => ({
  '.gitattributes': '* filter=evil diff=evil merge=evil\n',
  '.gitmodules': `[submodule "s"]\n\tpath = s\n\turl = "ext::${run}"\n\tupdate = !${run}\n`,
  '.lfsconfig': `[lfs]\n\turl = "ssh://-oProxyCommand=${run}/x"\n`,
  '.npmrc': `script-shell=${run}\nnode-options=--require=./plant.cjs\n`,
  'package.json': JSON.stringify({ type: 'commonjs', scripts: { preinstall: run, prepare: run } }),
  '.profile': `${run}\n`,
  '.bashrc': `${run}\n`,
  '.ssh/config': `Host *\n\tProxyCommand ${run}\n`,
})

const writeFiles = (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], { cwd, stdio: 'ignore' })

/** A checkout of a page and of everything that tools read as configuration, or a bare repository with it. */
const makeRepository = (marks: string, isBare: boolean) => {
  const place = temporaryFolder()
  const checkout = join(place, 'checkout')
  writeFiles(checkout, { 'index.md': 'one\n', ...configuration(`touch ${marks}/file`) })
  git(checkout, 'init', '--quiet', '--initial-branch=main')
  git(checkout, 'add', '--all')
  git(checkout, 'commit', '--quiet', '--message', 'Begin')
  const bare = join(place, 'bare.git')
  if (isBare) git(place, 'clone', '--quiet', '--bare', checkout, bare)
  plantPrograms(isBare ? bare : join(checkout, '.git'), marks)
  return isBare ? bare : checkout
}

/** Every file below a folder, as the content of a bundle. */
const readBundle = (folder: string) =>
  testSite(
    Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path.slice(folder.length + 1), readFileSync(path)]),
    ),
  )

/** Uses of what others wrote, by name. Each gets an empty folder for marks. */
const loadStories = async (): Promise<Record<string, (marks: string) => Promise<unknown>>> => {
  const { createGitTarget } = await import('#packages/site-delivery/src/drivers/git.ts')
  const { openFolderTarget } = await import('#packages/site-delivery/src/drivers/folder.ts')
  const { createSiteSources } = await import('#packages/sources/src/site-sources.ts')
  const { parseSource } = await import('#packages/sources/src/site-source.ts')
  const { openProjects } = await import('#packages/code-hosts/src/projects.ts')
  const { createEmbeddedCodeHost } = await import('#packages/code-hosts/src/embedded/embedded-code-host.ts')
  const { runTurn } = await import('#packages/doc-agent/src/work/run-turn.ts')
  const { openWorkFolders } = await import('#packages/sandbox/src/work-folders.ts')
  const { defaultRules } = await import('#packages/doc-agent/src/work/repository-rules.ts')

  const deliver = async (url: string, folders: string[]) => {
    const machine = { repositories: [url], folders }
    const place = { url, branch: 'main', folder: '', credential: null, machine, workFolder: temporaryFolder() }
    const target = createGitTarget(place)
    await target.check(signal)
    await target.deliver(testSite({ 'index.html': 'new', ...configuration('false') }), unwatched)
  }
  /** An agent changes a project and leaves a repository and configuration behind, twice; its pull request is merged. */
  const work = async (source: string, marks: string) => {
    const place = temporaryFolder()
    const now = () => new Date()
    const { projects, repositories } = openProjects({
      sources: { docs: source },
      place: (...names) => join(place, ...names),
      now,
    })
    const codeHost = createEmbeddedCodeHost({ repositories, findJob: () => Promise.resolve(null), now })
    const project = (await projects.open('docs'))!
    const deps = { project, workFolders: await openWorkFolders(place), rules: defaultRules }
    for (const turn of ['one', 'two']) {
      const agent = async ({ checkout }: { checkout: string }) => {
        writeFiles(checkout, { ...configuration(`touch ${marks}/agent`), [`${turn}.md`]: 'A page.\n' })
        git(checkout, 'init', '--quiet')
        plantPrograms(join(checkout, '.git'), marks)
        return { report: [], usage: null, checks: null }
      }
      const order = {
        jobId: turn,
        prompt: turn,
        firstPrompt: turn,
        branch: turn,
        earlier: [],
        made: [],
        requester: null,
      }
      const watch = { onOutput: () => {}, beforePush: () => Promise.resolve() }
      const { pullRequest } = await runTurn(
        { ...order, ...watch },
        { ...deps, runner: { model: 'x', run: agent } },
        signal,
      )
      const { head } = (await codeHost.readPull('docs', pullRequest!.number))!
      await codeHost.runAction('merge', { projectId: 'docs', number: pullRequest!.number, head })
    }
    const { folder } = (await codeHost.listPulls('docs', { state: 'all' }))!
    if (folder !== null) await codeHost.updateFolder('docs', folder.main)
  }
  return {
    'a bare target': (marks) => deliver(makeRepository(marks, true), []),
    'a checkout as target': (marks) => deliver(makeRepository(marks, false), []),
    'a delivered repository': async (marks) => {
      const www = temporaryFolder()
      const bundle = join(temporaryFolder(), 'bundle')
      cpSync(makeRepository(marks, true), join(bundle, 'r.git'), { recursive: true })
      // Archives have no empty folders, and without this one it is no repository.
      writeFiles(bundle, { 'r.git/refs/.keep': '' })
      const target = await openFolderTarget({ path: www, keep: 1, within: [www] })
      await target.deliver(readBundle(bundle), unwatched)
      await deliver(join(www, 'current', 'r.git'), [www])
      writeFileSync(join(marks, 'none, but it took a delivery'), '')
    },
    'a source': async (marks) => {
      const sources = createSiteSources(temporaryFolder(), [])
      const source = parseSource(`git+${pathToFileURL(makeRepository(marks, true)).href}`)
      await sources.openFolder(source, await sources.pin(source), join(temporaryFolder(), 'copy'))
    },
    'a project in a repository': (marks) => work(`git+${pathToFileURL(makeRepository(marks, true)).href}`, marks),
    'a project in a checkout': (marks) => work(makeRepository(marks, false), marks),
    'a project in a plain folder': (marks) => {
      const folder = temporaryFolder()
      writeFiles(folder, { 'index.md': 'one\n', ...configuration(`touch ${marks}/file`) })
      return work(folder, marks)
    },
  }
}

/** Everything that Docket reads from bundles, repositories, folders and agents names programs, and none of them runs. */
export const proof: Proof = {
  name: 'planted-configuration',
  bar: 'of everything in 7 places that names a program for git, ssh, a shell, npm or Node, nothing runs',
  fault,
  run: async ({ planted }) => {
    if (planted) plant([fault])
    const found: string[] = []
    let refused = 0
    const stories = Object.entries(await loadStories())
    for (const [name, play] of stories) {
      const marks = join(temporaryFolder(), 'marks')
      mkdirSync(marks)
      await play(marks).catch(() => (refused += 1))
      found.push(...listRun(marks).map((program) => `${name}: ${program}`))
    }
    return {
      // A checkout as target, a delivered repository, and a checkout that leads its own fetches elsewhere.
      ok: found.length === 0 && refused === 3,
      figure: `${stories.length} places, ${refused} of them refused, ${found.length} programs ran ${found.slice(0, 5).join(', ')}`,
    }
  },
}
