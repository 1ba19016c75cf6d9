import { expect, test } from 'vitest'
import { mirror, origin } from '#testing/mirror.ts'
import type { Served } from '#testing/origin.ts'

const words = 'Plain words that a reader of this page would read. '.repeat(6)
const page = (title: string, body = '', head = '') =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>${title}: ${words}</p>${body}</main></body></html>`
const names = Array.from({ length: 30 }, (_, at) => `/${String.fromCodePoint(97 + (at % 26))}${'x'.repeat(at)}`)
const links = names.map((path) => `<a href="${path}">x</a>`).join('')
const sitemap: Served = {
  headers: { 'content-type': 'application/xml' },
  body: `<urlset>${names.map((path) => `<url><loc>https://docs.example${path}</loc></url>`).join('')}</urlset>`,
}

/** Answers for all pages but the first one, and what a failed mirror says of them. */
const losses: Readonly<Record<string, [answer: (path: string) => Served, reason: RegExp]>> = {
  'answers 404': [() => ({ status: 404, body: 'no' }), /30 of its 31 pages are missing.*30 × it answers 404/],
  'answers 500': [() => ({ status: 500, body: 'no' }), /30 of its 31 pages are missing.*30 × it answers 500/],
  'sends the page for missing addresses as an ordinary one': [
    (path) => page('Not found', `<p>There is no ${path}.</p>`),
    /30 of its 31 pages are missing.*30 × the site has no such page/,
  ],
  'leads every missing address to the first page': [
    () => ({ status: 302, headers: { location: '/' } }),
    /30 of its 31 pages are missing.*30 × the site has no such page/,
  ],
  'asks for a password': [
    (path) => page('Welcome', `<form><input type="hidden" value="${path}"><input type="password"></form>`),
    /are missing.*30 × (?:it leads to a page to sign in|the site has no such page)/,
  ],
  'leads to another host to sign in': [
    () => ({ status: 302, headers: { location: 'https://sso.example/login' } }),
    /30 × it redirects to another site, https:\/\/sso\.example/,
  ],
  'limits its readers for too long': [
    () => ({ status: 429, headers: { 'retry-after': '3600' } }),
    /stopped answering after 1 page: it answers 429/,
  ],
  'sends pages without content': [
    (path) =>
      `<html><head><title>${path}</title></head><body><div id="app"></div><script src="/a.js"></script></body></html>`,
    /30 × (?:it has no content without scripts|the site has no such page)/,
  ],
}

test('a mirror that loses more than a fifth of the pages fails with figures, however the site fails to send them', async () => {
  for (const [name, [answer, reason]] of Object.entries(losses))
    for (const isListed of [true, false]) {
      const site = await origin((path) => {
        if (path === '/') return page('Home', isListed ? '' : links)
        if (path === '/sitemap.xml') return isListed ? sitemap : undefined
        return path === '/robots.txt' || path.startsWith('/sitemap') ? undefined : answer(path)
      })
      await expect(mirror(`${site.url}/`), `${name}, ${isListed ? 'listed' : 'linked'}`).rejects.toThrow(reason)
    }
})

test('a site that breaks midway, or turns to a page about its maintenance or to a form for a password, is no complete mirror', async () => {
  const turns: Readonly<Record<string, (path: string) => Served>> = {
    maintenance: () => page('Back soon'),
    password: (path) => page('Welcome', `<form action="${path}"><input type="password"></form>`),
    redirect: (path) => (path === '/sorry' ? page('Sorry') : { status: 302, headers: { location: '/sorry' } }),
    errors: () => ({ status: 502 }),
  }
  for (const [name, answer] of Object.entries(turns)) {
    let isBroken = false
    const site = await origin((path) => {
      if (path === '/') return page('Home', links)
      if (path === names[7]) isBroken = true
      if (isBroken) return answer(path)
      return names.includes(path) ? page(path) : undefined
    })
    await expect(mirror(`${site.url}/`), name).rejects.toThrow(/of its \d+ pages are missing|stopped answering/)
  }
  const pictures = names.map((name) => `<img src="${name}.png">`).join('')
  const site = await origin((path) =>
    path === '/' ? page('Home', pictures) : path.endsWith('.png') ? (response) => response.destroy() : undefined,
  )
  await expect(mirror(`${site.url}/`, { limits: { retries: 0 } })).rejects.toThrow(
    'stopped answering after 1 page and 0 files',
  )
})

test('a mirror waits as long as a site asks it to, and then has every page', async () => {
  let asked = 0
  const site = await origin((path) => {
    if (names.includes(path) && (asked += 1) % 4 === 0) return { status: 429, headers: { 'retry-after': '0' } }
    return path === '/' ? page('Home', links) : names.includes(path) ? page(path) : undefined
  })
  const { count, leftOut } = await mirror(`${site.url}/`, { limits: { retries: 5 } })
  expect([count, leftOut]).toEqual([31, []])
})

test('a mirror with some dead links, or one that robots.txt or a limit keeps small, is complete and names what it lacks', async () => {
  const site = await origin((path) => {
    if (path === '/robots.txt')
      return { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /b\nDisallow: /c' }
    if (path === '/') return page('Home', `${links}<a href="/dead">x</a>`)
    return names.includes(path) ? page(path) : undefined
  })
  const { count, reasons } = await mirror(`${site.url}/`, { limits: { pages: 10 } })
  expect(count).toBe(10)
  expect(reasons.get('/b' + 'x')).toBe('robots.txt does not allow it')
  expect(reasons.get('/dead')).toBe('it answers 404')
  expect([...reasons.values()]).toContain('a site may have 10 pages')
  const small = await origin({ '/': page('Home', '<a href="/dead">x</a>') })
  expect((await mirror(`${small.url}/`)).count).toBe(1)
})

test('a first page that asks for a password, or that leads to a page to sign in, fails with this reason', async () => {
  const form = page('Welcome', '<form><input type="password"></form>')
  for (const served of [
    { '/': form },
    { '/': { status: 302, headers: { location: '/login?next=/' } }, '/login?next=/': page('Use your account') },
  ])
    await expect(mirror(`${(await origin(served)).url}/`)).rejects.toThrow('it leads to a page to sign in')
  const about = page('Passwords', `<p>${'How to choose a password that lasts. '.repeat(40)}</p><input type="password">`)
  expect((await mirror(`${(await origin({ '/': about })).url}/`)).count).toBe(1)
})

test('pages that pickers announce in further languages and versions, and that the site lacks, have lines and do not fail a mirror', async () => {
  const pages = ['guide/a', 'guide/b', 'guide/c']
  const variants = (name: string) =>
    ['de', 'pt-BR', 'v2.0'].map((variant) => `<a href="/${variant}/${name}">${variant}</a>`).join('')
  const site = await origin({
    '/': page('Home', pages.map((name) => `<a href="/${name}">${name}</a>`).join('')),
    ...Object.fromEntries(pages.map((name) => [`/${name}`, page(name, variants(name))])),
    '/v2.0/guide/a': page('Older a'),
  })
  const { count, reasons } = await mirror(`${site.url}/`)
  expect(count).toBe(5)
  expect(reasons.size).toBe(8)
  expect(reasons.get('/de/guide/a')).toBe('it answers 404; only other languages or versions have this page')
})
