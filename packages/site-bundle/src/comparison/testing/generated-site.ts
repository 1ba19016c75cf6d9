import { hash } from 'node:crypto'

/** One build of a site as VitePress or Docusaurus lays it out. */
export type SiteBuild = {
  pages: number
  /** Differs in every build: names of assets, inlined state, dates. */
  build: string
  style?: string
  /** Words of a page in place of the generated ones. */
  texts?: ReadonlyMap<number, string>
  /** Names of pages in place of `page-<n>`. */
  names?: ReadonlyMap<number, string>
  /** Pages that this build lacks. */
  without?: ReadonlySet<number>
  name?: string
}

const words =
  'export bundle page link token request answer queue folder archive reader service domain version status retry limit storage signature browser cache header stream worker network proxy schedule review branch commit'.split(
    ' ',
  )

/** The same words for the same seed, different enough for every page. */
export const writeText = (seed: number, length: number): string => {
  let state = seed * 2_654_435_761 + 1
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return words[(state >>> 8) % words.length]
  }).join(' ')
}

/** Generates the files of a site. Every page shows the navigation of all pages with a mark at its own place. */
export const generateSite = (site: SiteBuild): Map<string, string> => {
  const { build, style = '.a{color:red}', texts, names, without, name = 'Acme' } = site
  const id = (text: string) => hash('sha256', `${text} ${build}`, 'hex').slice(0, 8)
  const toName = (page: number) => names?.get(page) ?? `guide/page-${page}`
  const numbers = Array.from({ length: site.pages }, (_, page) => page).filter((page) => !without?.has(page))
  const asset = (stem: string, ending: string) => `assets/${stem}.${id(stem)}.${ending}`
  const files = new Map([
    [asset('style', 'css'), `/* built ${build} */${style}.b{background:url(/${asset('shot', 'png')})}`],
    [asset('app', 'js'), `import"./chunks/framework.${id('framework')}.js";const build="${id('build')}";`],
    [asset('shot', 'png'), 'a picture'],
    ['sitemap.xml', `<urlset><url><lastmod>2026-01-${10 + (build.length % 9)}T00:00:00Z</lastmod></url></urlset>`],
  ])
  const navigation = (own: number) =>
    numbers
      .filter((page) => Math.abs(page - own) < 25)
      .map((page) => {
        const mark = page === own ? ' class="link is-active" aria-current="page"' : ' class="link"'
        return `<li><a href="/${toName(page)}"${mark}>Page ${page}</a></li>`
      })
      .join('')
  for (const page of numbers) {
    const text = (texts?.get(page) ?? writeText(page, 240)).split(' ')
    const next = numbers[(numbers.indexOf(page) + 1) % numbers.length]!
    files.set(
      `${toName(page)}.html`,
      `<!DOCTYPE html><html lang="en"><head><title>Page ${page} | ${name}</title><meta name="build" content="${build}">
<link rel="preload stylesheet" href="/${asset('style', 'css')}"><script type="module" nonce="${id(String(page))}" src="/${asset('app', 'js')}"></script></head>
<body><header class="VPNav"><a href="/">${name}</a></header><aside class="VPSidebar"><nav><ul>${navigation(page)}</ul></nav></aside>
<main class="main"><nav class="breadcrumbs"><a href="/">Home</a> Page ${page}</nav><div class="vp-doc">
<h1 id="page-${page}">Page ${page} <a class="header-anchor" href="#page-${page}" aria-label="Permalink">​</a></h1>
<p>${text.slice(0, 120).join(' ')}</p><h2 id="more">More <a class="header-anchor" href="#more">#</a></h2><p>${text.slice(120).join(' ')}</p>
<p>See <a href="/${toName(next)}">the next page</a>.</p><img src="/${asset('shot', 'png')}" alt="A picture"></div>
<footer class="VPDocFooter"><p class="VPLastUpdated">Last updated: ${build}</p><a class="pager-link" href="/${toName(next)}">Next page</a></footer></main>
<footer class="VPFooter">Built 2026-01-0${1 + (build.length % 9)} from ${id('commit')}</footer>
<script>window.__VP_HASH_MAP__=JSON.parse('{"page":"${id(String(page))}"}')</script></body></html>`,
    )
  }
  return files
}
