import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { textAt, type Page } from './pieces.ts'
import { linkCases, longText, typoCases } from './section.ts'

/**
 * A repository with a history, the pages in it that jobs are about, and the text of its other files, which no job may
 * change.
 */
export type Seed = { gitDir: string; pages: Page[]; sections: readonly string[]; others: ReadonlyMap<string, string> }

/** Folders of the sections: plain, with capitals, with letters of other alphabets. */
export const sections: readonly string[] = ['alpha', 'Beta', 'größe', 'delta-4', 'epsilon', 'ζήτα']

const plain = (text: string): Page => ({ path: '', pieces: text.split('\n\n').map((piece) => ({ text: piece })) })

/**
 * Makes the repository: three commits in which pages and images are moved, deleted and broken, and the faults come
 * last.
 */
export const seed = (folder: string): Seed => {
  const tree = join(folder, 'tree')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', '-C', tree, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const write = (file: string, content: string | Buffer) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), content)
  }
  const move = (from: string, to: string) => {
    mkdirSync(dirname(join(tree, to)), { recursive: true })
    renameSync(join(tree, from), join(tree, to))
  }
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '-m', 'x')
  }
  mkdirSync(tree, { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
  for (const [number, d] of sections.entries()) {
    for (const name of ['renamed-old', 'chain-1', 'deleted', 'both-old'])
      write(`${d}/${name}.md`, `# ${name}\n\n${longText(d + name)}\n`)
    for (const name of ['pic-old', 'pic-deleted']) write(`${d}/${name}.png`, Buffer.from(longText(d + name)))
    write(`${d}/mover.md`, `# Mover\n\n[near](./near.md)\n\n${longText(`${d}mover`)}\n`)
    write(`${d}/near.md`, '# Near\n')
    write(`${d}/Mixed-Case.md`, '# Mixed\n\n## First Step\n')
    write(`${d}/roles.md`, `# Roles\n\n## Owners ${number}\n\nText.\n\n## Shared ${number}\n\nText.\n`)
    write(`${d}/twin/Alpha.md`, 'a\n')
    write(`${d}/twin/alpha.mdx`, 'b\n')
  }
  commit()
  for (const d of sections) {
    move(`${d}/renamed-old.md`, `${d}/new/renamed.md`)
    move(`${d}/both-old.md`, `${d}/new/both.md`)
    move(`${d}/chain-1.md`, `${d}/chain-2.md`)
    move(`${d}/pic-old.png`, `${d}/img/pic.png`)
    move(`${d}/mover.md`, `${d}/moved/mover.md`)
    for (const name of ['deleted.md', 'pic-deleted.png']) rmSync(join(tree, d, name))
  }
  commit()
  const pages = sections.flatMap((d, number): Page[] => [
    linkCases(d, number),
    typoCases(d),
    // Its relative link was right until it moved; and the page that a job moves, with links of its own.
    {
      path: `${d}/moved/mover.md`,
      pieces: [
        { text: '# Mover' },
        { text: '[near](./near.md)', after: { links: '[near](../near.md)' } },
        ...plain(longText(`${d}mover`)).pieces,
      ],
    },
    {
      path: `${d}/plain.md`,
      movedTo: `${d}/deep/er/plain.md`,
      pieces: [
        { text: '# Plain' },
        {
          text: '[near](near.md) ![pic](img/pic.png) [self](#plain) [other](/docs.json)',
          after: { move: '[near](../../near.md) ![pic](../../img/pic.png) [self](#plain) [other](/docs.json)' },
        },
      ],
    },
  ])
  for (const [number, d] of sections.entries()) {
    move(`${d}/chain-2.md`, `${d}/chain-3.md`)
    write(`${d}/Both-Old.md`, '# Another\n')
    write(`${d}/roles.md`, '# Roles\n')
    write(`${d}/people.md`, `# People\n\n## Owners ${number}\n`)
    for (const name of ['two-a', 'two-b']) write(`${d}/${name}.md`, `# ${name}\n\n## Shared ${number}\n`)
  }
  write('docs.json', docsJson())
  for (const page of pages) write(page.path, textAt(page, null))
  commit()
  const gitDir = join(folder, 'seed.git')
  execFileSync('git', ['clone', '--quiet', '--bare', tree, gitDir])
  const known = new Set(['docs.json', ...pages.map(({ path }) => path)])
  const others = git('ls-files', '-z')
    .toString()
    .split('\0')
    .filter((path) => path !== '' && !known.has(path))
  return {
    gitDir,
    pages,
    sections,
    others: new Map(others.map((path) => [path, readFileSync(join(tree, path), 'utf8')])),
  }
}

/** Navigation, and after the move the redirects, of the site. */
export const docsJson = (isMoved = false): string => {
  const at = (d: string) => (isMoved ? `${d}/deep/er/plain` : `${d}/plain`)
  const groups = sections.map((d) => ({ group: d, pages: [at(d), `${d}/near`] }))
  const redirects = sections.map((d) => ({ source: `/${d}/plain`, destination: `/${d}/deep/er/plain` }))
  return `${JSON.stringify({ name: 'Seeded', navigation: { groups }, redirects: [{ source: '/old', destination: '/' }, ...(isMoved ? redirects : [])] }, null, 2)}\n`
}
