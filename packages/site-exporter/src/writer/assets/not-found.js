;(() => {
  'use strict'
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const html = document.documentElement
  const theme = read('docket-theme')
  if (theme && !('fixedTheme' in html.dataset)) html.dataset.theme = theme
  /** Folders that the site may begin in: one that a page told, then those of the address, from the inside out. */
  const folders = () => {
    const known = read('docket-root')
    const origin = location.protocol === 'file:' ? 'file://' : location.origin
    const parts = location.pathname.split('/').slice(0, -1)
    const above = parts.map((_, depth) => `${origin}${parts.slice(0, parts.length - depth).join('/')}/`).slice(0, 12)
    return [...new Set([...(known && location.href.startsWith(known) ? [known] : []), ...above])]
  }
  const load = (address, root) =>
    new Promise((resolve) => {
      const script = document.createElement('script')
      script.onload = () => resolve(true)
      script.onerror = () => resolve(false)
      script.dataset.root = root
      script.src = address
      document.head.append(script)
    })
  const findRoot = async () => {
    for (const folder of folders()) {
      html.dataset.root = folder
      // Some hosts answer every address with a page.
      await load(folder + document.querySelector('main').dataset.words, folder)
      if (window.docketWords && (await load(`${folder}_docket/site.js`, folder)) && window.docket) return folder
    }
    return null
  }
  addEventListener(
    'DOMContentLoaded',
    async () => {
      const root = await findRoot()
      if (root === null) return
      if (document.querySelector('[data-leads-home]') && location.protocol !== 'file:') {
        location.replace(`${root}index.html`)
        return
      }
      for (const name of ['site', ...(document.querySelector('.icon') ? ['icons'] : [])])
        document.head.append(
          Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${root}_docket/${name}.css` }),
        )
      for (const [parts, name] of [
        ['[data-home] a, [data-own] a:not([href^="#"])', 'href'],
        ['[data-own] img', 'src'],
      ])
        for (const part of document.querySelectorAll(parts)) part[name] = new URL(part.getAttribute(name) ?? '', root)
      for (const part of document.querySelectorAll('[data-home]')) part.hidden = false
      // Tells the scripts that come late.
      dispatchEvent(new Event('DOMContentLoaded'))
      if (document.querySelector('[data-search]')) void load(`${root}_docket/search.js`, root)
    },
    { once: true },
  )
})()
