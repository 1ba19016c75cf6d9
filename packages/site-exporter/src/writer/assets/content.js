// What the content of a page does: tabs, code that can be copied, updates by tag, and the table of contents.
;(() => {
  'use strict'
  const { make, decoded, remembered, copyOnClick, words, say } = window.docket

  addEventListener('DOMContentLoaded', () => {
    document.querySelectorAll('.tabs').forEach(tabList)
    apiSwitch()
    document.querySelectorAll('figure.code, .prompt').forEach(copyButton)
    reveal()
    addEventListener('hashchange', reveal)
    updateFilter()
    document.querySelectorAll('figure.code.expandable').forEach(shorten)
    // Before headings get links, whose marks are no part of their words.
    contentsAbove()
    markHeading()
    // A link in a summary would be a control in a control.
    document.querySelectorAll('article :is(h2, h3, h4, h5, h6)[id]:not(summary *)').forEach(headingLink)
  })

  /** Lists whose tabs change together have the same key. Without one, those with the same label do. */
  const lists = []
  /** Chosen label by key, the latest last. */
  const choices = readChoices()
  const maxChoices = 100

  function readChoices() {
    try {
      return new Map(JSON.parse(remembered.get('docket-tabs') ?? '[]'))
    } catch {
      return new Map()
    }
  }

  const isFor = (key, stored) => stored === key || (key === 'label' && stored.startsWith('label/'))

  function choose(list, label) {
    if (list.key === 'off') return
    const stored = list.key === 'label' ? `label/${label}` : list.key
    choices.delete(stored)
    choices.set(stored, label)
    remembered.set('docket-tabs', JSON.stringify([...choices].slice(-maxChoices)))
    const { top } = list.element.getBoundingClientRect()
    for (const other of lists) if (other !== list && other.key === list.key) other.show(label)
    // Changes above must not move the tab away from the pointer.
    scrollBy({ top: list.element.getBoundingClientRect().top - top, behavior: 'instant' })
  }

  let tabLists = 0
  function tabList(tabs) {
    const panels = [...tabs.children]
      .filter((child) => child.matches('.tab, figure.code'))
      .map((child) => {
        if (!child.matches('figure')) return child
        // A figure may not be a tab panel, its wrapper may.
        const wrapper = make('div', {})
        child.replaceWith(wrapper)
        wrapper.append(child)
        return wrapper
      })
    if (panels.length < 2) return
    const element = make('div', { className: 'tab-list', role: 'tablist' })
    const group = `tabs-${++tabLists}`
    const labels = []
    let chooser = null
    /** Chooser in place of the row of tabs. */
    const dropdown = () => {
      chooser = make('select', { className: 'tab-chooser', ariaLabel: words.exampleVersion })
      chooser.append(
        ...labels.map((_, index) =>
          make('option', { value: String(index), textContent: element.children[index].textContent }),
        ),
      )
      chooser.addEventListener('change', () => pick(Number(chooser.value), false))
      element.hidden = true
      return chooser
    }
    const select = (wanted, focus) => {
      panels.forEach((panel, index) => {
        panel.hidden = index !== wanted
        element.children[index].ariaSelected = String(index === wanted)
        element.children[index].tabIndex = index === wanted ? 0 : -1
      })
      if (chooser) chooser.value = String(wanted)
      if (focus) element.children[wanted].focus()
    }
    const show = (label) => labels.includes(label) && select(labels.indexOf(label), false)
    const list = { key: tabs.dataset.sync ?? 'label', element, show }
    const pick = (index, focus) => {
      select(index, focus)
      choose(list, labels[index])
    }
    panels.forEach((panel, index) => {
      const title = panel.querySelector(':scope > .tab-title, :scope > figure > figcaption')
      const language = panel.querySelector(':scope > figure code')?.dataset.language
      const button = make('button', {
        type: 'button',
        role: 'tab',
        id: `${group}-${index}`,
        textContent: title?.textContent || language || say(words.tab, { number: index + 1 }),
      })
      if (title) title.hidden = true
      labels.push(panel.dataset.value ?? button.textContent)
      button.prepend(
        ...[...(title?.querySelectorAll('.icon, .icon-picture') ?? [])].map((icon) => icon.cloneNode(true)),
      )
      button.addEventListener('click', () => pick(index, false))
      panel.id ||= `${group}-panel-${index}`
      panel.addEventListener('docket-reveal', () => select(index, false))
      button.setAttribute('aria-controls', panel.id)
      panel.role = 'tabpanel'
      panel.setAttribute('aria-labelledby', button.id)
      element.append(button)
    })
    element.addEventListener('keydown', (event) => {
      const now = panels.findIndex((panel) => !panel.hidden)
      const last = panels.length - 1
      const step = document.documentElement.dir === 'rtl' ? -1 : 1
      const next = { ArrowRight: now + step, ArrowLeft: now - step, Home: 0, End: last }[event.key]
      if (next === undefined) return
      event.preventDefault()
      pick(next < 0 ? last : next > last ? 0 : next, true)
    })
    tabs.prepend(element, ...('dropdown' in tabs.dataset ? [dropdown()] : []))
    tabs.classList.add('has-list')
    const initial = panels.findIndex((panel) => panel.hasAttribute('data-default'))
    select(Math.max(0, initial), false)
    lists.push(list)
    const chosen = [...choices].findLast(([key, label]) => isFor(list.key, key) && labels.includes(label))
    if (chosen) show(chosen[1])
  }

  /** Fills a row with buttons; a click calls `press` with the value of one. Returns a function that marks the pressed ones. */
  function buttonRow(row, texts, press) {
    for (const [value, textContent] of texts) {
      const button = make('button', { type: 'button', value, textContent })
      button.addEventListener('click', () => press(value))
      row.append(button)
    }
    return (isPressed) => {
      for (const button of row.children) button.ariaPressed = String(isPressed(button.value))
    }
  }

  const belowTitle = () => document.querySelector('.lead') ?? document.querySelector('article > h1')

  function apiSwitch() {
    const kinds = { 'options-api': 'Options API', 'composition-api': 'Composition API' }
    const place = belowTitle()
    if (!place || Object.keys(kinds).some((kind) => !document.querySelector(`article .${kind}`))) return
    const row = make('div', { className: 'api-switch', role: 'group', ariaLabel: words.apiStyle })
    const mark = buttonRow(row, Object.entries(kinds), (kind) => {
      show(kind)
      remembered.set('docket-api', kind)
    })
    const show = (wanted) => {
      document.documentElement.dataset.api = wanted
      mark((kind) => kind === wanted)
    }
    for (const kind of Object.keys(kinds))
      for (const part of document.querySelectorAll(`article .${kind}`))
        part.addEventListener('docket-reveal', () => show(kind))
    place.after(row)
    const chosen = remembered.get('docket-api') ?? ''
    show(Object.hasOwn(kinds, chosen) ? chosen : 'composition-api')
  }

  /** Opens whatever hides the part of the page that the address names. */
  function reveal() {
    const target = location.hash && document.getElementById(decoded(location.hash.slice(1)))
    if (!target || target.checkVisibility?.()) return
    for (let at = target; at; at = at.parentElement) {
      if (at.matches('details')) at.open = true
      if (at.matches('[role=tabpanel], .api-style, .update')) at.dispatchEvent(new Event('docket-reveal'))
    }
    target.scrollIntoView()
  }

  function copyButton(figure) {
    const code = figure.matches('.prompt') ? figure.querySelector('.prompt-text') : figure.querySelector('code')
    if (!code) return
    if (navigator.clipboard) {
      const button = make('button', { type: 'button', className: 'copy', textContent: words.copy })
      copyOnClick(button, () => code.textContent)
      figure.append(button)
    }
    const { language } = code.dataset
    if (language) figure.append(make('span', { className: 'language', textContent: language, ariaHidden: 'true' }))
  }

  /** Buttons for the tags of the updates. All are shown until a reader chooses. */
  function updateFilter() {
    const updates = [...document.querySelectorAll('article .update')]
    const tagsIn = (update) => [...update.querySelectorAll('.update-head > .tags > li')].map((tag) => tag.textContent)
    const tags = [...new Set(updates.flatMap(tagsIn))].sort((a, b) => a.localeCompare(b))
    if (tags.length < 2) return
    const row = make('div', { className: 'update-filter', role: 'group', ariaLabel: words.updatesByTag })
    const chosen = new Set()
    const mark = buttonRow(
      row,
      tags.map((tag) => [tag, tag]),
      (tag) => {
        if (!chosen.delete(tag)) chosen.add(tag)
        show()
      },
    )
    const show = () => {
      for (const update of updates) update.hidden = chosen.size > 0 && !tagsIn(update).some((tag) => chosen.has(tag))
      mark((tag) => chosen.has(tag))
    }
    for (const update of updates)
      update.addEventListener('docket-reveal', () => {
        chosen.clear()
        show()
      })
    show()
    updates[0].before(row)
  }

  /** Shows the first lines of long code until a reader asks for all. */
  function shorten(figure) {
    if (figure.querySelector('code').textContent.split('\n').length <= 16) return
    const button = make('button', { type: 'button', className: 'show-all' })
    const show = (isShort) => {
      figure.classList.toggle('is-short', isShort)
      button.textContent = isShort ? words.showAll : words.showLess
      button.ariaExpanded = String(!isShort)
    }
    button.addEventListener('click', () => show(!figure.classList.contains('is-short')))
    figure.append(button)
    show(true)
  }

  function headingLink(heading) {
    const ariaLabel = say(words.linkTo, { title: heading.textContent })
    const href = `#${encodeURIComponent(heading.id)}`
    heading.append(make('a', { className: 'anchor', href, textContent: '#', ariaLabel }))
  }

  function contentsAbove() {
    const contents = document.querySelector('.contents ul')
    const place = belowTitle()
    if (!contents || !place) return
    const list = contents.cloneNode(true)
    const { textContent } = document.querySelector('.contents > p')
    place.after(make('details', { className: 'contents-above' }, make('summary', { textContent }), list))
  }

  function markHeading() {
    const bar = document.querySelector('.contents')
    const links = new Map(
      [...document.querySelectorAll('.contents a')].map((link) => [decoded(link.hash.slice(1)), link]),
    )
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
    if (headings.length === 0) return
    let marked = null
    const mark = () => {
      const shown = headings.filter((heading) => heading.getClientRects().length > 0)
      const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
      const above = shown.filter((heading) => heading.getBoundingClientRect().top < 140)
      const current = links.get((isAtEnd ? shown.at(-1) : (above.at(-1) ?? shown[0]))?.id)
      if (!current || current === marked) return
      marked?.removeAttribute('aria-current')
      marked = current
      current.setAttribute('aria-current', 'true')
      const place = current.offsetTop
      if (place < bar.scrollTop || place > bar.scrollTop + bar.clientHeight - 60)
        bar.scrollTop = place - bar.clientHeight / 2
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
})()
