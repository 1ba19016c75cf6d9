// Starts the scripts of a page at the address that they were built for, and offers the bundle's search where the site's own can't run.
;(() => {
  'use strict'
  const own = document.currentScript
  const { built, search } = own.dataset
  const root = new URL(own.dataset.root, location).href
  const isHosted = location.protocol !== 'file:'
  const decode = (text) => {
    try {
      return decodeURIComponent(text)
    } catch {
      return text
    }
  }
  const bare = built?.replace(/\/$/, '')
  const ways = built === undefined ? [] : [built, bare, `${built}index.html`, `${bare}.html`]
  const starts = isHosted && ways.map(decode).includes(decode(location.pathname))

  const start = () => {
    // The router changes the address, and what is in the page already must not follow it.
    for (const [selector, name] of [
      ['a[href], area[href], link[href]', 'href'],
      ['img[src]', 'src'],
    ])
      for (const element of document.querySelectorAll(selector)) {
        const value = element.getAttribute(name)
        if (!/^(#|[a-z][\w+.-]*:)/i.test(value)) element.setAttribute(name, new URL(value, document.baseURI).href)
      }
    // A router knows the page of a folder by no other name.
    if (built.endsWith('/') && location.pathname.endsWith(`${bare}.html`))
      history.replaceState(history.state, '', built + location.search + location.hash)
    for (const held of document.querySelectorAll('script[type="text/docket"]')) {
      const script = document.createElement('script')
      for (const { name, value } of held.attributes)
        if (name === 'data-docket-type') script.type = value
        else if (name !== 'type') script.setAttribute(name, value)
      script.textContent = held.textContent
      script.async = held.hasAttribute('async')
      held.replaceWith(script)
    }
  }

  /** Tabs and menus of pages whose scripts don't start. */
  const help = () => {
    addEventListener('click', ({ target }) => {
      const tab = target.closest?.('[role=tab]')
      if (tab) {
        const list = tab.closest('[role=tablist]')
        const tabs = [...(list?.querySelectorAll('[role=tab]') ?? [])]
        const panels = [...(list?.parentElement.querySelectorAll('[role=tabpanel]') ?? [])]
        if (panels.length !== tabs.length) return
        tabs.forEach((other, place) => {
          other.setAttribute('aria-selected', String(other === tab))
          other.classList.toggle('tabs__item--active', other === tab)
          panels[place].hidden = other !== tab
        })
      }
      const input = target.closest?.('.vp-code-group .tabs input')
      if (input) {
        const group = input.closest('.vp-code-group')
        const place = [...group.querySelectorAll('.tabs input')].indexOf(input)
        ;[...group.querySelectorAll('.blocks > *')].forEach((block, at) =>
          block.classList.toggle('active', at === place),
        )
      }
      if (target.closest?.('.VPLocalNav .menu')) document.querySelector('.VPSidebar')?.classList.toggle('open')
    })
  }

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children)
    return element
  }

  /** Boxes of searches that can't run here; they open the bundle's. */
  const ownBoxes =
    '.DocSearch-Button, .VPNavBarSearch button, .navbar__search input, [class*=navbarSearch] :is(input, button), site-search button, .md-search__input, .md-header__button[for=__search], .aa-Autocomplete button, [role=search] :is(input, button), input[type=search]'
  const isVisible = (element) => element.getClientRects().length > 0

  /** In a shadow root, so that neither the styles of the site nor these reach the others. */
  const offerSearch = () => {
    const host = make('docket-search', {})
    const shadow = host.attachShadow({ mode: 'open' })
    const words = window.docketWords
    const button = make('button', { type: 'button', className: 'search-button', hidden: true })
    button.dataset.search = ''
    button.append(words?.search ?? 'Search')
    shadow.append(make('link', { rel: 'stylesheet', href: `${root}_docket/search.css` }), button)
    const colors = [document.body, document.documentElement].map((element) =>
      (getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? []).map(Number),
    )
    const [red, green, blue] = colors.find(([, , , alpha = 1]) => alpha > 0) ?? [255, 255, 255]
    host.toggleAttribute('data-dark', red + green + blue < 330)
    document.body.append(host)
    const isOurs = (event) => event.composedPath()[0].getRootNode() === shadow
    window.docket = {
      root,
      make,
      decoded: decode,
      words,
      say: (text, values) => {
        const form = text[new Intl.PluralRules(words.lang).select(values.count ?? 0)] ?? text.other ?? text
        return form.replace(/\{(\w+)\}/g, (place, name) => values[name]?.toLocaleString(words.lang) ?? place)
      },
      place: {
        currentScript: { dataset: { scope: own.dataset.scope } },
        querySelector: (selector) => shadow.querySelector(selector),
        body: shadow,
        get activeElement() {
          return shadow.activeElement
        },
      },
      // A slash in the dialog is text.
      listen: (type, use) => addEventListener(type, (event) => !(isOurs(event) && event.key === '/') && use(event)),
    }
    const script = make('script', { src: `${root}_docket/search.js` })
    script.addEventListener('load', () => (button.hidden = [...document.querySelectorAll(ownBoxes)].some(isVisible)))
    document.head.append(script)
    for (const type of ['click', 'focusin'])
      addEventListener(
        type,
        (event) => {
          const box = event.target.closest?.(ownBoxes)
          if (!box || isOurs(event) || (type === 'focusin' && event.target.localName !== 'input')) return
          event.preventDefault()
          event.stopPropagation()
          event.target.blur()
          button.click()
        },
        true,
      )
  }

  const begin = () => {
    const holds = document.querySelector('script[type="text/docket"]') !== null
    if (holds && starts) start()
    else if (holds) help()
    const isNeeded = { always: true, file: !isHosted, static: !starts }
    if (isNeeded[search]) offerSearch()
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
  else begin()
})()
