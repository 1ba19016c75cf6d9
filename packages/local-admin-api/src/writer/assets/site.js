// Everything here adds to pages that work without it: colours, menu, tabs, copy buttons, the marked heading, and the search.
;(() => {
  'use strict'
  const html = document.documentElement
  const root = document.currentScript.dataset.root
  const remembered = {
    get: () => {
      try {
        return localStorage.getItem('docket-theme')
      } catch {
        return null
      }
    },
    set: (theme) => {
      try {
        localStorage.setItem('docket-theme', theme)
      } catch {
        // Without storage the choice lasts for this page.
      }
    },
  }
  // Before the page is drawn, so that it never flashes in the other colours.
  html.classList.add('js')
  if (remembered.get()) html.dataset.theme = remembered.get()
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (html.dataset.theme ? html.dataset.theme === 'dark' : systemIsDark.matches)
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children)
    return element
  }

  addEventListener('DOMContentLoaded', () => {
    themeButton()
    menuButton()
    document.querySelectorAll('.tabs').forEach(tabList)
    document.querySelectorAll('figure.code').forEach(copyButton)
    markHeading()
    search()
  })

  function themeButton() {
    const button = document.querySelector('[data-theme-toggle]')
    const show = () => button.setAttribute('aria-pressed', String(isDark()))
    button.hidden = false
    show()
    systemIsDark.addEventListener('change', show)
    button.addEventListener('click', () => {
      html.dataset.theme = isDark() ? 'light' : 'dark'
      remembered.set(html.dataset.theme)
      show()
    })
  }

  function menuButton() {
    const button = document.querySelector('[data-menu]')
    if (!document.querySelector('.sidebar')) return
    button.hidden = false
    const toggle = (open) => {
      html.classList.toggle('menu-open', open)
      button.setAttribute('aria-expanded', String(open))
    }
    button.addEventListener('click', () => toggle(!html.classList.contains('menu-open')))
    addEventListener('keydown', (event) => event.key === 'Escape' && toggle(false))
    const current = document.querySelector('.sidebar [aria-current=page]')
    const bar = document.querySelector('.sidebar')
    if (current && bar) bar.scrollTop = current.offsetTop - bar.clientHeight / 3
  }

  let tabLists = 0
  function tabList(tabs) {
    const panels = [...tabs.children].filter((child) => child.matches('.tab, figure.code'))
    if (panels.length < 2) return
    const list = make('div', { className: 'tab-list' })
    list.setAttribute('role', 'tablist')
    const group = `tabs-${++tabLists}`
    const select = (chosen, focus) => {
      panels.forEach((panel, index) => {
        panel.hidden = index !== chosen
        list.children[index].setAttribute('aria-selected', String(index === chosen))
        list.children[index].tabIndex = index === chosen ? 0 : -1
      })
      if (focus) list.children[chosen].focus()
    }
    panels.forEach((panel, index) => {
      const title = panel.querySelector(':scope > .tab-title, :scope > figcaption')
      const button = make('button', {
        type: 'button',
        id: `${group}-${index}`,
        textContent: title ? title.textContent : `Tab ${index + 1}`,
      })
      if (title) title.hidden = true
      button.setAttribute('role', 'tab')
      button.addEventListener('click', () => select(index, false))
      panel.id ||= `${group}-panel-${index}`
      button.setAttribute('aria-controls', panel.id)
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', button.id)
      list.append(button)
    })
    list.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (!step) return
      event.preventDefault()
      const now = panels.findIndex((panel) => !panel.hidden)
      select((now + step + panels.length) % panels.length, true)
    })
    tabs.prepend(list)
    tabs.classList.add('has-list')
    const wanted =
      location.hash &&
      panels.findIndex((panel) =>
        panel.querySelector(`[id="${CSS.escape(decodeURIComponent(location.hash.slice(1)))}"]`),
      )
    select(wanted > 0 ? wanted : 0, false)
  }

  function copyButton(figure) {
    if (!navigator.clipboard) return
    const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(figure.querySelector('code').textContent)
        button.textContent = 'Copied'
      } catch {
        button.textContent = 'Not allowed'
      }
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    })
    figure.append(button)
  }

  function markHeading() {
    const links = new Map(
      [...document.querySelectorAll('.contents a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
    )
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
    if (headings.length === 0) return
    const mark = () => {
      const above = headings.filter((heading) => heading.getBoundingClientRect().top < 120)
      const current = above.at(-1) ?? headings[0]
      links.forEach((link, id) =>
        id === current.id ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current'),
      )
    }
    let asked = false
    addEventListener(
      'scroll',
      () => {
        if (asked) return
        asked = true
        requestAnimationFrame(() => {
          asked = false
          mark()
        })
      },
      { passive: true },
    )
    mark()
  }

  function search() {
    const button = document.querySelector('[data-search]')
    const input = make('input', {
      type: 'search',
      placeholder: 'Search the documentation',
      autocomplete: 'off',
      spellcheck: false,
    })
    input.setAttribute('aria-label', 'Search the documentation')
    const status = make('p', { className: 'search-status' })
    status.setAttribute('role', 'status')
    const results = make('ul', { className: 'search-results' })
    const close = make('button', { type: 'button', textContent: 'Close' })
    const dialog = make(
      'dialog',
      { className: 'search' },
      make('div', { className: 'search-field' }, input, close),
      status,
      results,
    )
    dialog.setAttribute('aria-label', 'Search')
    document.body.append(dialog)
    close.addEventListener('click', () => dialog.close())
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())

    let index = null
    const load = () => {
      index ??= loadScript('_docket/minisearch.js')
        .then(() => loadScript('_docket/search-index.js'))
        .then(() =>
          MiniSearch.loadJSON(docketSearch, {
            idField: 'file',
            fields: ['title', 'headings', 'text'],
            storeFields: ['title', 'group', 'excerpt'],
          }),
        )
      return index
    }
    const open = () => {
      if (dialog.open) return
      dialog.showModal()
      input.select()
      load().catch(() => (status.textContent = 'The search index could not be loaded.'))
    }
    button.hidden = false
    button.addEventListener('click', open)
    addEventListener('keydown', (event) => {
      const typing = event.target.closest?.('input, textarea, select, [contenteditable]')
      if (
        (event.key === '/' && !typing && !event.metaKey && !event.ctrlKey) ||
        (event.key === 'k' && (event.metaKey || event.ctrlKey))
      ) {
        event.preventDefault()
        open()
      }
    })
    input.addEventListener('input', async () => {
      const words = input.value.trim()
      const found = words
        ? (await load()).search(words, { prefix: true, fuzzy: 0.15, boost: { title: 6, headings: 3 } }).slice(0, 20)
        : []
      if (words !== input.value.trim()) return
      status.textContent = words
        ? found.length === 0
          ? 'Nothing found.'
          : `${found.length} ${found.length === 1 ? 'page' : 'pages'}`
        : ''
      results.replaceChildren(
        ...found.map(({ id, title, group, excerpt }) =>
          make(
            'li',
            {},
            make(
              'a',
              { href: root + id.split('/').map(encodeURIComponent).join('/') },
              make('strong', { textContent: title }),
              make('small', { textContent: group }),
              make('span', { textContent: excerpt }),
            ),
          ),
        ),
      )
    })
    dialog.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click()
      if (!step) return
      event.preventDefault()
      const stops = [input, ...results.querySelectorAll('a')]
      stops[Math.max(0, Math.min(stops.length - 1, stops.indexOf(document.activeElement) + step))]?.focus()
    })
  }

  function loadScript(file) {
    return new Promise((resolve, reject) => {
      document.head.append(make('script', { src: root + file, onload: resolve, onerror: reject }))
    })
  }
})()
