// The search: its library and its index are loaded when somebody first asks, from files of this bundle.
;(() => {
  'use strict'
  const { root, make } = window.docket
  const button = document.querySelector('[data-search]')
  if (!button) return
  const shownAtOnce = 20
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
  const key = (...names) => make('span', {}, ...names.map((textContent) => make('kbd', { textContent })))
  const keys = make(
    'p',
    { className: 'search-keys' },
    key('↑', '↓'),
    ' to choose',
    key('Enter'),
    ' to open',
    key('Esc'),
    ' to close',
  )
  const field = make('div', { className: 'search-field' }, input, close)
  const dialog = make('dialog', { className: 'search' }, field, status, results, keys)
  dialog.setAttribute('aria-label', 'Search')
  document.body.append(dialog)
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())

  /** Must be as in the index: runs of letters and digits, and each sign of scripts that write no blanks between words. */
  const words = /[\u3040-\u30ff\u3400-\u9fff]|[^\u3040-\u30ff\u3400-\u9fff\p{Z}\p{P}\n\r]+/gu
  const tokenize = (text) => text.match(words) ?? []

  let index = null
  const load = () => {
    index ??= loadScript('_docket/minisearch.js')
      .then(() => loadScript('_docket/search-index.js'))
      .then(() =>
        MiniSearch.loadJSON(docketSearch, {
          idField: 'file',
          fields: ['title', 'headings', 'text'],
          storeFields: ['title', 'group', 'excerpt'],
          tokenize,
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
    const isSlash = event.key === '/' && !typing && !event.metaKey && !event.ctrlKey && !event.altKey
    if (!isSlash && !(event.key === 'k' && (event.metaKey || event.ctrlKey))) return
    event.preventDefault()
    open()
  })

  const find = (loaded, text) => {
    const options = { prefix: true, fuzzy: 0.15, boost: { title: 6, headings: 3 } }
    const all = loaded.search(text, { ...options, combineWith: 'AND' })
    return all.length > 0 ? all : loaded.search(text, options)
  }

  input.addEventListener('input', async () => {
    const text = input.value.trim()
    if (text && !index) status.textContent = 'Loading…'
    const loaded = await load().catch(() => null)
    if (!loaded || text !== input.value.trim()) return
    const found = text ? find(loaded, text) : []
    status.textContent = text ? told(found.length, text) : ''
    results.replaceChildren(...found.slice(0, shownAtOnce).map(result))
    dialog.scrollTop = 0
  })

  const told = (number, text) => {
    if (number === 0) return `Nothing found for “${text}”. Fewer or other words may find something.`
    if (number > shownAtOnce) return `${number} pages, the best ${shownAtOnce}`
    return `${number} ${number === 1 ? 'page' : 'pages'}`
  }

  const result = ({ id, title, group, excerpt, terms }) => {
    const link = make(
      'a',
      { href: root + id.split('/').map(encodeURIComponent).join('/') },
      make('strong', {}, ...marked(title, terms)),
      make('small', { textContent: group }),
      make('span', {}, ...marked(excerpt, terms)),
    )
    return make('li', {}, link)
  }

  /** The text in pieces, with those marked that were found. */
  const marked = (text, terms) => {
    if (terms.length === 0) return [text]
    const escaped = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const pieces = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join('|')})`, 'iu'))
    return pieces.map((piece, place) => (place % 2 ? make('mark', { textContent: piece }) : piece))
  }

  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click()
    const stops = [input, ...results.querySelectorAll('a')]
    const now = stops.indexOf(document.activeElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      stops[Math.max(0, Math.min(stops.length - 1, now + step))]?.focus()
    } else if (now > 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      // Whoever goes on typing means the words.
      input.focus()
    }
  })

  function loadScript(file) {
    return new Promise((resolve, reject) => {
      document.head.append(make('script', { src: root + file, onload: resolve, onerror: reject }))
    })
  }
})()
