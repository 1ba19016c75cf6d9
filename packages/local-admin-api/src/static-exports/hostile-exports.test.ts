import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { writeFolder } from '@docket/sources/testing/files'
import { unpackTar } from 'modern-tar'
import { expect, test } from 'vitest'
import { exportWorker } from '#static-exports/export-process.ts'
import { startApi } from '#testing/api.ts'

type Line = { page: string | null; file: string; what: string }

const many = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join('')

/** The bundle of a folder: its files as text, and what its report says of a file. `workerProgram`: the process that exports it. */
const exported = async (folder: string, workerProgram?: string) => {
  const { start, finished, bundle } = await startApi({
    sites: { 'docs.localhost': folder },
    // Navigations list few of the hostile pages.
    exports: { withHiddenPages: ['docs.localhost'], ...(workerProgram !== undefined && { workerProgram }) },
  })
  const { jobId } = await start()
  expect(await finished(jobId)).toMatchObject({ status: 'completed', error: null })
  const answer = await fetch((await bundle(jobId)).bundleUrl)
  const entries = await unpackTar(gunzipSync(Buffer.from(await answer.arrayBuffer())))
  const files = new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString()]))
  const { lines } = JSON.parse(files.get('export-report.json')!) as { lines: Line[] }
  const findReason = (file: string) => {
    const reasons = lines.filter((line) => line.file.startsWith(file)).map(({ what }) => what)
    return reasons.length > 0 ? reasons.join('\n') : null
  }
  return { files, findReason }
}

test('hostile names, redirects and file types neither fail an export nor add hidden files, and are reported', async () => {
  const long = `${'a'.repeat(79)}\u{10400}`
  const folder = await writeFolder({
    'index.md': '# Home\n\n<<< ./.env\n\n<!--@include: ./pipe-->\n\n<!--@include: ./.git/config-->\n',
    [`${long}.md`]: '# Long\n',
    'a.md': '# A\n',
    'a.html/b.md': '# B\n',
    'export-report.json/b.md': '# B\n',
    'con.md': '# Con\n',
    '.env': 'hidden words',
    '.git/config': 'hidden words',
    'docs.json': JSON.stringify({
      navigation: ['index'],
      redirects: [
        { source: '/export-report.json/x', destination: '/a' },
        { source: '/half', destination: '/a#\ud800' },
        { source: '/away', destination: 'https://evil.example/' },
      ],
    }),
  })
  execFileSync('mkfifo', [join(folder, 'pipe')])
  await symlink('/etc/passwd', join(folder, 'linked.md'))
  const { files, findReason } = await exported(folder)
  expect([...files.keys()].filter((name) => name.endsWith('.html')).toSorted()).toEqual(
    ['404', 'a', 'a-html/b', 'a'.repeat(79), 'away', 'con-page', 'export-report-json/b', 'half', 'index']
      .map((name) => `${name}.html`)
      .toSorted(),
  )
  expect([...files.values()].join('')).not.toContain('hidden words')
  expect(files.get('away.html')).not.toContain('http-equiv="refresh"')
  expect(findReason('pipe')).toMatch(/ordinary file/)
  expect(findReason('linked.md')).toMatch(/symbolic link/)
  expect(findReason('index.md')).toMatch(/hidden files/)
  expect(findReason('export-report.json/x')).toMatch(/no file can have/)
})

// Each of them once took minutes, or all memory.
test('pages and settings that expand enormously are limited and reported, and other pages are exported', async () => {
  const { files, findReason } = await exported(
    await writeFolder({
      'index.md': '# Home\n',
      'keys.md': `---\n${many(90_000, (index) => `k${index}: 1\n`)}---\n# Keys\n`,
      'fan.mdx': `${many(420, (index) => `import A${index} from "./fan-a.mdx"\n`)}\n# Fan\n\n<A1 />\n`,
      'fan-a.mdx': `${many(400, (index) => `import B${index} from "./index.md"\n`)}\nwords\n`,
      'values.mdx': `import A from "./words.mdx"\n\n# Values\n\n${`<A x="${'y'.repeat(3_900)}" />\n`.repeat(3)}`,
      'words.mdx': '{x}'.repeat(8_000),
      'attributes.mdx': `import A from "./index.md"\n\n# Attributes\n\n<A ${'a'.repeat(300_000)} />\n`,
      'includes.md': `# Includes\n\n${'<!--@include: ./_part.md{9,}-->\n'.repeat(420)}`,
      '_part.md': `${'\n'.repeat(9)}${'<!--@include: ./_last.md{9,}-->\n'.repeat(420)}`,
      '_last.md': '\n',
      'reopened.md': `# Reopened\n\n<div><p>${many(400, (index) => `<b id=${index}>`)}x</p>${'<p>x'.repeat(1_500)}</div>\n`,
      'contents.md': `# Contents\n\n${many(510, (index) => `## Part ${index}\n\n`)}`,
      'drawing.md': '# Drawing\n\n![x](blanks.svg)\n',
      'blanks.svg': `<svg href=${' '.repeat(500_000)}x/>`,
      'large.json': JSON.stringify(Array.from({ length: 900 }, () => 'x'.repeat(97))),
      'docs.json': JSON.stringify({
        navigation: { pages: ['index', ...Array.from({ length: 600 }, () => ({ $ref: './large.json' }))] },
      }),
    }),
    exportWorker,
  )
  for (const [page, reason] of [
    ['keys.md', /front matter has more than/],
    ['fan.mdx', /past the first 400/],
    ['includes.md', /past the first 400/],
    ['reopened.md', /more than 100000 elements/],
    ['contents.md', /first 500 headings/],
    ['drawing.md', /not well-formed/],
    ['large.json', /referred to/],
  ] as const)
    expect(findReason(page)).toMatch(reason)
  expect(files.get('contents.html')!.split('class="level-2"').length - 1).toBe(500)
  for (const page of ['values', 'attributes', 'words']) expect(files.has(`${page}.html`)).toBe(true)
})

test('a hostile SUMMARY.md or VitePress configuration does not keep an export from finishing', async () => {
  const doubling = many(15, (index) => `const t${index + 1} = \`\${t${index}}\${t${index}}\`\n`)
  const [book, configured] = await Promise.all([
    exported(
      await writeFolder({ 'index.md': '# Home\n', 'SUMMARY.md': `# a${' '.repeat(6_000)}x\n- [Home](index.md)\n` }),
    ),
    exported(
      await writeFolder({
        'index.md': '# Home\n',
        '.vitepress/config.ts': `const t0 = "${'x'.repeat(100_000)}"\n${doubling}export default { title: t15 }\n`,
      }),
    ),
  ])
  for (const { files } of [book, configured]) expect(files.has('index.html')).toBe(true)
})

test('generated API operation pages can be requested by path, and an impossible path is refused', async () => {
  const paths = { '/things': { get: { summary: 'List things', responses: {} } } }
  const folder = await writeFolder({
    'index.md': '# Home\n',
    'openapi.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'x' }, paths }),
  })
  const { call, start, finished } = await startApi({
    sites: { 'docs.localhost': folder },
    // Navigations list few of the hostile pages.
    exports: { withHiddenPages: ['docs.localhost'] },
  })
  const { jobId } = await start('docs.localhost', { paths: ['api-reference/list-things'] })
  expect(await finished(jobId)).toMatchObject({ status: 'completed', pageCount: 1 })
  const wrong = { domain: 'docs.localhost', paths: ['list-things'] }
  expect((await call('POST', '/v1/static-export/jobs', wrong)).status).toBe(400)
})
