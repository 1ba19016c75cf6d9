// The search: its library and its index are loaded when somebody first asks, from files of this bundle.
;(() => {
  'use strict'
  const root = document.currentScript.dataset.root
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children)
    return element
  }
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

  function loadScript(file) {
    return new Promise((resolve, reject) => {
      document.head.append(make('script', { src: root + file, onload: resolve, onerror: reject }))
    })
  }
})()
