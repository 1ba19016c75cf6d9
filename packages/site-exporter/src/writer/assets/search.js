// The dialog of the search. Files of the index are loaded when somebody first asks.
;(() => {
  'use strict'
  const { root, make, search, words, say } = window.docket
  const own = Number(document.currentScript.dataset.scope ?? 0)
  const button = document.querySelector('[data-search]')
  if (!button) return
  /** Results that are shown, and added by *Show more*. */
  const step = 8
  const maxSections = 3
  /** Waits for the next letter. Milliseconds. */
  const pauseMs = 60
  /** Length of a snippet, and of its text before the first word. Characters. */
  const [snippetLength, leadLength] = [170, 50]

  const labels = { placeholder: words.searchAll, ariaLabel: words.searchAll, enterKeyHint: 'go' }
  const input = make('input', { type: 'search', autocomplete: 'off', spellcheck: false, ...labels })
  const status = make('p', { className: 'search-status', role: 'status' })
  const results = make('ol', { className: 'search-results' })
  const more = make('button', { type: 'button', className: 'search-more', textContent: words.showMore, hidden: true })
  const close = make('button', { type: 'button', className: 'search-close', textContent: words.close })
  const all = make('button', { type: 'button', className: 'search-all' })
  const where = make('p', { className: 'search-where', hidden: true }, make('span', {}), all)
  const key = (...names) => make('span', {}, ...names.map((textContent) => make('kbd', { textContent })))
  const keys = make('p', { className: 'search-keys' })
  keys.append(key('↑', '↓'), ` ${words.toChoose}`, key('Enter'), ` ${words.toOpen}`, key('Esc'), ` ${words.toClose}`)
  const body = make('div', { className: 'search-body' }, status, results, more)
  const field = make('div', { className: 'search-field' }, input, close)
  const dialog = make('dialog', { className: 'search', ariaLabel: words.search }, field, where, body, keys)
  document.body.append(dialog)
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())

  let isWide = false
  let scopes = null
  const prepare = () => {
    scopes ??= search.start().then(({ scopes: list, all: name }) => {
      const named = list.map((entry, number) => ({ number, entry, name: describe(entry, list) }))
      where.hidden = list.length < 2
      where.firstChild.textContent = named[own]?.name ?? ''
      all.textContent = words[name]
      all.ariaPressed = 'false'
      // The current language and version come first.
      return [...named.splice(own, 1), ...named]
    })
    scopes.catch(() => (scopes = null))
    return scopes
  }
  const describe = ({ lang, version }, list) => {
    const isOne = list.every((entry) => entry.lang === lang)
    return [isOne ? null : languageName(lang), version].filter(Boolean).join(' · ') || words.currentVersion
  }
  const languageName = (lang) => {
    try {
      const name = new Intl.DisplayNames([lang], { type: 'language' }).of(lang)
      return name[0].toLocaleUpperCase(lang) + name.slice(1)
    } catch {
      return lang
    }
  }
  const failed = () => (status.textContent = words.failed)

  const open = () => {
    if (!dialog.open) dialog.showModal()
    input.select()
    prepare().catch(failed)
  }
  button.hidden = false
  button.setAttribute('aria-keyshortcuts', '/ Control+K Meta+K')
  button.addEventListener('click', open)
  addEventListener('keydown', (event) => {
    const box = event.target.closest?.('input, textarea, select, [contenteditable]')
    // The box keeps the focus for a moment after its dialog was closed.
    const isTyping = box && (dialog.open || box !== input)
    const isSlash = event.key === '/' && !isTyping && !event.metaKey && !event.ctrlKey && !event.altKey
    // On a keyboard without Latin letters, the key in the place of K.
    const isK = /^k$/i.test(event.key) || (event.code === 'KeyK' && !/^[a-z]$/i.test(event.key))
    if (!isSlash && !(isK && (event.metaKey || event.ctrlKey))) return
    event.preventDefault()
    open()
  })

  let asked = 0
  const ask = async () => {
    const turn = ++asked
    const text = input.value.trim()
    if (text === '') return show([], '')
    // Slow answers only, so that screen readers are not told with every letter.
    const slow = setTimeout(() => turn === asked && (status.textContent = words.loading), 400)
    try {
      const found = []
      const list = (await prepare()).slice(0, isWide ? undefined : 1)
      const answers = list.map(async ({ number, entry, name }) => {
        const scope = search.openScope(number, entry)
        return { scope, name: number === own ? null : name, ...(await scope.search(text)) }
      })
      for (const { hits, ...rest } of await Promise.all(answers)) {
        for (const hit of hits) found.push({ ...hit, ...rest })
      }
      if (turn !== asked) return
      // Stable, so that the pages of the current language and version stay in front.
      found.sort((a, b) => Number(a.name !== null) - Number(b.name !== null) || b.weight - a.weight)
      await show(found, text, turn)
    } catch {
      if (turn === asked) failed()
    } finally {
      clearTimeout(slow)
    }
  }
  let pause = 0
  input.addEventListener('input', () => {
    clearTimeout(pause)
    pause = setTimeout(ask, pauseMs)
  })
  all.addEventListener('click', () => {
    isWide = !isWide
    all.ariaPressed = String(isWide)
    input.focus()
    void ask()
  })

  let rest = []
  const show = async (found, text, turn) => {
    const items = await Promise.all(found.slice(0, step).map(result))
    if (turn !== undefined && turn !== asked) return
    rest = found.slice(step)
    status.textContent = text ? tell(found.length, text) : ''
    results.replaceChildren(...items)
    more.hidden = rest.length === 0
    body.scrollTop = 0
  }
  more.addEventListener('click', async () => {
    const turn = asked
    const items = await Promise.all(rest.slice(0, step).map(result)).catch(() => null)
    if (turn !== asked) return
    if (items === null) return failed()
    rest = rest.slice(step)
    results.append(...items)
    more.hidden = rest.length === 0
    items[0]?.querySelector('a').focus()
  })
  const tell = (number, text) => {
    if (number > 0) return say(words.pages, { count: number })
    const place = where.firstChild.textContent
    return say(where.hidden || isWide ? words.nothing : words.nothingIn, { text, place })
  }

  const result = async ({ scope, page, terms, name }) => {
    const { file, title, trail, sections } = await scope.readPage(page)
    const href = root + file.split('/').map(encodeURIComponent).join('/')
    const marked = sections.map(([id, heading, text]) => ({ id, heading, text, hits: countHits(heading, text, terms) }))
    const best = marked.filter(({ id, hits }) => id !== '' && hits > 0)
    best.sort((a, b) => b.hits - a.hits)
    const shown = best.slice(0, maxSections)
    const intro = marked.find(({ id }) => id === '')
    const isTelling = shown.length === 0 || (intro && intro.hits > 0)
    const excerpt = isTelling ? (intro ?? marked[0])?.text : ''
    const heading = make('strong', {}, ...mark(title, terms))
    if (name) heading.append(make('em', { textContent: name }))
    const link = make('a', { href }, heading)
    if (trail) link.append(make('small', { textContent: trail }))
    if (excerpt) link.append(make('span', {}, ...mark(snippet(excerpt, terms), terms)))
    const inner = marked
      .filter((section) => shown.includes(section))
      .map((section) => sectionItem(section, href, terms))
    return make('li', {}, link, ...(inner.length > 0 ? [make('ul', {}, ...inner)] : []))
  }
  const sectionItem = ({ id, heading, text, hits }, href, terms) => {
    const link = make('a', { href: `${href}#${encodeURIComponent(id)}` })
    link.append(make('strong', {}, ...mark(heading, terms)))
    if (hits % 8 > 0) link.append(make('span', {}, ...mark(snippet(text, terms), terms)))
    return make('li', {}, link)
  }
  /** Different words of a section; those of its heading count eight times. */
  const countHits = (heading, text, terms) => {
    const count = (part) => new Set(search.splitTerms(part).filter((term) => terms.has(term))).size
    return 8 * count(heading) + Math.min(7, count(text))
  }
  /** The part of a text with the most words. */
  const snippet = (text, terms) => {
    const places = []
    let at = 0
    search.splitMarked(text, terms).forEach((piece, index) => {
      if (index % 2) places.push([at, piece.toLowerCase()])
      at += piece.length
    })
    let best = { from: 0, count: 0 }
    for (const [from] of places) {
      const near = places.filter(([place]) => place >= from && place < from + snippetLength - leadLength)
      const count = new Set(near.map(([, word]) => word)).size
      if (count > best.count) best = { from, count }
    }
    const blank = text.indexOf(' ', best.from - leadLength)
    const begin = best.from <= leadLength ? 0 : blank >= 0 && blank < best.from ? blank + 1 : best.from - leadLength / 2
    const part = text.slice(begin, begin + snippetLength)
    const lastBlank = part.lastIndexOf(' ')
    const isCut = text.length > begin + snippetLength
    const end = isCut && lastBlank > snippetLength / 2 ? lastBlank : part.length
    return `${begin > 0 ? '… ' : ''}${part.slice(0, end)}${isCut ? '…' : ''}`
  }
  const mark = (text, terms) =>
    search.splitMarked(text, terms).map((piece, index) => (index % 2 ? make('mark', { textContent: piece }) : piece))

  // A heading of the same page is no new page.
  results.addEventListener('click', (event) => event.target.closest('a') && dialog.close())
  dialog.addEventListener('keydown', (event) => {
    // In a field for searches, some browsers clear the text and stay.
    if (event.key === 'Escape') {
      event.preventDefault()
      dialog.close()
    }
    if (event.key === 'Enter' && event.target === input) {
      event.preventDefault()
      results.querySelector('a')?.click()
    }
    const stops = [input, ...results.querySelectorAll('a'), ...(more.hidden ? [] : [more])]
    const now = stops.indexOf(document.activeElement)
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move) {
      event.preventDefault()
      stops[Math.max(0, Math.min(stops.length - 1, now + move))]?.focus()
    } else if (
      now > 0 &&
      event.key.length === 1 &&
      event.key !== ' ' &&
      !(event.ctrlKey || event.metaKey || event.altKey)
    ) {
      // Whoever goes on typing means the words.
      input.focus()
    }
  })
})()
