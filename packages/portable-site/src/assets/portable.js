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
  const ways = built === undefined ? [] : [built, `${built}index.html`, `${built}.html`, built.replace(/\/$/, '')]
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

  const begin = () => {
    if (starts) start()
    else if (built !== undefined) help()
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
  else begin()
})()
