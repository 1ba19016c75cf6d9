import { repositoryPage } from '@docket/code-hosts/embedded/pages/repository.page'
import { commitTo } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { startCodeHostPages } from '#testing/code-host-pages.ts'

/** Signs that would change a page without being seen, and what would run in it. */
const dangerous = /(?![\n\t])[\p{Cc}\p{Cf}]|<(script|img|b|svg)[\s>]/iu

const mean = '<script>alert(1)</script>\u202e<img src=x onerror=alert(1)>\u0007\u001b[31m\u200b"\'&'

test('names, messages, descriptions and changes that mean harm are shown as text on every page', async () => {
  const { origin, open, readPage, post, gitDir } = await startCodeHostPages({
    'crlf.md': 'one\r\ntwo\r\n',
    'a.bin': '\0\u0001',
  })
  const pull = await open(
    'work',
    {
      'crlf.md': 'one\ntwo\n',
      'a.bin': '\0\u0002',
      [`${mean.replaceAll('/', '∕')}\n\\.md`]: `${mean}\ndiff --git a/x b/x\n@@ -1 +1 @@\n\u2028Binary files differ\r\n`,
      'invalid.md': 'x\n',
    },
    {
      title: mean,
      body: `${mean}\n\u2066trap`,
      message: `${mean}\n\n${mean}\n`,
      author: mean.replaceAll(/[<>\p{Cc}]/gu, ''),
    },
  )
  commitTo(gitDir, 'main', { 'crlf.md': 'other\n', [`${mean.replaceAll('/', '∕')}\n\\.md`]: 'theirs\n' })
  const pages = {
    list: await (await fetch(`${origin}/docket/docs`)).text(),
    pull: await readPage(pull),
    commit: await (await fetch(`${origin}/docket/docs/commits/${pull.head}`)).text(),
    refused: await (await post(pull, 'merge')).text(),
  }
  for (const [name, page] of Object.entries(pages)) {
    const withoutOwnScript = page.replace('<script src="/pass.js"></script>', '')
    expect([name, dangerous.exec(withoutOwnScript)]).toEqual([name, null])
    expect([name, page.includes('&lt;script&gt;alert(1)&lt;')]).toEqual([name, true])
    expect([name, page.includes('[U+202E]')]).toEqual([name, true])
  }
  expect(pages.refused).toContain('It conflicts with the main branch')
  for (const page of [pages.pull, pages.commit]) {
    // A line that looks like the head of a file, or a hunk, is content of this one.
    expect(page.match(/<section class="panel file">/g)).toHaveLength(4)
    expect(page).toMatch(/\+diff --git a\/x b\/x<\/span>/)
    expect(page).toContain('+[U+2028]Binary files differ␍')
    expect(page).toContain('binary, not shown')
    // A change of line endings can be seen.
    expect(page).toMatch(/-one␍<\/span>/)
    expect(page).toMatch(/\+one<\/span>/)
  }
})

test('a page stays small however large a change is, and says what it leaves out', async () => {
  const lines = (count: number, text: string) => `${text}\n`.repeat(count)
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`many/${index}.md`, '&\n']))
  const { open, readPage, origin } = await startCodeHostPages({ 'a.md': 'x\n' })
  const pulls = await Promise.all([
    open('long-file', { 'a.md': lines(60_000, '"&" and more') }),
    open('long-line', { 'a.md': '<'.repeat(3_000_000), 'b.md': 'b\n' }),
    open('many-files', { 'a.md': 'x\n', ...many }),
    open(
      'long-words',
      { 'a.md': 'y\n' },
      { title: 't'.repeat(200), body: 'w'.repeat(200_000), message: 's'.repeat(400_000) },
    ),
    open('more-lines', { 'a.md': `${'q'.repeat(100_000)}\n${lines(1600, 'z')}` }),
  ])
  const pages = await Promise.all(pulls.map(readPage))
  // Not `toContain`: what a failure printed would have no end.
  const missing = (index: number, ...texts: string[]) => texts.filter((text) => !pages[index]!.includes(text))
  expect(pages.filter((page) => page.length > 1_000_000).length).toBe(0)
  const begins = 'the beginning of a large change: '
  expect(missing(0, 'in 1 file', '+60,000', `${begins}1 file of 1, and 512 kB at most`, 'More lines: clone')).toEqual(
    [],
  )
  expect(missing(1, `${begins}1 file of 2`, 'More lines: clone')).toEqual([])
  expect(missing(2, `${begins}300 files of 400`)).toEqual([])
  expect(missing(3, begins)).toEqual([begins])
  expect(missing(4, ' more lines: clone', '+1,601', `${'q'.repeat(998)}…</span>`)).toEqual([])
  const commit = await (await fetch(`${origin}/docket/docs/commits/${pulls[3]!.head}`)).text()
  expect(commit.length).toBeLessThan(100_000)
  expect(commit).toContain('+y')
})

test('addresses that make no sense are answered, and a list of many pull requests is turned page by page', async () => {
  const { origin, open } = await startCodeHostPages({ 'a.md': 'x\n' })
  const pull = await open('work', { 'a.md': 'y\n' })
  const status = async (path: string) => (await fetch(`${origin}/docket/docs${path}`)).status
  for (const path of ['?state=constructor', '?from=-1', '?from=999999', '?state=open&state=closed'])
    expect([path, await status(path)]).toEqual([path, 200])
  const zeros = '0'.repeat(40)
  for (const path of ['/pulls/0', '/pulls/2', '/pulls/1e3', '/pulls/999999999', `/commits/${zeros}`, '/commits/main'])
    expect([path, await status(path)]).toEqual([path, 404])
  expect(await status(`/commits/${pull.head.toUpperCase()}`)).toBe(404)
  expect((await fetch(`${origin}/docket/nobody`)).status).toBe(404)

  const pulls = Array.from({ length: 120 }, (_, index) => ({ ...pull, number: 120 - index }))
  const readList = async (from: number) => {
    const page = String(await repositoryPage('docs', pulls, { filter: 'open', from, origin }))
    return [...page.matchAll(/pulls\/(\d+)"|&amp;from=(\d+)|state=open" *>(Newer)/g)].map(
      (found) => found[1] ?? found[0],
    )
  }
  const numbers = (first: number, last: number) =>
    Array.from({ length: first - last + 1 }, (_, at) => String(first - at))
  expect(await readList(0)).toEqual([...numbers(120, 71), '&amp;from=50'])
  expect(await readList(50)).toEqual([...numbers(70, 21), 'state=open">Newer', '&amp;from=100'])
  expect(await readList(100)).toEqual([...numbers(20, 1), '&amp;from=50'])
})
